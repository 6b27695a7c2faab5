/// A body in the form of `application/x-www-form-urlencoded` (WHATWG URL, 5.1).
struct FormBody: Hashable, Sendable {
  /// The parameters as they came, in order, decoded; empty values with them.
  let parameters: [(name: String, value: String)]

  static func == (left: FormBody, right: FormBody) -> Bool {
    left.parameters.elementsEqual(right.parameters) { $0 == $1 }
  }

  func hash(into hasher: inout Hasher) {
    for parameter in parameters {
      hasher.combine(parameter.name)
      hasher.combine(parameter.value)
    }
  }

  /// Reads a body; nil when it is no form, or has too many parameters.
  init?(_ bytes: some Sequence<UInt8>) {
    var parameters: [(name: String, value: String)] = []
    for pair in Array(bytes).split(separator: UInt8(ascii: "&")) {
      guard parameters.count < Limits.parameters else { return nil }
      let halves = pair.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = FormBody.decoded(halves[0]),
        let value = halves.count > 1 ? FormBody.decoded(halves[1]) : ""
      else { return nil }
      parameters.append((name, value))
    }
    self.parameters = parameters
  }

  /// The value of a parameter that has to be there exactly once; nil otherwise.
  subscript(_ name: String) -> String? {
    let values = parameters.filter { $0.name == name }
    return values.count == 1 ? values[0].value : nil
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
    var output: [UInt8] = []
    var iterator = bytes.makeIterator()
    while let byte = iterator.next() {
      switch byte {
      case UInt8(ascii: "+"): output.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = iterator.next().flatMap(nibble), let low = iterator.next().flatMap(nibble)
        else { return nil }
        output.append(high << 4 | low)
      default: output.append(byte)
      }
    }
    return String(validating: output, as: UTF8.self)
  }

  private static func nibble(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
