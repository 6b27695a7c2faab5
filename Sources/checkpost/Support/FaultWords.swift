import ModemModel
import Time

extension ModemFault {
  /// The fault as a command line names it: `sim_removed:3`.
  ///
  /// What a name stands for is known in one direction only, so each name is tried with the values that
  /// this fault holds.
  var words: String {
    let values = ModemFault.values(in: self)
    for form in ModemFault.names {
      let name = String(form.prefix { $0 != "[" && $0 != ":" })
      for text in [([name] + values).joined(separator: ":"), name]
      where ModemFault(text) == self { return text }
    }
    return "\(self)"
  }

  /// The values of a fault in their order, as they stand after its name.
  private static func values(in value: Any) -> [String] {
    switch value {
    case let number as Int: [String(number)]
    case let text as String: [text]
    case let duration as Duration: [String(duration.wholeSeconds)]
    case is Bool: []
    default: Mirror(reflecting: value).children.flatMap { values(in: $0.value) }
    }
  }
}
