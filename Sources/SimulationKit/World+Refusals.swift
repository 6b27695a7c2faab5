import JSON
import NodeCore
import NodeService
import Passages
import ServerModel
import SimulatedDisk
import Storage
import Time

/// What a server does not take though it answers: one passage for ever, all of them for a while, or those that
/// go under names that are old.
extension World {
  /// The passage of that number never gets through, also when all else works again.
  mutating func poison(_ number: Int, _ fault: ModelFault) {
    guard let plate = World.plate(number)?.compact else { return }
    poisons.append((plate, fault))
    let waiting = server.faults
    server.heal()
    injectPoisons()
    for fault in waiting where fault.body == nil { server.inject(fault) }
  }

  private mutating func injectPoisons() {
    for poison in poisons {
      server.inject(
        InjectedFault(
          poison.fault, times: nil, areas: [.tables], methods: ["POST"],
          body: "\"\(poison.plate)\""))
    }
  }

  /// Ends all faults of the server but those that never end.
  mutating func healServer() {
    server.heal()
    injectPoisons()
  }

  /// Whether a passage is one that never gets through, by what it says now.
  func isPoisoned(_ client: String) -> Bool {
    guard !poisons.isEmpty, let item = item(client) else { return false }
    return poisons.contains { $0.plate == item.passage.plate.compact }
  }

  /// The road is measured again: both posts end another segment from now on.
  mutating func moveSegment() {
    let segments = server.count(of: "highway_segments")
    let id = "0b000000-0000-4000-8000-0000000000\(10 + segments)"
    let isMade = server.put(
      [
        "id": .text(id), "park_id": .text(ServerModel.Pilot.park), "name": "Measured anew",
        "distance_km": 45, "max_speed_kmh": 40, "min_speed_kmh": 10,
      ], into: "highway_segments")
    guard isMade else { return }
    for post in [ServerModel.Pilot.east, ServerModel.Pilot.west] {
      server.change(post, of: "checkposts", to: ["segment_id": .text(id)])
    }
  }

  /// The user of the node becomes the other post's, or this one's again.
  mutating func assign(isHere: Bool) {
    server.change(
      ServerModel.Pilot.eastRanger, of: "user_profiles",
      to: [
        "assigned_checkpost_id": .text(isHere ? ServerModel.Pilot.east : ServerModel.Pilot.west)
      ])
  }

  // MARK: What has to hold

  /// I11: nothing is given up for good under names that may be old by then.
  mutating func checkFinals() {
    for client in refused.keys.sorted() { checkFinal(client) }
  }

  private mutating func checkFinal(_ client: String) {
    guard !disk.isOff, !isDown, let name = name(of: client), let at = refused[name],
      let item = item(client), item.status == .failed, item.attempts < SyncRules().attempts
    else { return }
    if let placeToldAt, placeToldAt >= at { return }
    violate(.noBlock, "a passage was given up for good under names that may be old: \(client)")
  }

  /// I11: what the server never takes keeps none of the others from it.
  mutating func checkOthers() throws(StorageError) {
    guard settings.endsOnline, settings.serverFaults == 0, settings.struggles == 0,
      settings.refusals == 0, settings.moves == 0, settings.diskFaults == 0,
      settings.powerCuts == 0, !isDown
    else { return }
    for client in order {
      guard let item = try stored(client), item.status != .synced, !rejected.contains(client),
        !isPoisoned(client), !item.passage.isUndated,
        clock.boot() - (known[client]?.recordedAt ?? .zero) >= Limits.othersArrive
      else { continue }
      violate(
        .noBlock,
        "a passage waits behind what the server never takes: \(item.status), attempts"
          + " \(item.attempts), \(item.lastError ?? "no error")")
    }
  }

  /// Whether a passage that the server never takes has left as a text, or cannot.
  func isTextedIfPoisoned(_ client: String) -> Bool {
    guard isPoisoned(client), let item = item(client), item.status != .synced else { return true }
    return item.isTexted || item.textAttempts > 0 || item.isOutdated || item.parkedReason != nil
      || known[client]?.isMisdated == true || rejected.contains(client) || hasNoBudget
  }

  private var hasNoBudget: Bool {
    machine.report(at: nodeBoot).node.modems.allSatisfy {
      $0.budgetOpens != nil || $0.isCreditSuspected
    }
  }

  /// I20: what the server never takes has left as a text, though it takes others.
  mutating func checkPoisoned(_ client: String) {
    guard !isTextedIfPoisoned(client), missedAt[client] != nil, settings.credit == nil else {
      return
    }
    violate(.allTexted, "what the server never takes was never texted: \(client)")
  }
}
