import CentralCore
import CentralService
import ModemModel
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import ServerModel
import Storage
import Time

/// What has to hold, checked by what the world itself knows.
extension World {
  /// A text is about to be handed to the modem: it must be allowed at this moment.
  mutating func judge(_ text: OutgoingText, by modem: ModemID) {
    handed[modem, default: []].append((text.id, clock.boot()))
    checkBudgets(of: modem)
    let client = ClientID.content(canonicalBody: text.body).description
    report.note("send \(client)")
    guard let passage = known[client] else {
      report.violate("a text for a passage that was never recorded: \(text.body)")
      return
    }
    if let identity = ClientID(client), (try? machine.store.item(identity))?.status == .synced {
      report.violate("a text for a passage that the server has")
    }
    let age = clock.boot() - passage.recordedAt
    if age <= .seconds(300) {
      report.violate("a text for a passage that was pending for \(age) only")
    }
    if machine.report(at: nodeBoot).node.connectivity == .online {
      report.violate("a text while the node was online")
    }
    if settings.serverFaults == 0, settings.resets == 0, let since = connectedSince,
      clock.boot() - since > Limits.certainlyOnline
    {
      report.violate("a text after \(clock.boot() - since) of connectivity")
    }
    if let lastPush, clock.boot() - lastPush <= .seconds(300) {
      report.violate("a text \(clock.boot() - lastPush) after the server took passages")
    }
    checkAbsence()
  }

  /// A text needs connectivity that was absent for five minutes, or a server that took nothing for a good
  /// deal longer.
  private mutating func checkAbsence() {
    let rules = NodeRules()
    if let since = takesNothingSince, clock.boot() - since >= rules.serverDownAfter { return }
    guard let lastAnswer, clock.boot() - lastAnswer < rules.offlineFor else { return }
    report.violate("a text \(clock.boot() - lastAnswer) after the server's last answer")
  }

  /// Right after a start nothing is on its way to the server.
  mutating func checkRecovery() {
    let moment = machine.store.clock.time(at: nodeBoot)
    guard let count = try? machine.store.overview(at: moment).inFlight else { return }
    if count > 0 { report.violate("\(count) passages are being sent by a process that died") }
  }

  /// What the server has is due for no text.
  mutating func checkNotDue(_ client: ClientID) {
    guard let item = try? machine.store.item(client), item.status == .synced, item.textDue != nil
    else { return }
    report.violate("a passage that the server has stays due for a text")
  }

  /// No window, wherever it begins, holds more of a SIM's texts than its budget allows.
  private mutating func checkBudgets(of modem: ModemID) {
    let limits: [(window: BudgetWindow, limit: Int)] = [
      (.minute, settings.budgets.minute), (.hour, settings.budgets.hour),
      (.day, settings.budgets.day),
    ]
    for (window, limit) in limits {
      let times = handed[modem, default: []].reversed()
      let count = times.prefix { clock.boot() - $0.at < window.length }.count
      if count > limit { report.violate("\(count) texts of \(modem) within a \(window)") }
    }
  }

  /// Something happened in the mobile network.
  mutating func note(_ event: NetworkEvent) {
    lastOnAir = clock.boot()
    switch event {
    case .submitted(let message):
      report.submitted += 1
      guard message.to == World.numbers[World.office], let text = message.text else { return }
      let client = ClientID.content(canonicalBody: text).description
      known[client]?.submissions += 1
      if let count = known[client]?.submissions, count > settings.textsPerPassage {
        report.violate("\(count) texts on air for one passage")
      }
    case .lost(let message):
      report.lost += 1
      report.fired["text_lost", default: 0] += 1
      guard let text = message.text else { return }
      known[ClientID.content(canonicalBody: text).description]?.lost = true
    default: break
    }
  }

  /// The day is over and has settled.
  mutating func check() throws(StorageError) {
    var rows = Set<String>()
    var query = PassageQuery()
    query.limit = 1_000_000
    for row in try central.store.passages(query) {
      let client = row.passage.clientID.description
      if !rows.insert(client).inserted { report.violate("two rows of \(client)") }
      if known[client] == nil { report.violate("a row that was never recorded: \(client)") }
    }
    report.rows = rows.count
    // What is left waits for another day, where a day's budget is small and its passages are many.
    var isBudgetSpent = false
    if case .budget = machine.report(at: nodeBoot).node.outlook.obstacle { isBudgetSpent = true }
    for client in order {
      guard let passage = known[client], let identity = ClientID(client) else { continue }
      guard let item = try machine.store.item(identity) else {
        report.violate("a recorded passage is gone: \(client)")
        continue
      }
      let isUnknown = !item.isTexted && item.textAttempts > 0
      if isUnknown { report.unknown += 1 }
      if !settings.endsOnline, item.status != .synced, !item.isTexted, !isUnknown,
        !rejected.contains(client), !isBudgetSpent
      {
        report.violate(
          "a passage was never texted: \(item.status), \(item.refusals) refusals, parked"
            + " \(item.parkedReason ?? "no")")
      }
      if passage.submissions > item.textAttempts {
        report.violate("\(passage.submissions) texts on air, and \(item.textAttempts) were counted")
      }
      if item.isTexted, passage.submissions == 0 {
        report.violate("a passage counts as texted, and no text went on air")
      }
      if passage.submissions > 0, !passage.lost, !rows.contains(client) {
        report.violate("a text went on air, was not lost, and is no row")
      }
      if item.status == .inFlight { report.violate("a passage is being sent for ever") }
    }
    for (fault, count) in noteDamages() { report.fired[fault, default: 0] += count }
    for (fault, count) in server.fired { report.fired[fault.rawValue, default: 0] += count }
    for item in try central.store.inbox(state: .undecodable) {
      report.violate("a text of ours is no passage: \(item.reason ?? "")")
    }
  }
}
