/// One command of a command line, cut into its parts (ITU-T V.250 5.3, 5.4).
struct CommandText: Hashable, Sendable {
  /// What is done with the command.
  enum Form: Hashable, Sendable {
    case execute
    case read
    case test
    case set
  }

  /// Its name with its mark, in capital letters: `+CMGS`, `E`, `&F`.
  var name: String
  var form: Form
  /// What stands after `=` or, for a basic command, after its letter.
  var argument: String

  /// The commands of a line, without the `AT` before them; nil when it cannot be read.
  static func split(_ body: Substring) -> [CommandText]? {
    var commands: [CommandText] = []
    var rest = body
    while true {
      rest = rest.drop { $0 == " " || $0 == ";" }
      guard let first = rest.first else { return commands }
      if "+^*%$#".contains(first) {
        commands.append(extended(&rest))
      } else {
        guard let command = basic(&rest) else { return nil }
        commands.append(command)
      }
    }
  }

  /// An extended command: to the next semicolon that is not in quotes.
  private static func extended(_ rest: inout Substring) -> CommandText {
    var isQuoted = false
    let end =
      rest.firstIndex { character in
        if character == "\"" { isQuoted.toggle() }
        return character == ";" && !isQuoted
      } ?? rest.endIndex
    let text = rest[..<end]
    rest = rest[end...]
    guard let sign = text.firstIndex(where: { $0 == "=" || $0 == "?" }) else {
      return CommandText(name: text.uppercased(), form: .execute, argument: "")
    }
    let name = text[..<sign].uppercased()
    let argument = String(text[text.index(after: sign)...])
    if text[sign] == "?" { return CommandText(name: name, form: .read, argument: argument) }
    return argument == "?"
      ? CommandText(name: name, form: .test, argument: "")
      : CommandText(name: name, form: .set, argument: argument)
  }

  /// A basic command: a letter, `&` with a letter, or `S` with a number; and digits after it.
  private static func basic(_ rest: inout Substring) -> CommandText? {
    guard let first = rest.popFirst() else { return nil }
    var name = first.uppercased()
    if first == "&" {
      guard let letter = rest.popFirst(), letter.isLetter else { return nil }
      name += letter.uppercased()
    } else if !first.isLetter {
      return nil
    }
    let digits = rest.prefix { $0.isNumber }
    rest = rest[digits.endIndex...]
    guard rest.first == "=" || rest.first == "?" else {
      return CommandText(name: name, form: .execute, argument: String(digits))
    }
    let isRead = rest.first == "?"
    rest = rest.dropFirst()
    let value = rest.prefix { $0.isNumber }
    rest = rest[value.endIndex...]
    return CommandText(
      name: name + digits, form: isRead ? .read : .set, argument: String(value))
  }

  /// The command in capital letters, as it was typed.
  var text: String {
    switch form {
    case .execute: name + argument
    case .read: name + "?"
    case .test: name + "=?"
    case .set: (name + "=" + argument).uppercased()
    }
  }

  /// Whether the first value is a string, as it must be where a number would mean something else.
  var isQuoted: Bool { argument.drop { $0 == " " }.first == "\"" }

  /// The values after `=`, without their quotes; an empty one is nil.
  var values: [String?] {
    var values: [String?] = []
    var value = ""
    var isQuoted = false
    for character in argument {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        values.append(value.isEmpty ? nil : value)
        value = ""
      default: value.append(character)
      }
    }
    values.append(value.isEmpty ? nil : value)
    return values
  }

  /// The value at a place; nil when it is empty or not there.
  func value(_ place: Int) -> String? {
    let values = values
    return values.indices.contains(place) ? values[place] : nil
  }

  /// The number at a place; nil when it is none.
  func integer(_ place: Int) -> Int? {
    value(place).flatMap { Int($0) }
  }
}
