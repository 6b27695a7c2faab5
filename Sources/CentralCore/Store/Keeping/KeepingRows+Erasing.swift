import Passages
public import Storage
public import Time

/// Messages that name a vehicle, as far as was looked. A long inbox is looked through before the transaction
/// that erases begins, and its end inside of it.
public struct MessageScan: Hashable, Sendable {
  /// The numbers of those that name it.
  public private(set) var found: [Int64] = []
  /// The identities that some of them came to.
  private var identities: [Int64: ClientID] = [:]
  /// Up to which number was looked.
  public private(set) var through: Int64 = 0

  /// Nothing was looked at yet.
  public init() {}

  /// Looks at the next messages, in their order.
  public mutating func look(at messages: [ArchivedMessage], for naming: VehicleNaming) {
    for item in messages.map(\.item) where naming.isNamed(in: item) {
      found.append(item.id)
      identities[item.id] = item.clientID.flatMap { ClientID($0) }
    }
    through = messages.last?.item.id ?? through
  }

  /// Notes that there is nothing more that could name it up to a number.
  public mutating func end(at number: Int64) { through = max(through, number) }

  /// Those of them that did not come to one of these identities.
  func found(without kept: Set<ClientID>) -> [Int64] {
    found.filter { id in identities[id].map { !kept.contains($0) } ?? true }
  }
}

extension KeepingRows {
  /// What to look for in messages.
  public func naming(of plate: String) throws(StorageError) -> VehicleNaming {
    let records = try records(naming: plate)
    return VehicleNaming(
      plate: plate, identities: Set(records.flatMap(\.record.identities)))
  }

  /// Erases a vehicle.
  ///
  /// - Parameter scan: The messages that name it; all of them.
  public func erase(
    _ order: ErasureOrder, messages scan: MessageScan, rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> Erased {
    let records = try records(naming: order.plate)
    let since = try keeping().since ?? .min
    var open: Set<Int64> = []
    var closed: Set<Int64> = []
    let held =
      order.takesOpenViolations
      ? []
      : try held(of: records) { violation in
        guard violation.isHeld(since: since) else { return false }
        if violation.closedAt == nil {
          open.insert(violation.entry)
        } else {
          closed.insert(violation.entry)
        }
        return true
      }
    let going = records.filter { !held.contains($0.record.number) }
    try setAside(held.sorted())
    var dropped = try drop(going.map(\.record.number))
    dropped.corrections += try dropEarly(naming: order.plate)
    // A repetition of what stays belongs to it.
    let kept = Set(
      records.filter { held.contains($0.record.number) }.flatMap(\.record.identities))
    dropped.messages = try drop(
      messages: Set(scan.found(without: kept)).union(going.compactMap(\.inboxID)).sorted())
    // What was read as this vehicle and is another one leaves that one to be judged again.
    let changes = try judgeAgain(
      going.map(\.record.place).filter { $0.plate != order.plate }, rules: rules, at: wall)
    let erased = Erased(
      dropped, held: open.count, closed: closed.count, changes: changes,
      lastAt: going.flatMap { $0.record.observations.map(\.receivedAt) }.max())
    try note(erased.dropped, by: order.actor, at: wall)
    return erased
  }
}
