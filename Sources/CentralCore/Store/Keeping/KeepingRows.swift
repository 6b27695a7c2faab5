public import Passages
public import Storage
public import Time

/// How far a store is with dropping what is old.
public struct KeepingState: Hashable, Sendable {
  /// What is looked at next, one after the other.
  public enum Place: Hashable, Sendable {
    /// Passages by their time, after this one; nil is from the first.
    case passages(after: AgedPassage.Place?)
    /// Messages with a higher number.
    case messages(after: Int64)
    /// The audit log.
    case audit
  }

  /// The second before which nothing is taken any more.
  public var since: Int64?
  /// Where it is; nil while nothing is under way.
  public var place: Place?
  /// When it begins again.
  public var nextAt: WallTime?

  /// Nothing was dropped yet.
  public init() {}
}

/// A passage that may be old enough to be dropped.
public struct AgedPassage: Hashable, Sendable {
  /// Where it stands among the others.
  public struct Place: Hashable, Sendable {
    /// When it was recorded, in milliseconds since 1970.
    public var milliseconds: Int64
    /// Its row.
    public var row: Int64

    /// A place.
    public init(milliseconds: Int64, row: Int64) {
      self.milliseconds = milliseconds
      self.row = row
    }
  }

  /// Where it stands among the others.
  public var place: Place
  /// The plate, compact.
  public var plate: String
  /// The post.
  public var post: CheckpostCode
  /// Whether its time is known.
  public var isDated: Bool
  /// Whether it was set aside.
  public var isAside: Bool

  /// A passage.
  public init(
    place: Place, plate: String, post: CheckpostCode, isDated: Bool, isAside: Bool
  ) {
    self.place = place
    self.plate = plate
    self.post = post
    self.isDated = isDated
    self.isAside = isAside
  }
}

/// The rows that dropping and erasing work on, inside a transaction. A store that judges by functions of its own has
/// them as well.
public protocol KeepingRows {
  /// Records of a vehicle, as ``JudgingRows`` has them.
  func records(
    of plate: String, at posts: [CheckpostCode]?, in seconds: ClosedRange<Int64>?
  ) throws(StorageError) -> [JudgedRecord]

  /// The segments that these posts are an end of, with both ends; nil for those of all posts.
  func routes(of posts: Set<CheckpostCode>?) throws(StorageError) -> [Route]

  /// Judges the vehicles again that were at these places, because something of them is gone.
  func judgeAgain(
    _ places: [ContentKey], rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> JudgedChanges

  /// How far it is.
  func keeping() throws(StorageError) -> KeepingState

  /// Keeps how far it is.
  func write(_ state: KeepingState) throws(StorageError)

  /// When the newest passage was recorded; nil while there is none.
  func newest() throws(StorageError) -> WallTime?

  /// Passages that were recorded before a second, by time and row.
  func aged(
    after: AgedPassage.Place?, before second: Int64, limit: Int
  ) throws(StorageError) -> [AgedPassage]

  /// The records that stand under these rows, or have these numbers.
  func records(under rows: [Int64]) throws(StorageError) -> [JudgedRecord]

  /// Violations that have one of these rows for an end, the retracted ones too.
  func violations(touching rows: [Int64]) throws(StorageError) -> [HeldViolation]

  /// Sets records aside: they stay as they are, and are judged no more.
  func setAside(_ records: [Int64]) throws(StorageError)

  /// Drops records with all that depends on them but their messages.
  func drop(_ records: [Int64]) throws(StorageError) -> Dropped

  /// Drops messages that came before a moment and that nothing rests on, of the next ones after a number.
  ///
  /// - Returns: How many were dropped, and the number up to which was looked; nil where no older one is left.
  func dropMessages(
    after: Int64, receivedBefore moment: WallTime, limit: Int
  ) throws(StorageError) -> (dropped: Int, last: Int64?)

  /// Drops corrections that came before their passage, from before a moment.
  func dropEarly(before moment: WallTime, limit: Int) throws(StorageError)

  /// Drops entries of the audit log from before a moment.
  ///
  /// - Returns: How many; it was all there are where it is fewer than `limit`.
  func dropAudit(before moment: WallTime, limit: Int) throws(StorageError) -> Int

  /// Drops these messages, but those that something rests on that stays.
  ///
  /// - Returns: How many.
  func drop(messages: [Int64]) throws(StorageError) -> Int

  /// Drops corrections that came before their passage and name the plate.
  ///
  /// - Returns: How many.
  func dropEarly(naming plate: String) throws(StorageError) -> Int

  /// Records of which a report or a correction names the plate.
  func records(naming plate: String) throws(StorageError) -> [JudgedRecord]

  /// Notes in the audit log that a vehicle was erased.
  func note(_ dropped: Dropped, by actor: String?, at wall: WallTime) throws(StorageError)
}

extension KeepingRows where Self: JudgingRows {
  /// Judges the vehicles again that were at these places.
  public func judgeAgain(
    _ places: [ContentKey], rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> JudgedChanges {
    var changed = ChangedRecords()
    // No record has this number: those that are there did not change.
    for place in places { changed.change(0, from: nil, to: place) }
    return try judge(changed, cause: .correction, rules: rules, at: wall).changes
  }
}
