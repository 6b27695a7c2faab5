public import NodeCore
public import Passages
public import Time

/// One thing that happened at a node, for people to read: a stable name for scripts, and words.
///
/// The plate stands in a field of its own and never in the words, so that whoever writes the event
/// somewhere else can mask or leave it out.
public struct NodeLogEvent: Hashable, Sendable {
  /// How much an event matters.
  public enum Level: String, CaseIterable, Hashable, Sendable, Comparable {
    /// Only of use when something is being looked for.
    case debug
    /// The ordinary course of things.
    case info
    /// A change of state: connectivity came or went, a modem became ready.
    case notice
    /// Something failed that will be tried again, or was put aside for an operator.
    case warning
    /// Something failed that waiting alone will hardly mend.
    case error

    /// The order of what matters less before what matters more.
    public static func < (left: Level, right: Level) -> Bool {
      left.rank < right.rank
    }

    private var rank: Int {
      switch self {
      case .debug: 0
      case .info: 1
      case .notice: 2
      case .warning: 3
      case .error: 4
      }
    }
  }

  /// What comes after an event, and when.
  public struct Next: Hashable, Sendable {
    /// The step in words: `next try`.
    public var words: String
    /// When it comes, by the wall clock as it was when the event happened.
    public var at: WallTime

    /// A step at a moment.
    public init(_ words: String, at: WallTime) {
      self.words = words
      self.at = at
    }
  }

  /// The name, in snake_case, which never changes: `text_accepted`.
  public var name: String
  /// How much it matters to an operator.
  public var level: Level
  /// What happened, in words before codes.
  public var words: String
  /// The node's clock when it happened.
  public var time: BootInstant
  /// The wall clock when it happened.
  public var wall: WallTime
  /// The passage it is about.
  public var clientID: ClientID?
  /// The plate of that passage, compact.
  public var plate: String?
  /// The text it is about.
  public var textID: Int64?
  /// What comes next, and when.
  public var next: Next?
  /// Passages that waited for a text when it happened.
  public var waiting: Int?

  /// An event.
  public init(
    name: String, level: Level, words: String, time: BootInstant, wall: WallTime,
    clientID: ClientID? = nil, plate: String? = nil, textID: Int64? = nil,
    next: Next? = nil, waiting: Int? = nil
  ) {
    self.name = name
    self.level = level
    self.words = words
    self.time = time
    self.wall = wall
    self.clientID = clientID
    self.plate = plate
    self.textID = textID
    self.next = next
    self.waiting = waiting
  }
}

extension NodeLogEvent {
  /// The name of the event of a passage that was recorded.
  public static let passageRecorded = "passage_recorded"

  /// The event of a passage that was recorded.
  public static func recorded(_ passage: Passage, at moment: Moment) -> NodeLogEvent {
    NodeLogEvent(
      name: passageRecorded, level: .info,
      words: "passage recorded at \(passage.checkpost.code)"
        + (passage.isUndated ? "; the clock was not set, so it is kept without its time" : ""),
      time: moment.boot,
      wall: moment.wall, clientID: passage.clientID, plate: passage.plate.compact)
  }
}
