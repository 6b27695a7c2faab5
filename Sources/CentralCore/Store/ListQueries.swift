public import Passages
public import Time

/// Which messages of the inbox are wanted.
public struct InboxQuery: Hashable, Sendable {
  /// Only those that stand so; nil for all.
  public var state: InboxItem.State?
  /// Only those that a person dismissed, or only those that nobody did; nil for both.
  public var isDismissed: Bool?
  /// Only those that were refused for this, as ``InboxItem/reason`` names it.
  public var reason: String?
  /// Only those of one sender, whose number may be written in any way.
  public var sender: String?
  /// Only those that came at that moment or later.
  public var since: WallTime?
  /// Only those that came before that moment.
  public var until: WallTime?
  /// Only those with lower numbers; nil for the newest.
  public var before: Int64?
  /// How many at most.
  public var limit = Limits.page

  /// The newest of all.
  public init() {}

  /// The ways in which messages may name the sender; nil where it does not matter.
  public var senders: [String]? { sender.map { PhoneNumber.spellings(of: $0) } }
}

/// Which messages a person looked at and dismisses: of those that are no passage and wait, the ones that are all of
/// this.
public struct InboxDismissal: Hashable, Sendable {
  /// Only those of these numbers; nil for those of any.
  public var ids: [Int64]?
  /// Only those that were refused for this.
  public var reason: String?
  /// Only those of one sender, whose number may be written in any way.
  public var sender: String?
  /// Only those that came before that moment.
  public var before: WallTime?
  /// Who looked at them.
  public var author: String

  /// All that wait.
  public init(by author: String) {
    self.author = author
  }

  /// The ways in which messages may name the sender; nil where it does not matter.
  public var senders: [String]? { sender.map { PhoneNumber.spellings(of: $0) } }

  /// What is written into the audit log of so many that were dismissed.
  public func note(_ count: Int64) -> String {
    [
      "messages \(count)", reason.map { "reason \($0)" }, before.map { "before \($0.rfc3339)" },
      sender == nil ? nil : "of one sender",
    ].compactMap { $0 }.joined(separator: ", ")
  }
}

/// A place in the list of passages that goes back in time.
public struct PassagePlace: Hashable, Comparable, Sendable {
  /// When the passage was recorded.
  public var recordedAt: WallTime
  /// Its row.
  public var row: Int64

  /// A place.
  public init(recordedAt: WallTime, row: Int64) {
    self.recordedAt = recordedAt
    self.row = row
  }

  /// By time, then by row.
  public static func < (left: PassagePlace, right: PassagePlace) -> Bool {
    (left.recordedAt, left.row) < (right.recordedAt, right.row)
  }
}

/// Which passages are wanted.
public struct PassageQuery: Hashable, Sendable {
  /// The order in which they are wanted.
  public enum Order: Hashable, Sendable {
    /// That in which they first came: those with higher numbers than this.
    case arrival(after: Int64)
    /// That in which they first came, however the store numbers its rows: those of which
    /// ``StoredPassage/arrival`` is higher.
    case following(Int64)
    /// The one that was recorded last first: those that come after this place, or all.
    case newest(after: PassagePlace?)
  }

  /// Only those of this post; nil for those of all posts.
  public var checkpost: CheckpostCode?
  /// Only those at an end of a segment, by its name.
  public var segment: String?
  /// A plate in its compact form.
  public var plate: String?
  /// A part of a plate in its compact form: all whose plate has it somewhere.
  public var platePart: String?
  /// Only those of rangers whose number ends so.
  public var suffix: PhoneSuffix?
  /// Only those recorded at that moment or later; nil for those of all times.
  public var since: WallTime?
  /// Only those recorded before that moment; nil for those of all times.
  public var until: WallTime?
  /// Whether only those on a segment are wanted.
  public var onSegment = false
  /// Whether only those are wanted whose travel has no other end.
  public var isUnpaired = false
  /// In which order, and from where on.
  public var order = Order.arrival(after: 0)
  /// How many at most: ask again from the last one on for what follows.
  public var limit = Limits.page

  /// Every passage, in the order in which they first came.
  public init() {}

  /// Only those with higher numbers; nil where they are wanted in another order.
  public var afterID: Int64? {
    get { if case .arrival(let after) = order { after } else { nil } }
    set { order = .arrival(after: newValue ?? 0) }
  }
}
