public import CentralCore
public import Passages
public import Storage

/// Why passages could not be written.
public enum PassageFailure: Error {
  /// What was asked for is refused.
  case refused(RestError)
  /// The store could not do it.
  case failed(StorageError)
}

/// What writing passages over the API needs of a store, inside one transaction. A call takes all that it needs at
/// once, as there may be a network in between.
public protocol PassageStore {
  /// What is there of the things that rows name. Nobody else changes it until the transaction's end.
  ///
  /// - Returns: Of each, in their order.
  func facts(of rows: [HandedPassage]) throws(PassageFailure) -> [HandedPassageFacts]

  /// The records that identities lead to.
  func records(
    identifiedBy identities: [ClientID]
  ) throws(PassageFailure) -> [ClientID: KnownPassage]

  /// The identities of passages that fulfil all of some conditions.
  ///
  /// - Throws: A refusal where they are more than ``RestLimits/bodyRows``.
  func identities(of filters: [RestFilter]) throws(PassageFailure) -> [ClientID]

  /// The posts that have these UUIDs; nothing of one that none has.
  func posts(identified uuids: [String]) throws(PassageFailure) -> [String: CheckpostCode]

  /// Takes reports and corrections, and judges.
  func take(_ arrivals: [PassageArrival]) throws(PassageFailure) -> TakenArrivals

  /// The rows of some reads, one after the other.
  func rows(of reads: [RestRead]) throws(PassageFailure) -> [String]
}

/// What a row of a passage that is handed in names.
public struct HandedPassage: Hashable, Sendable {
  /// The identity that it comes under.
  public var identity: ClientID
  /// What whoever handed it in calls the row; nil where they gave it no name.
  public var name: ClientID?
  /// The plate, compact; nil where it is none.
  public var plate: String?
  /// The UUIDs of its post, its segment and whoever recorded it.
  public var post: String
  /// That of its segment.
  public var segment: String
  /// That of whoever recorded it.
  public var ranger: String
}

/// What is there of those things.
public struct HandedPassageFacts: Hashable, Sendable {
  /// Whether something came under its identity already.
  public var isKnown: Bool
  /// Whether its name is that of another passage.
  public var isNameTaken: Bool
  /// Its post; nil where there is none of that UUID.
  public var post: CheckpostCode?
  /// Whether the passage that has its identity is called as the row is.
  public var isOwnName: Bool
  /// Whether its post stands on the segment that it names.
  public var isOnSegment: Bool
  /// The last digits of the number of whoever recorded it; nil where nobody has that UUID.
  public var suffix: PhoneSuffix?
  /// The UUID of the post that its recorder is assigned to; nil where that is none.
  public var rangerPost: String?

  /// What is there.
  public init(
    isKnown: Bool, isNameTaken: Bool, isOwnName: Bool, post: CheckpostCode?, isOnSegment: Bool,
    suffix: PhoneSuffix?, rangerPost: String?
  ) {
    self.isKnown = isKnown
    self.isNameTaken = isNameTaken
    self.isOwnName = isOwnName
    self.post = post
    self.isOnSegment = isOnSegment
    self.suffix = suffix
    self.rangerPost = rangerPost
  }
}

/// What is known of a record.
public struct KnownPassage: Hashable, Sendable {
  /// What was received first.
  public var received: ContentKey
  /// The plate with its corrections, compact.
  public var plate: String
  /// The reports, what goes before where they differ first.
  public var reports: [Observation]

  /// What is known.
  public init(received: ContentKey, plate: String, reports: [Observation]) {
    self.received = received
    self.plate = plate
    self.reports = reports
  }

  /// What is known of a record that a store has.
  public init(_ record: PassageRecord) {
    self.init(received: record.received, plate: record.place.plate, reports: record.observations)
  }
}
