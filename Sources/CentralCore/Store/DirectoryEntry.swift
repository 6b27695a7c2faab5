public import Passages
public import Time

/// What whoever puts a post in knows of it, beside its code and its name.
public struct PostKnowledge: OptionSet, Hashable, Sendable {
  /// What is known, a bit each.
  public let rawValue: Int

  /// What is known, by its bits; a bit without a meaning means nothing.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// At which end of which segment it stands, or that it stands at none.
  public static let place = PostKnowledge(rawValue: 1)
  /// The number of its modem, or that it has none.
  public static let phone = PostKnowledge(rawValue: 2)
  /// All there is.
  public static let all: PostKnowledge = [.place, .phone]
}

/// Something to put into a store's directory, in place of what is there of the same name, code or number.
public enum DirectoryEntry: Hashable, Sendable {
  /// A segment, known by its name.
  case segment(Segment)
  /// A post, known by its code. What is not known of it stays as it is there.
  case post(Post, knowing: PostKnowledge = .all)
  /// A ranger, known by the number, and since when they serve at their post; where nobody says, as
  /// ``RangerAssignment/assigning(_:since:at:own:others:)`` takes it.
  case ranger(Ranger, since: WallTime? = nil)
  /// A further number that may speak for a post, known by the two; its dates are those of the last entry.
  case number(SenderBinding)
}

/// Why something cannot stand in a directory.
public enum DirectoryRefusal: Hashable, Sendable {
  /// It names a segment or a post that is not there.
  case unknownReference
  /// Another post stands at that end of the segment.
  case endTaken
  /// Another rule of the store, in its words.
  case rule(String)
}
