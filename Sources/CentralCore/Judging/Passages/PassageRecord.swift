public import Passages
import Time

/// All that came of one content: every report with the same ``ContentKey``, under whatever identity, and
/// the corrections that name one of them. It depends on what came and not on the order, except for its
/// number.
public struct PassageRecord: Hashable, Sendable {
  /// Its number; what was made earlier has a lower one.
  public let number: Int64
  /// What was received: it never changes.
  public let received: ContentKey
  /// The reports, what goes before where they differ first; each once, with its first receipt.
  public private(set) var observations: [Observation]
  /// The corrections in the order in which they were made.
  public private(set) var corrections: [ReceivedCorrection] = []
  /// Whether something else came under one of its identities. It changed nothing.
  public private(set) var isContradicted = false

  /// What a first report makes.
  public init(number: Int64, first: Observation) {
    self.number = number
    received = first.key
    observations = [first]
  }

  /// A record as a store has it; nil without a report.
  public init?(
    number: Int64, received: ContentKey, observations: [Observation],
    corrections: [ReceivedCorrection], isContradicted: Bool
  ) {
    guard !observations.isEmpty else { return nil }
    self.number = number
    self.received = received
    self.observations = observations.sorted { $0.goesBefore($1) }
    self.corrections = corrections.sorted { $0.isBefore($1) }
    self.isContradicted = isContradicted
  }

  /// Every identity under which it came, in their order.
  public var identities: [ClientID] {
    var identities: [ClientID] = []
    for identity in observations.map(\.clientID).sorted() where identity != identities.last {
      identities.append(identity)
    }
    return identities
  }

  /// Where, which vehicle and when, with the corrections.
  public var place: ContentKey {
    var place = received
    for correction in corrections {
      if let post = correction.post { place.post = post }
      if let plate = correction.plate { place.plate = plate.compact }
      if let time = correction.recordedAt { place.second = time.epochSeconds }
    }
    return place
  }

  /// Whether this comes before the other among records of any vehicles: by its place, and where corrections put both at
  /// one place by what was received. Two never received the same, so that it does not matter which came first.
  public func isBefore(_ other: PassageRecord) -> Bool {
    (place, received) < (other.place, other.received)
  }

  /// Whether it is judged: its time is known, and nobody withdrew it. One that is not is kept all the same.
  public var isDated: Bool {
    !isWithdrawn
      && (observations.founded.contains { $0.clock != .unset }
        || corrections.contains { $0.recordedAt != nil })
  }

  /// Whether one of its reports can change what is proven. All others rest on texts of which nobody knows who sent
  /// them.
  public var isFounded: Bool { observations[0].isFounded }

  /// Whether somebody moved it to another post than the one that recorded it.
  public var isMoved: Bool {
    place.post != received.post && corrections.contains { $0.post != nil }
  }

  /// Whether somebody who may do so said that it never was.
  public var isWithdrawn: Bool { corrections.contains { $0.withdrawal != nil } }

  /// The paths of its photographs: those that reports name, and those that corrections put in their place.
  public var photoPaths: [String] {
    observations.compactMap(\.photoPath)
      + corrections.compactMap(\.photoPath).filter { !$0.isEmpty }
  }

  /// What is known of it.
  public var content: PassageContent { PassageContent(of: [self]) }

  /// Adds a report with the content that was received, or with the corrected one under an identity that is
  /// known. Anything else is a contradiction: nothing is changed but ``isContradicted``.
  ///
  /// - Returns: Whether it tells anything new.
  public mutating func add(_ observation: Observation) -> Bool {
    guard admits(observation) else {
      defer { isContradicted = true }
      return !isContradicted
    }
    if let known = observations.firstIndex(where: { $0.isRepeated(by: observation) }) {
      guard observation.receivedAt < observations[known].receivedAt else { return false }
      observations.remove(at: known)
    }
    let place = observations.firstIndex { observation.goesBefore($0) } ?? observations.endIndex
    observations.insert(observation, at: place)
    return true
  }

  /// Adds a correction that names one of its identities.
  ///
  /// - Returns: Whether it was new.
  public mutating func add(_ correction: ReceivedCorrection) -> Bool {
    guard !corrections.contains(correction) else { return false }
    let place = corrections.firstIndex { correction.isBefore($0) } ?? corrections.endIndex
    corrections.insert(correction, at: place)
    return true
  }

  fileprivate func admits(_ observation: Observation) -> Bool {
    let key = observation.key
    return key == received
      || key == place && observations.contains { $0.clientID == observation.clientID }
  }
}

extension Sequence<Observation> {
  /// Those that can change what is proven; all of them where there is none.
  var founded: [Observation] {
    let all = Array(self)
    let founded = all.filter(\.isFounded)
    return founded.isEmpty ? all : founded
  }
}

/// What a report is to the records that are there.
public enum Reception: Hashable, Sendable {
  /// Nothing is known of the passage: a new record.
  case new
  /// It came under this identity before, into the record of that number.
  case known(Int64)
  /// The record of that number has its content; the identity is another name of it.
  case alias(of: Int64)
  /// Its identity is that of the record of that number, which says something else. Nothing is changed and
  /// nothing linked; it is to be told.
  case contradiction(of: Int64)

  /// Decides what a report is.
  ///
  /// - Parameters:
  ///   - identified: The record that has its identity; nil when none has.
  ///   - alike: The record whose ``PassageRecord/received`` is its key; nil when there is none.
  public init(
    _ observation: Observation, identified: PassageRecord?, alike: PassageRecord?
  ) {
    if let identified {
      self =
        identified.admits(observation)
        ? .known(identified.number) : .contradiction(of: identified.number)
    } else if let alike {
      self = .alias(of: alike.number)
    } else {
      self = .new
    }
  }
}
