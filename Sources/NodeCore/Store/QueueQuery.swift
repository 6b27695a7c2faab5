/// Which passages to list.
public struct QueueQuery: Hashable, Sendable {
  /// Only those in this status.
  public var status: QueueStatus?
  /// Only those set aside, or only those that are not.
  public var isParked: Bool?
  /// Only those whose texts stand so.
  public var text: TextStanding?
  /// Only those of this part of the queue.
  public var among: QueueSubset?
  /// Only those of this plate, compact.
  public var plate: String?
  /// Only those after this place in the queue: ask again with the last one to page on.
  public var afterID: Int64 = 0
  /// Only those before this place, and then the newest first; nil for the oldest first.
  public var beforeID: Int64?
  /// How many at most, and never more than ``Limits/page``.
  public var limit = Limits.page

  /// Every passage, oldest first.
  public init() {}
}

/// Where passages stand for which somebody has to decide, since nothing more is sent by itself.
public enum TextStanding: String, CaseIterable, Hashable, Sendable {
  /// The network has reported of every text that it was not delivered.
  case undelivered
  /// Nobody knows whether the text left, and none waits to be sent.
  case unknown
}

/// A part of the queue that is found without looking at the rest.
public enum QueueSubset: String, CaseIterable, Hashable, Sendable {
  /// What the server does not have yet.
  case unsynced
  /// What is or will be due for a text.
  case textDue = "text_due"
  /// What is with a modem, or on its way to the server.
  case sending
  /// Those that may be unfinished: not on the server, withdrawn, or with something that was given up.
  case open
}
