public import Passages
public import Time

/// What was warned of lately, so that each thing is told once, over restarts too.
public struct AlertBook: Hashable, Sendable {
  /// The warnings, oldest first; those that stand are never left out.
  public private(set) var alerts: [TravelAlert]

  /// A book with what was in it when it was closed.
  public init(_ alerts: [TravelAlert] = []) {
    self.alerts = alerts
  }

  /// Vehicles that ought to have left by now and were not seen.
  public var overdue: [TravelAlert] { alerts.filter(\.isOpen) }

  /// Entries that need not be told of again.
  public var toldOverdue: Set<ClientID> {
    Set(alerts.filter { $0.kind == .overdue }.map(\.entry.clientID))
  }

  /// Whether a vehicle is told of as overdue by another record of the same moment at the same post.
  public func isToldOverdue(_ passage: RemotePassage) -> Bool {
    overdue.contains { alert in
      alert.plate == passage.plate && alert.entry.checkpost == passage.checkpost?.code
        && abs((alert.entry.recordedAt - passage.recordedAt).wholeSeconds)
          <= Limits.sameVehicleWithin.wholeSeconds
    }
  }

  /// Whether a vehicle that is overdue can be kept: where so many are that the book is full, one that came in later than
  /// the first of them can, since that vehicle is the likelier one to have left unseen.
  public func hasRoom(for passage: RemotePassage) -> Bool {
    let overdue = overdue
    return overdue.count < Limits.overdueKept
      || overdue.contains { $0.entry.recordedAt < passage.recordedAt }
  }

  /// Ends the wait for the vehicle that came in first, where the book is full.
  ///
  /// - Returns: the warning that is over; none where there is room.
  public mutating func makeRoom(now: WallTime) -> [TravelAlert] {
    let overdue = overdue
    guard overdue.count >= Limits.overdueKept,
      let first = overdue.min(by: { $0.entry.recordedAt < $1.entry.recordedAt })
    else { return [] }
    return end(.expired, now) { $0.key == first.key }
  }

  /// Adds a warning.
  ///
  /// - Returns: false when it was told before.
  public mutating func add(_ alert: TravelAlert) -> Bool {
    guard !alerts.contains(where: { $0.key == alert.key }) else { return false }
    alerts.append(alert)
    let spare = alerts.count - overdue.count - Limits.alertsKept
    if spare > 0, let oldest = alerts.firstIndex(where: { !$0.isOpen }) {
      alerts.remove(at: oldest)
    }
    return true
  }

  /// Entries of that vehicle that are being waited for, though they may have left the cache.
  public func awaited(plate: String) -> [RemotePassage] {
    overdue.filter { $0.plate == plate }.map { alert in
      RemotePassage(
        clientID: alert.entry.clientID, serverID: alert.entry.serverID, plate: plate,
        vehicleType: alert.vehicleType,
        checkpost: alert.entry.checkpost.flatMap { try? CheckpostCode($0) },
        recordedAt: alert.entry.recordedAt,
        origin: alert.entry.origin == .server ? .server : .text)
    }
  }

  /// Ends the wait for a vehicle that was seen again after its entry.
  ///
  /// - Returns: the warnings that are over.
  public mutating func seen(plate: String, at time: WallTime, now: WallTime) -> [TravelAlert] {
    end(.seen, now) { $0.plate == plate && $0.entry.recordedAt <= time }
  }

  /// Ends the wait for entries that the server no longer waits for.
  ///
  /// - Returns: the warnings that are over.
  public mutating func settled(_ entries: Set<ClientID>, now: WallTime) -> [TravelAlert] {
    end(.settled, now) { entries.contains($0.entry.clientID) }
  }

  /// Ends the wait for vehicles that came in longer ago than a vehicle is waited for.
  ///
  /// - Returns: the warnings that are over.
  public mutating func expire(at place: MatchingPlace, now: WallTime) -> [TravelAlert] {
    let waits = place.stretches.map { (name: $0.segment.name, seconds: $0.waits) }
    return end(.expired, now) { alert in
      let most = waits.first { $0.name == alert.segment }?.seconds ?? place.waits
      return now.epochSeconds - alert.entry.recordedAt.epochSeconds > most
    }
  }

  /// Takes back what was told of passages under these identities.
  ///
  /// - Returns: the warnings that no longer count.
  public mutating func withdraw(_ passages: Set<ClientID>) -> [TravelAlert] {
    let gone = alerts.filter { alert in
      passages.contains(alert.entry.clientID)
        || alert.exit.map { passages.contains($0.clientID) } == true
    }
    alerts.removeAll { gone.contains($0) }
    return gone
  }

  private mutating func end(
    _ ending: TravelAlert.Ending, _ now: WallTime, where isMeant: (TravelAlert) -> Bool
  ) -> [TravelAlert] {
    var ended: [TravelAlert] = []
    for index in alerts.indices where alerts[index].isOpen && isMeant(alerts[index]) {
      alerts[index].ending = ending
      alerts[index].endedAt = now
      ended.append(alerts[index])
    }
    return ended
  }
}
