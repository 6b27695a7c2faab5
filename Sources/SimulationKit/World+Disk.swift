import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import SeededRandom
import ServerModel
import SimulatedDisk
import Storage
import Time

/// The disk of the simulated post: it fails, and it loses what was not synced when the power fails.
extension World {
  /// What may befall the disk.
  enum DiskFault {
    /// The power fails in the middle of the change after so many more.
    case powerCut(after: Int, SimulatedDisk.Rest, seed: UInt64)
    /// No room but for so many bytes more, for a while.
    case full(room: Int64, Duration)
    /// A call fails, after so many that do not, so many times.
    case failing(SimulatedDisk.Call, after: Int, times: Int)
    /// The file system takes no changes, for a while.
    case readOnly(Duration)
    /// It is as it should be.
    case healed
  }

  /// What the next power cut leaves.
  struct NextCut {
    var rest: SimulatedDisk.Rest = .nothing
    var seed: UInt64 = 0
  }

  /// The node's own boot clock: it begins anew when the power was away.
  var nodeBoot: BootInstant { .zero + (clock.boot() - bootedAt) }

  static func diskFault(_ draws: inout SplitMix64) -> DiskFault {
    switch draws.draw(0...3) {
    case 0: .full(room: Int64(draws.draw(0...200_000)), draws.draw(.seconds(10), .seconds(240)))
    case 1: .failing(.write, after: draws.draw(0...40), times: draws.draw(1...3))
    case 2: .failing(.sync, after: draws.draw(0...8), times: draws.draw(1...2))
    default: .readOnly(draws.draw(.seconds(1), .seconds(60)))
    }
  }

  static func powerCut(_ draws: inout SplitMix64) -> DiskFault {
    let rests = SimulatedDisk.Rest.allCases
    return .powerCut(
      after: draws.draw(0...60), rests[draws.draw(0...(rests.count - 1))], seed: draws.next())
  }

  mutating func happen(_ fault: DiskFault) {
    switch fault {
    case .powerCut(let changes, let rest, let seed):
      nextCut = NextCut(rest: rest, seed: seed)
      disk.cutPower(after: changes)
    case .full(let room, let duration):
      disk.capacity = disk.used + room
      add(.disk(.healed), at: clock.boot() + duration)
    case .failing(let call, let after, let times): disk.fail(call, after: after, times: times)
    case .readOnly(let duration):
      disk.isReadOnly = true
      add(.disk(.healed), at: clock.boot() + duration)
    case .healed: disk.heal()
    }
  }

  // MARK: The node's process

  /// The node's process has ended, by a crash, by its disk or with the power; all that it had in memory is
  /// gone.
  mutating func endNode() {
    life += 1
    pushesOut = 0
    isDown = true
    for modem in sessions.indices where modem != World.office {
      sessions[modem] = World.session(modem)
    }
    // Nobody knows which of what it was told last it has kept.
    lastRefresh = nil
    // A pause after trouble is not kept over an end.
    troubleAt = nil
    // Nor the server's last answer, on a disk that fails.
    if disk.isOff || settings.diskFaults > 0 { lastAnswer = nil }
    guard disk.isOff else {
      disk.crash()
      return
    }
    disk.powerCut(nextCut.rest, seed: nextCut.seed)
    let away = random.draw(.seconds(1), .seconds(600))
    bootedAt = clock.boot() + away
    boots += 1
  }

  /// The store failed the node: whether that is what the disk makes of it, and no fault of the node's.
  mutating func isOfTheDisk(_ error: StorageError) -> Bool {
    let damages = disk.damages
    defer { damagesSeen = damages }
    // One that has no room to be opened is opened later, as the service waits for room.
    return disk.isOff || (error.kind == .failed || error.isTransient) && damages != damagesSeen
  }

  /// The node's process starts, as a service manager starts it again and again.
  mutating func startNode() throws(StorageError) {
    guard isDown else { return }
    do {
      let store = try SQLiteNodeStore(
        path: path, bootID: "boot \(boots)", checks: true, reserveBytes: 0)
      machine = NodeMachine(
        store: store, settings: World.nodeSettings(settings),
        seed: settings.seed &+ UInt64(life), isClockKept: { [clock] in clock.isKept })
      isDown = false
      try adopt()
    } catch {
      isDown = true
      guard isOfTheDisk(error) else { throw error }
      if disk.isOff { endNode() }
      restartLater()
      return
    }
    try node { machine, now, wall throws(StorageError) in try machine.start(at: now, wall: wall) }
    guard !isDown else { return }
    checkRecovery()
    for modem in sessions.indices where modem != World.office { try tell(modem, .start) }
    try inform([.linkChanged(isLinkUp ? .up : .down)])
  }

  mutating func restartLater() {
    add(.restart, at: max(clock.boot(), bootedAt) + .seconds(5))
  }

  /// What a store that was just opened has decided: passages whose ranger was not told any more may be there
  /// or not, and so may the server's last words.
  private mutating func adopt() throws(StorageError) {
    for (client, passage) in offered.sorted(by: { $0.key < $1.key }) where known[client] == nil {
      guard let item = try stored(client) else {
        continue
      }
      keep(client, number: item.queueID, passage)
    }
    var query = QueueQuery()
    query.afterID = numbers.keys.max() ?? 0
    for item in try machine.store.list(query) where numbers[item.queueID] == nil {
      guard let passage = offeredPlates[item.passage.plate.compact] else { continue }
      keep(item.passage.clientID.description, number: item.queueID, passage)
    }
    offered = [:]
    offeredPlates = [:]
    var kept: Set<String> = []
    for client in rejected {
      guard let item = try stored(client) else {
        continue
      }
      if item.status == .failed { kept.insert(client) }
    }
    rejected = kept
    // What was acknowledged is there, whatever became of the machine.
    for client in order {
      guard try stored(client) == nil,
        settings.keep == nil || !isOnServer(client)
      else { continue }
      violate(.durable, "a recorded passage was lost by the node's end: \(client)")
    }
  }

  /// How often each fault of the disk befell it, for the report.
  func noteDamages() -> [String: Int] {
    let damages = disk.damages
    return [
      "powerCut": damages.powerCuts, "changeLost": damages.changesLost,
      "diskFull": damages.writesWithoutSpace, "writeFailed": damages.failedWrites,
      "syncFailed": damages.failedSyncs, "readOnly": damages.writesRefused,
    ].filter { $0.value > 0 }
  }
}
