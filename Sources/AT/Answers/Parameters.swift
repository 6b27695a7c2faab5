/// The values of a result, separated by commas: numbers and texts in quotes (ITU-T V.250 5.4.2).
public struct Parameters: Hashable, Sendable {
  private let fields: [String?]

  /// Splits what stands after the colon. An empty value is nil; a comma in quotes divides nothing.
  public init(_ text: some StringProtocol) {
    var fields: [String?] = []
    var field = ""
    var isQuoted = false
    var wasQuoted = false
    func value() -> String? {
      let trimmed = wasQuoted ? field : field.trimmingBlanks
      return trimmed.isEmpty && !wasQuoted ? nil : trimmed
    }
    for character in text {
      switch character {
      case "\"":
        if !isQuoted, !wasQuoted { field = "" }
        isQuoted.toggle()
        wasQuoted = true
      case "," where !isQuoted:
        fields.append(value())
        field = ""
        wasQuoted = false
      case " " where wasQuoted && !isQuoted:
        break
      default:
        field.append(character)
      }
    }
    fields.append(value())
    self.fields = fields
  }

  /// How many values there are, the empty ones with them.
  public var count: Int { fields.count }

  /// The value at a place; nil when it is empty or not there.
  public func text(_ place: Int) -> String? {
    fields.indices.contains(place) ? fields[place] : nil
  }

  /// The number at a place; nil when it is none or not there.
  public func integer(_ place: Int) -> Int? {
    text(place).flatMap { Int($0) }
  }
}

extension StringProtocol {
  /// The text without blanks around it.
  var trimmingBlanks: String {
    var rest = self[...]
    while rest.first == " " { rest = rest.dropFirst() }
    while rest.last == " " { rest = rest.dropLast() }
    return String(rest)
  }
}
