import NodeCore
public import Passages
public import Time

/// What a person would want to hear of a passage at once, while the vehicle is still in sight. It is recorded
/// all the same.
public enum EntryWarning: Hashable, Sendable {
  /// The same plate was recorded so many seconds before, as that number of the queue.
  case sameVehicle(seconds: Int64, queueID: Int64)
  /// A part of the plate that begins as a number has a letter in it.
  case letterInNumber(String)
  /// The node's directory has no such post, but these.
  case unknownPost(String, known: [String])
  /// The time lies so many seconds ahead.
  case future(seconds: Int64)

  /// The name in snake_case, which never changes.
  public var name: String {
    switch self {
    case .sameVehicle: "same_vehicle"
    case .letterInNumber: "letter_in_number"
    case .unknownPost: "unknown_post"
    case .future: "time_in_future"
    }
  }

  /// What is strange, and what to do.
  public var words: String {
    switch self {
    case .sameVehicle(let seconds, let queueID):
      "This plate was recorded \(seconds) s ago as number \(queueID). Is it the same vehicle?"
        + " Then one of the two is too many: checkpost queue show \(queueID)"
    case .letterInNumber(let part):
      "\"\(part)\" in the plate has a letter where digits belong. Is it read right?"
    case .unknownPost(let post, let known):
      "The directory has no post \(post). It has \(known.joined(separator: " and "))."
    case .future(let seconds):
      "The time is \(EntryWarning.span(seconds)) in the future. Is it right?"
    }
  }

  /// Seconds in words, in the largest unit that gives two or more.
  private static func span(_ seconds: Int64) -> String {
    switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7_200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3_600) h"
    default: "\(seconds / 86_400) days"
    }
  }

  /// What is strange about a passage by itself.
  ///
  /// - Parameters:
  ///   - now: The moment at which it was recorded, by the clock that dated it.
  ///   - posts: The posts that the node's directory has; nil where it has none.
  public static func of(
    _ passage: Passage, now: WallTime, posts: [String]? = nil
  ) -> [EntryWarning] {
    var warnings: [EntryWarning] = []
    if let part = mixedNumber(in: passage.plate) { warnings.append(.letterInNumber(part)) }
    if let posts, posts.count > 1, !posts.contains(passage.checkpost.code) {
      warnings.append(.unknownPost(passage.checkpost.code, known: posts))
    }
    let ahead = (passage.recordedAt - now).wholeSeconds
    if ahead > 1, now >= Passage.earliest { warnings.append(.future(seconds: ahead)) }
    return warnings
  }

  /// The warning that the same vehicle was recorded at the same post shortly before.
  ///
  /// - Parameters:
  ///   - number: The passage's own number in the queue. Its identity would not do to tell it apart: the store
  ///     gives another one where it knows the ranger and the request does not.
  ///   - others: Passages that were recorded lately, with their numbers; that one may be among them.
  public static func sameVehicle(
    as passage: Passage, numbered number: Int64,
    among others: [(queueID: Int64, plate: String, checkpost: String, at: WallTime)]
  ) -> EntryWarning? {
    let twins = others.compactMap { other -> (Int64, Int64)? in
      let apart = (passage.recordedAt - other.at).wholeSeconds
      guard other.plate == passage.plate.compact, other.checkpost == passage.checkpost.code,
        other.queueID != number,
        abs(apart) <= NodeCore.Limits.sameVehicleWithin.wholeSeconds
      else { return nil }
      return (abs(apart), other.queueID)
    }
    return twins.min { $0 < $1 }.map { .sameVehicle(seconds: $0.0, queueID: $0.1) }
  }

  /// A part that begins with a digit and has a letter in it, where the plate was written in parts; otherwise
  /// a letter within its last number: more changes between letters and digits than a plate has.
  private static func mixedNumber(in plate: Plate) -> String? {
    let parts = plate.raw.split { !$0.isLetter && !$0.isNumber }
    if parts.count > 1, let last = parts.last, last.first?.isNumber == true,
      last.contains(where: \.isLetter)
    {
      return String(last)
    }
    let groups = plate.display.split(separator: " ")
    // One of a province has its short form, the office and the lot before the category and the number.
    let plain = groups.first?.wholeMatch(of: /P[1-7]/) == nil ? 4 : 5
    guard groups.count > plain else { return nil }
    return groups.dropFirst(plain - 1).joined()
  }
}
