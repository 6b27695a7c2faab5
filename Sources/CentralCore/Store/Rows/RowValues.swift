public import Passages
public import Time

/// A record with how it stands.
public struct JudgedRecord: Hashable, Sendable {
  /// What it holds.
  public var record: PassageRecord
  /// The number of the record under which its passage stands; nil of one that was not judged yet.
  public var row: Int64?
  /// What names it for others.
  public var uuid: ClientID
  /// The identity that it came under first.
  public var clientID: ClientID
  /// The message that it came with first.
  public var inboxID: Int64?
  /// When it was made.
  public var insertedAt: WallTime

  /// A record with how it stands.
  public init(
    _ record: PassageRecord, row: Int64?, uuid: ClientID, clientID: ClientID, inboxID: Int64?,
    insertedAt: WallTime
  ) {
    self.record = record
    self.row = row
    self.uuid = uuid
    self.clientID = clientID
    self.inboxID = inboxID
    self.insertedAt = insertedAt
  }
}

/// What is known of a passage, as people read it.
public struct StandingPassage: Hashable, Sendable {
  /// Its names.
  public var name: PassageName
  /// The post, the vehicle and the second, with the corrections.
  public var place: ContentKey
  /// What all its reports say.
  public var content: PassageContent
  /// The segment of its post; nil where that belongs to none.
  public var segment: String?
  /// The last four digits of the number of the ranger who wrote it down first.
  public var suffix: PhoneSuffix
  /// Whether its time is known.
  public var isDated: Bool
  /// The message that it came with first.
  public var inboxID: Int64?
  /// When its row was made first.
  public var insertedAt: WallTime

  init(_ passage: RecognisedPassage, first: JudgedRecord, segment: String?) {
    name = PassageName(row: passage.row, uuid: first.uuid, clientID: first.clientID)
    place = passage.place
    content = passage.content
    self.segment = segment
    suffix = passage.records[0].observations[0].suffix
    isDated = passage.isDated
    inboxID = first.inboxID
    insertedAt = first.insertedAt
  }

  /// The passage as it would be recorded, with a V1 text where one can say it.
  public var passage: Passage? {
    let plate = Plate(stored: place.plate, raw: content.rawPlate)
    return Passage(
      name.clientID, plate, content.vehicleType, place.post, content.recordedAt, suffix,
      segment: segment, ranger: content.rangers.first, photoPath: content.photoPath,
      isText: content.channels == [.text], isDated: isDated || content.withdrawal != nil)
  }
}

extension Passage {
  /// A passage from what is known of it.
  public init(
    _ clientID: ClientID, _ plate: Plate, _ type: VehicleType, _ post: CheckpostCode,
    _ recordedAt: WallTime, _ suffix: PhoneSuffix, segment: String?, ranger: String?,
    photoPath: String?, isText: Bool, isDated: Bool
  ) {
    if isDated,
      let dated = try? Passage(
        recording: plate, vehicleType: type, checkpost: post, recordedAt: recordedAt,
        suffix: suffix, identity: clientID, segment: segment, ranger: ranger, photoPath: photoPath)
    {
      self = dated
    } else {
      self.init(
        undated: plate, vehicleType: type, checkpost: post, recordedAt: recordedAt, boot: nil,
        suffix: suffix, identity: clientID, segment: segment, ranger: ranger, photoPath: photoPath)
      isUndated = !isDated
    }
    source = isText ? .sms : .app
  }
}

/// A violation with what it waits for.
public struct OpenViolation: Hashable, Sendable {
  /// The violation.
  public var violation: StandingViolation
  /// What names it for others.
  public var uuid: ClientID
  /// Past which second the entry's post has to report; nil of one that no report changes.
  public var entryNeeds: Int64?
  /// Past which second the exit's post has to report; nil of one that no report changes.
  public var exitNeeds: Int64?
  /// When it becomes final although a post does not report; nil where that is not waited for.
  public var unreportedFrom: WallTime?

  init(
    _ violation: StandingViolation, of entry: PassageName, place: JudgedPlace, rules: JudgingRules
  ) {
    self.violation = violation
    uuid = ClientID.derived(kind: "violation", name: entry.uuid.description)
    if let needs = violation.awaitedReports(place) { (entryNeeds, exitNeeds) = needs }
    unreportedFrom = violation.unreportedFrom(rules)
  }
}

/// An entry that waits, and when it is looked at.
public struct AwaitedEntry: Hashable, Sendable {
  /// The entry.
  public var entry: WaitingEntry
  /// The second at which there is something to do.
  public var lookAt: Int64
  /// Whether an alert stands.
  public var isTold: Bool

  /// An entry that waits.
  public init(_ entry: WaitingEntry, isTold: Bool) {
    self.entry = entry
    self.isTold = isTold
    lookAt = isTold ? entry.expiresAt : entry.dueAt
  }
}

/// What a store judged by, and what it has to judge again.
public struct RejudgingState: Hashable, Sendable {
  /// Something that has to be judged again.
  public struct Pending: Hashable, Sendable {
    /// Why.
    public var cause: ViolationRevision.Cause
    /// Vehicles with a record at one of these posts; nil for all.
    public var posts: Set<CheckpostCode>?
    /// The plate up to which it is done.
    public var after = ""

    /// What has to be judged again, from the beginning.
    public init(cause: ViolationRevision.Cause, posts: Set<CheckpostCode>?) {
      self.cause = cause
      self.posts = posts
    }
  }

  /// The numbers that were judged by, as ``JudgingRules/words``; nil before the first time.
  public var rules: String?
  /// What has to be judged again; nil where nothing has to be.
  public var pending: Pending?

  /// Nothing was judged yet.
  public init() {}

  /// Adds something to what has to be judged again, which begins anew.
  public mutating func add(_ cause: ViolationRevision.Cause, posts: Set<CheckpostCode>?) {
    guard posts?.isEmpty != true else { return }
    var all = posts
    if let pending {
      all = pending.posts.flatMap { known in posts.map { known.union($0) } }
    }
    pending = Pending(cause: pending?.cause ?? cause, posts: all)
  }

  /// The posts whose passages are judged otherwise by another directory.
  public static func changed(from before: [Route], to after: [Route]) -> Set<CheckpostCode> {
    let rules = JudgingRules()
    let (old, new) = (JudgedPlaces(before, rules: rules), JudgedPlaces(after, rules: rules))
    return Set((before + after).flatMap(\.posts)).filter { post in
      let (was, now) = (old.place(of: post), new.place(of: post))
      return was.ends != now.ends || Set(was.posts) != Set(now.posts)
    }
  }
}

extension JudgedPlace {
  /// Its segments with who stood at their ends, and when: which of these is called the first is all the same.
  fileprivate var ends: [Stretch.Ends] {
    stretches.map { Stretch.Ends(segment: $0.segment, stays: Set($0.stays)) }
  }
}
