import PassageFiles
import Passages

/// What a line at the desk asks for.
enum DeskLine: Hashable {
  /// Record a passage, or go on with a plate whose type was missing.
  case entry(EntryLine)
  /// The type of the vehicle whose plate was typed before.
  case type(VehicleType)
  /// The last digits of a plate, with a type where one was typed: of a vehicle that is expected or was here.
  case digits(String, type: String?)
  /// Make the last passage right, or that number of the queue.
  case correct(queueID: Int64?, plate: String?, type: VehicleType?)
  /// Take the last passage back, or that number of the queue: it never was.
  case undo(queueID: Int64?)
  /// The last passages.
  case last
  /// How it stands, in one line.
  case status
  /// Vehicles that are overdue.
  case warnings
  /// Vehicles that are on their way here.
  case expected
  /// What can be typed.
  case help
  /// The end of the shift.
  case quit
  /// Nothing.
  case empty
  /// A line that cannot be meant, in words.
  case wrong(String)

  /// Reads a line. Whatever is no command begins with a plate.
  init(_ line: String) {
    let words = line.split { $0.isWhitespace || $0 == "," }.map(String.init)
    guard let first = words.first else {
      self = .empty
      return
    }
    if first.hasPrefix("=") {
      self = DeskLine.correction(
        ([String(first.dropFirst())] + words.dropFirst()).filter { !$0.isEmpty })
      return
    }
    if words.count <= 2, DeskLine.undo.contains(first.lowercased()) {
      guard words.count == 2 else {
        self = .undo(queueID: nil)
        return
      }
      self = DeskLine.number(words[1]).map { .undo(queueID: $0) } ?? .wrong("u takes a number: u 7")
      return
    }
    if words.count == 1 {
      if let command = DeskLine.commands[first.lowercased()] {
        self = command
        return
      }
      if let type = EntryLine.type(first) {
        self = .type(type)
        return
      }
    }
    if words.count <= 2, first.count >= 3, first.allSatisfy(\.isNumber) {
      self = .digits(DeskLine.latin(first), type: words.count == 2 ? words[1] : nil)
      return
    }
    if words.count > 1, first.contains(":"),
      DeskLine.latin(first).allSatisfy({ $0 == ":" || $0.isNumber })
    {
      self = .wrong("the plate comes first and the time last: ba1pa1234 c 18:10")
      return
    }
    self = EntryLine(line).map { .entry($0) } ?? .empty
  }

  private static let undo: Set<String> = ["u", "undo", "रद्द"]

  private static let commands: [String: DeskLine] = [
    "l": .last, "last": .last, "list": .last, "सूची": .last, "s": .status, "status": .status,
    "अवस्था": .status,
    "w": .warnings, "warnings": .warnings, "overdue": .warnings, "चेतावनी": .warnings,
    "i": .expected, "inside": .expected, "expected": .expected, "भित्र": .expected, "h": .help,
    "help": .help, "?": .help, "मद्दत": .help, "q": .quit,
    "quit": .quit, "exit": .quit, "बन्द": .quit,
  ]

  /// `= ba1pa1235`, `= b`, `= ba1pa1235 b`, `=7 ba1pa1235`.
  private static func correction(_ words: [String]) -> DeskLine {
    var words = words
    var queueID: Int64?
    if words.count > 1, let number = words.first.flatMap(number) {
      queueID = number
      words.removeFirst()
    }
    var type: VehicleType?
    if let last = words.last, let known = EntryLine.type(last) {
      type = known
      words.removeLast()
    }
    guard type != nil || !words.isEmpty else {
      return .wrong("write what is right: = BA 1 PA 1235, or = b")
    }
    return .correct(
      queueID: queueID, plate: words.isEmpty ? nil : words.joined(separator: " "), type: type)
  }

  private static func number(_ text: String) -> Int64? { Int64(latin(text)) }

  /// Digits of either script as Latin ones.
  private static func latin(_ text: String) -> String {
    String(
      text.map { character in
        character.wholeNumberValue.map { Character("\($0 % 10)") } ?? character
      })
  }
}
