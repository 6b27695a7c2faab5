import Text

/// The form of a setting's value, and its range.
enum SettingForm: Hashable, Sendable {
  case flag
  case integer(ClosedRange<Int>)
  case duration(ClosedRange<Duration>)
  /// A size in bytes.
  case size(ClosedRange<Int>)
  case choice([String])
  case text(TextRule)
  case texts(TextRule)
  /// A list that may be written as its only entry.
  case oneOrMore(TextRule)
  /// The list of the node's modems.
  case modems

  /// The values that are allowed, in words.
  var allowed: String {
    switch self {
    case .flag: "true or false"
    case .integer(let range):
      "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .duration(let range):
      "a duration from \(DurationText.format(range.lowerBound)) to "
        + "\(DurationText.format(range.upperBound)), such as 30s, 5m or 72h"
    case .size(let range):
      "a size from \(SizeText.format(range.lowerBound)) to \(SizeText.format(range.upperBound))"
    case .choice(let words): words.joined(separator: ", ")
    case .text(let rule): rule.allowed
    case .texts(let rule): "a list, each \(rule.allowed)"
    case .oneOrMore(let rule): "\(rule.allowed), or a list of such"
    case .modems: "a list of at most \(Limits.modems) sections, in the configuration file only"
    }
  }

  /// The value that `text` stands for, or nil when it is not allowed.
  func value(of text: String) -> SettingValue? {
    switch self {
    case .flag:
      switch text {
      case "true": .flag(true)
      case "false": .flag(false)
      default: nil
      }
    case .integer(let range):
      Int(text).flatMap { range.contains($0) ? .integer($0) : nil }
    case .duration(let range):
      DurationText.parse(text).flatMap { range.contains($0) ? .duration($0) : nil }
    case .size(let range):
      SizeText.parse(text).flatMap { range.contains($0) ? .size($0) : nil }
    case .choice(let words): words.contains(text) ? .text(text) : nil
    case .text(let rule): rule.allows(text) ? .text(text) : nil
    case .texts(let rule), .oneOrMore(let rule): rule.allows(text) ? .texts([text]) : nil
    case .modems: nil
    }
  }

  /// Whether the value is a list.
  var isList: Bool {
    switch self {
    case .texts, .oneOrMore: true
    case .flag, .integer, .duration, .size, .choice, .text, .modems: false
    }
  }
}
