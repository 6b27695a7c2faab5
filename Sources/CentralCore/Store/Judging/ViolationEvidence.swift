public import Passages
public import Time

/// All that a violation rests on, for whoever has to answer for it.
public struct ViolationEvidence: Hashable, Sendable {
  /// The violation.
  public var violation: StoredViolation
  /// Every change of it, the first one first.
  public var revisions: [ViolationRevision]
  /// When it became final, who confirmed it, and who recorded what came of it, in that order in which it happened.
  public var notes: [ViolationNote]
  /// The segment as the directory has it now; nil where it has none of that name.
  public var segment: Segment?
  /// The end at which the vehicle was seen first.
  public var entry: PassageEvidence
  /// The other end.
  public var exit: PassageEvidence
  /// What people call whom reports and corrections name by an identifier, as far as known.
  public var rangerNames: [String: String]
  /// How the numbers end of those whom reports name by an identifier, as far as known: who recorded a passage may
  /// be another one than whose account it came by.
  public var rangerDigits: [String: String] = [:]
  /// Records that are of neither end: those between them that say otherwise and that nobody proved, where that is a
  /// doubt, and those that caused a revision; as many as are kept, and no more than some.
  public var beside: [RecordEvidence] = []
  /// What the posts of both ends are called, as far as the directory knows them.
  public var postNames: [CheckpostCode: String]

  /// What a violation rests on.
  public init(
    violation: StoredViolation, revisions: [ViolationRevision], notes: [ViolationNote] = [],
    segment: Segment?, entry: PassageEvidence, exit: PassageEvidence,
    rangerNames: [String: String] = [:], postNames: [CheckpostCode: String] = [:]
  ) {
    self.violation = violation
    self.revisions = revisions
    self.notes = notes
    self.segment = segment
    self.entry = entry
    self.exit = exit
    self.rangerNames = rangerNames
    self.postNames = postNames
  }
}

extension ViolationEvidence {
  /// The numbers in the inbox of texts that say otherwise and that nobody proved, where that is a doubt.
  public var contradicting: [Int64] {
    let finding = violation.violation.finding
    guard finding.doubts.contains(.contradictedByText) else { return [] }
    let inside = beside.filter {
      let second = $0.record.place.second
      return finding.entry.earliest < second && second < finding.exit.latest
    }
    let ends = [(finding.entry, entry), (finding.exit, exit)].flatMap { end, evidence in
      evidence.records.filter { !(end.earliest...end.latest).contains($0.record.place.second) }
    }
    let texts = (inside + ends).filter { !$0.record.isFounded }
    return Set(texts.flatMap { $0.reports.compactMap(\.origin.inboxID) }).sorted()
  }

  /// What caused a revision, as far as it is kept.
  public func origins(of revision: ViolationRevision) -> [RecordEvidence] {
    let all = entry.records + exit.records + beside
    return revision.origins.compactMap { number in all.first { $0.record.number == number } }
  }

  /// The numbers of records that caused a revision and are of neither end.
  public var originsBeside: [Int64] {
    let known = Set((entry.records + exit.records).map(\.record.number))
    return Set(revisions.flatMap(\.origins)).subtracting(known).sorted()
  }
}

/// All that is known of a passage, as it came.
public struct PassageEvidence: Hashable, Sendable {
  /// The passage as it stands; nil of one that is part of another by now.
  public var passage: StoredPassage?
  /// What it was put together from, the earliest first.
  public var records: [RecordEvidence]

  /// What is known of a passage.
  public init(passage: StoredPassage?, records: [RecordEvidence]) {
    self.passage = passage
    self.records = records
  }
}

/// A record with where each of its reports came from.
public struct RecordEvidence: Hashable, Sendable {
  /// One report.
  public struct Report: Hashable, Sendable {
    /// What it said.
    public var observation: Observation
    /// Where it came from.
    public var origin: PassageArrival.Origin
    /// The number or the name that its message said it came from; nil of what was no message.
    public var sender: String?
    /// Who handed the message over, as ``Provider`` names it; nil of what was no message.
    public var provider: String?
    /// When it was written down.
    public var insertedAt: WallTime
    /// Who wrote it down, where it does not say that itself and the directory knows them by the last digits of
    /// their number.
    public var ranger: String?
    /// What was strange about its message, and which rules an operator set aside for it.
    public var warnings: [IntakeWarning]

    /// A report.
    public init(
      _ observation: Observation, origin: PassageArrival.Origin, sender: String?,
      provider: String?, insertedAt: WallTime, ranger: String? = nil,
      warnings: [IntakeWarning] = []
    ) {
      self.observation = observation
      self.origin = origin
      self.sender = sender
      self.provider = provider
      self.insertedAt = insertedAt
      self.ranger = ranger
      self.warnings = warnings
    }
  }

  /// The record.
  public var record: PassageRecord
  /// Its reports, in the order of the record.
  public var reports: [Report]
  /// How often something was reported that belongs to it, repetitions too.
  public var times: Int64
  /// When that was last.
  public var lastAt: WallTime

  /// A record.
  public init(record: PassageRecord, reports: [Report], times: Int64, lastAt: WallTime) {
    self.record = record
    self.reports = reports
    self.times = times
    self.lastAt = lastAt
  }
}
