import GSM
import ModemSession
import NodeCore
import NodeService
import Passages
import Time

/// What has to hold of texts: each is looked at when it is handed to its modem.
extension World {
  /// A text is about to be handed to the modem: it must be allowed at this moment.
  mutating func judge(_ text: OutgoingText, by modem: ModemID) {
    let identity = ClientID.content(canonicalBody: text.body)
    handed[modem, default: []].append((text.id, identity, clock.boot()))
    checkBudgets(of: modem)
    checkOneText(text)
    // It says that the post lives, and nothing of a passage.
    if text.body.hasPrefix("H1|") {
      report.heartbeats += 1
      checkAbsence(of: nil)
      return
    }
    let client = identity.description
    note("send \(client)")
    guard let name = name(of: client), let passage = known[name] else {
      violate(.noInvention, "a text for a passage that was never recorded: \(text.body)")
      return
    }
    if text.to != World.oppositeNumber {
      checkNotAgain(client)
      checkSpacing(passage)
    }
    checkAllowed(client, passage)
    checkAbsence(of: name)
  }

  /// I12, of the passage: it waited long enough, and the server does not have it.
  private mutating func checkAllowed(_ client: String, _ passage: Known) {
    if item(client)?.status == .synced {
      violate(.textAllowed, "a text for a passage that the server has")
    }
    let age = clock.boot() - passage.recordedAt
    if age <= .seconds(300) {
      violate(.textAllowed, "a text for a passage that was pending for \(age) only")
    }
  }

  /// I12, of the line: connectivity was absent for five minutes, or the server took nothing for a good
  /// deal longer.
  private mutating func checkAbsence(of name: String?) {
    // What it does not take, each by itself, leaves while it takes others.
    if let missed = name.flatMap({ missedAt[$0] }),
      clock.boot() - missed >= NodeRules().serverDownAfter
    {
      return
    }
    if machine.report(at: nodeBoot).node.connectivity == .online {
      violate(.textAllowed, "a text while the node was online")
    }
    let rules = NodeRules()
    let isDown = takesNothingSince.map { clock.boot() - $0 >= rules.serverDownAfter } ?? false
    if !isDown, settings.serverFaults == 0, settings.resets == 0, settings.struggles == 0,
      let since = connectedSince, clock.boot() - since > Limits.certainlyOnline
    {
      violate(.textAllowed, "a text after \(clock.boot() - since) of connectivity")
    }
    if let lastPush, clock.boot() - lastPush <= .seconds(300) {
      violate(
        .textAllowed, "a text \(clock.boot() - lastPush) after the server took passages")
    }
    if isDown { return }
    guard let lastAnswer, clock.boot() - lastAnswer < rules.offlineFor else { return }
    violate(
      .textAllowed, "a text \(clock.boot() - lastAnswer) after the server's last answer")
  }

  /// I13: what went on air goes there again after ten minutes only.
  private mutating func checkSpacing(_ passage: Known) {
    guard let last = passage.onAirAt, clock.boot() - last < NodeRules().unknownSpacing else {
      return
    }
    violate(.textSpacing, "a text \(clock.boot() - last) after one that went on air")
  }

  /// I13: no more texts of a passage go on air than are allowed.
  mutating func checkSubmissions(_ count: Int) {
    guard count > settings.textsPerPassage else { return }
    violate(.textSpacing, "\(count) texts on air for one passage")
  }

  /// I14: no window, wherever it begins, holds more of a SIM's texts than its budget allows.
  private mutating func checkBudgets(of modem: ModemID) {
    let limits: [(window: BudgetWindow, limit: Int)] = [
      (.minute, settings.budgets.minute), (.hour, settings.budgets.hour),
      (.day, settings.budgets.day),
    ]
    for (window, limit) in limits {
      let texts = handed[modem, default: []].reversed()
        .prefix { clock.boot() - $0.at < window.length }
      var count = texts.count
      // Whatever turned out later not to have left costs nothing.
      if count > limit { count -= texts.filter { turnedOutNotSent($0.id, of: $0.client) }.count }
      if count > limit {
        violate(.budget, "\(count) texts of \(modem) within a \(window)")
      }
    }
  }

  /// I13: the opposite post has rows of its own, of which no more go on air than are allowed.
  mutating func checkOpposite(_ name: String) {
    let count = (toldOpposite[name] ?? 0) + 1
    toldOpposite[name] = count
    checkSubmissions(count)
  }

  private func turnedOutNotSent(_ id: TextID, of client: ClientID) -> Bool {
    guard let item = try? machine.store.item(client),
      let texts = try? machine.store.texts(of: item.queueID)
    else { return false }
    return texts.contains { $0.id == id && $0.outcome == TextState.notSent.rawValue }
  }

  /// I15: what the network accepted is not sent again.
  private mutating func checkNotAgain(_ client: String) {
    guard item(client)?.isTexted == true else { return }
    violate(.textOutcome, "a text for a passage whose text was accepted")
  }

  /// I15: what may have left was counted before it left.
  mutating func checkCounted(_ passage: Known, _ item: QueueItem) {
    if passage.submissions > item.textAttempts {
      violate(
        .textOutcome,
        "\(passage.submissions) texts on air, and \(item.textAttempts) were counted")
    }
    if item.isTexted, passage.submissions == 0 {
      violate(.textOutcome, "a passage counts as texted, and no text went on air")
    }
  }

  /// I16: it is one text of the network's own alphabet.
  private mutating func checkOneText(_ text: OutgoingText) {
    if let septets = GSMText.septets(text.body), septets.count <= 160 { return }
    violate(.oneText, "a text of more than one part, or of another alphabet: \(text.body)")
  }

  /// What the server has is due for no text (I12, before any is sent).
  mutating func checkNotDue(_ client: ClientID) {
    guard let item = item(client.description), item.status == .synced, item.textDue != nil else {
      return
    }
    violate(.textAllowed, "a passage that the server has stays due for a text")
  }
}
