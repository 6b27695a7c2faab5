import CentralCore
import CentralService
import ModemModel
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import ServerModel
import SimulatedDisk
import Storage
import Time

/// What has to hold of the node as a whole, and what has to have come of the day.
extension World {
  /// Something happened in the mobile network.
  mutating func note(_ event: NetworkEvent) {
    lastOnAir = clock.boot()
    switch event {
    case .submitted(let message):
      report.submitted += 1
      guard let name = name(of: message) else { return }
      guard message.to == World.numbers[World.office] else {
        report.opposite += 1
        checkOpposite(name)
        return
      }
      let now = clock.boot()
      known[name]?.submissions += 1
      known[name]?.onAirAt = now
      checkSubmissions(known[name]?.submissions ?? 0)
    case .lost(let message):
      report.lost += 1
      report.fired["text_lost", default: 0] += 1
      if let name = name(of: message) { known[name]?.lost = true }
    case .duplicated: report.fired["text_doubled", default: 0] += 1
    default: break
    }
  }

  private mutating func name(of message: NetworkMessage) -> String? {
    guard let text = message.text else { return nil }
    return name(of: World.client(of: text))
  }

  /// After each round of the node.
  mutating func checkRound() {
    checkNoSpin()
    checkMemory()
    checkDisk()
  }

  /// I21: no minute has thousands of rounds.
  private mutating func checkNoSpin() {
    if clock.boot() - roundsSince >= .seconds(60) {
      rounds = 0
      roundsSince = clock.boot()
    }
    rounds += 1
    // Told at once: where time stands still, no minute ever ends.
    if rounds == Limits.roundsInAMinute + 1 {
      spins = true
      violate(.noSpin, "more than \(Limits.roundsInAMinute) rounds of the node within a minute")
    }
  }

  /// I22: what waits in memory for the store is bounded.
  private mutating func checkMemory() {
    let count = machine.report(at: nodeBoot).unstored
    if count > Limits.unstored {
      violate(.memory, "\(count) things wait for the store in memory")
    }
  }

  /// I23: the database and its log stay small.
  private mutating func checkDisk() {
    if disk.used > Limits.diskUsed {
      violate(.disk, "the database and its log have \(disk.used) bytes")
    }
  }

  /// I7: right after a start nothing is on its way to the server.
  mutating func checkRecovery() {
    let moment = machine.store.clock.time(at: nodeBoot)
    // With a full disk the start is still to come.
    guard machine.report(at: nodeBoot).storageFailure == nil,
      let count = try? machine.store.overview(at: moment).inFlight, count > 0
    else { return }
    violate(.oneInFlight, "\(count) passages are being sent by a process that died")
  }

  /// I19: some minutes after everything works again, so do the modems.
  mutating func checkModems() {
    guard !isDown else { return }
    for (place, modem) in machine.report(at: nodeBoot).node.modems.enumerated()
    where !modem.canSend {
      violate(.modemsReturn, "modem \(place + 1) is not ready again")
    }
  }

  // MARK: The end of the day

  /// The day is over and has settled.
  mutating func check() throws(StorageError) {
    let rows = try checkCentre()
    // What is left waits for another day, where a day's budget is small and its passages are many.
    var isBudgetSpent = false
    if case .budget = machine.report(at: nodeBoot).node.outlook.obstacle { isBudgetSpent = true }
    for client in order {
      guard let passage = known[client] else { continue }
      guard let item = try stored(client) else {
        // Whether the server has it is looked at there.
        continue
      }
      let isUnknown = !item.isTexted && item.textAttempts > 0
      if isUnknown { report.unknown += 1 }
      let isMisdated = passage.isMisdated || isServerBelieved
      if !isUnknown, !isBudgetSpent, !isMisdated { checkTexted(client, item) }
      checkCounted(passage, item)
      if passage.submissions > 0, !passage.lost, !isMisdated, !rows.contains(client),
        mobile.inTransit == 0
      {
        violate(.once, "a text went on air, was not lost, and is no row")
      }
      if item.status == .inFlight {
        violate(.oneInFlight, "a passage is being sent for ever")
      }
    }
    for (fault, count) in noteDamages() { report.fired[fault, default: 0] += count }
    for (fault, count) in server.fired { report.fired[fault.rawValue, default: 0] += count }
  }

  /// Whether a server whose clock was wrong may have dated what a clock did that nobody keeps.
  private var isServerBelieved: Bool { settings.readsClock && server.fired[.clockAhead] != nil }

  /// I3 and I5, at the centre: each passage is one row, and each row a passage.
  private mutating func checkCentre() throws(StorageError) -> Set<String> {
    var rows = Set<String>()
    var query = PassageQuery()
    query.limit = 1_000_000
    for row in try central.store.passages(query) {
      let client = row.passage.clientID.description
      guard let name = name(of: client) else {
        violate(.noInvention, "a row that was never recorded: \(client)")
        continue
      }
      if !rows.insert(name).inserted { violate(.once, "two rows of \(client)") }
    }
    // What was written down twice within a minute is one row, to which both identities lead.
    let others = Array(known.keys) + Array(aliases.keys)
    for client in try central.store.passages(
      identifiedBy: others.filter { !rows.contains($0) }.compactMap { ClientID($0) }
    ).keys {
      if let name = name(of: client.description) { rows.insert(name) }
    }
    report.rows = rows.count
    let hasMisdated =
      isServerBelieved || known.values.contains { $0.isMisdated && $0.submissions > 0 }
    for item in try central.store.inbox(state: .undecodable) {
      // What a clock that was wrong made of a time waits at the centre for a person.
      if hasMisdated, item.reason == "timestamp" { continue }
      violate(.noInvention, "a text of ours is no passage: \(item.reason ?? "")")
    }
    return rows
  }

  /// I20: without a line, what waits has left as a text.
  private mutating func checkTexted(_ client: String, _ item: QueueItem) {
    guard !settings.endsOnline, item.status != .synced, !item.isTexted,
      !rejected.contains(client)
    else { return }
    violate(
      .allTexted,
      "a passage was never texted: \(item.status), \(item.refusals) refusals, parked"
        + " \(item.parkedReason ?? "no")")
  }
}
