import GSM
import NodeCore
import SeededRandom
import Time

/// A node under a random workload with random faults, and the checkers that watch it.
struct RandomDay {
  var bench: Bench
  var random: SplitMix64
  private(set) var violations: [String] = []
  private(set) var texts = 0
  /// The probe that is out, and since when.
  private var probe: (id: UInt64, since: BootInstant)?
  private var linkIsUp = false
  private var lastAnswer: BootInstant?
  /// The last answer of the server, whatever became of the line since.
  private var lastGood: BootInstant?
  private var sendTimes: [ModemID: [(id: TextID, at: BootInstant)]] = [:]
  private var serverIsThere: Bool

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    var rules = NodeRules.testing
    rules.hasServer = !random.happens(onceIn: 4)
    rules.textsPerPassage = Int.random(in: 1...3, using: &random)
    rules.textsPerMinute = Int.random(in: 1...15, using: &random)
    rules.modems = (0..<Int.random(in: 1...3, using: &random)).map { NodeModem(name: "m\($0)") }
    rules.gateways = Array(
      ["+9779800000001", "+9779800000002", "+9779800000003"]
        .prefix(Int.random(in: 1...3, using: &random)))
    rules.textsPerHour = Int.random(in: 10...120, using: &random)
    serverIsThere = random.happens(onceIn: 2)
    bench = Bench(rules, seed: seed)
    watch(bench.tell(.started(StartFacts(nextTextID: 1, charges: []))))
  }

  mutating func step() {
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1:
      bench.queue.record(at: bench.now, priority: Int.random(in: 0...2, using: &random))
      watch(bench.tell(.woke))
    case 2:
      let modem = ModemID(Int.random(in: 0..<bench.core.rules.modems.count, using: &random))
      watch(bench.tell(.modemChanged(modem, canSend: !random.happens(onceIn: 4), reason: "")))
    case 3 where random.happens(onceIn: 3):
      linkIsUp = !random.happens(onceIn: 3)
      lastAnswer = nil
      probe = nil
      watch(bench.tell(.linkChanged(linkIsUp ? .up : .down)))
    case 4 where random.happens(onceIn: 6):
      serverIsThere.toggle()
    case 5, 6:
      answerProbe()
    case 7, 8:
      finishText()
    case 9 where random.happens(onceIn: 4):
      failOne()
    default:
      pass(.seconds(Int64.random(in: 1...200, using: &random)))
    }
  }

  /// All faults end: no server, a modem that sends, and time.
  mutating func heal() {
    linkIsUp = false
    lastAnswer = nil
    watch(bench.tell(.linkChanged(.down)))
    for index in 0..<bench.core.rules.modems.count {
      watch(bench.tell(.modemChanged(ModemID(index), canSend: true, reason: "")))
    }
    for _ in 0..<2_000 {
      while !bench.flying.isEmpty {
        watch(bench.finish(.fine))
      }
      pass(.seconds(30))
    }
  }

  private mutating func pass(_ duration: Duration) {
    let end = bench.now + duration
    while let deadline = bench.core.nextDeadline, deadline <= end {
      if deadline < bench.now {
        violations.append("a deadline in the past")
        return
      }
      bench.now = max(bench.now, deadline)
      watch(bench.tell(.timePassed))
      if let next = bench.core.nextDeadline, next <= bench.now {
        violations.append("a deadline that stays: the node would spin")
        return
      }
    }
    bench.now = end
    watch(bench.tell(.timePassed))
  }

  private mutating func answerProbe() {
    guard let (id, since) = probe else { return }
    probe = nil
    let isInTime = bench.now - since < .seconds(20)
    if serverIsThere {
      lastAnswer = isInTime ? bench.now : nil
      if isInTime { lastGood = bench.now }
      watch(bench.tell(.answered(id, .done)))
    } else {
      lastAnswer = nil
      watch(bench.tell(.answered(id, .unanswered("no route"))))
    }
  }

  private mutating func finishText() {
    guard !bench.flying.isEmpty else { return }
    let kinds: [ErrorClass] = [.soon, .later, .alert, .permanent, .destination, .storage, .done]
    let outcome: TextOutcome =
      switch Int.random(in: 0..<10, using: &random) {
      case 0: .unknown(reason: "no answer")
      case 1: .notSent(reason: "port lost")
      case 2, 3: .refused(kinds[Int.random(in: 0..<kinds.count, using: &random)])
      default: .fine
      }
    watch(bench.finish(outcome))
  }

  private mutating func failOne() {
    guard let item = bench.queue.items.first(where: { $0.status == .pending }) else { return }
    if random.happens(onceIn: 2) {
      bench.queue.fail(item.queueID, at: bench.now)
    } else if item.openText == nil {
      bench.queue.sync(item.queueID)
    }
    watch(bench.tell(.woke))
  }

  private mutating func watch(_ effects: [NodeEffect]) {
    for id in effects.probes {
      if let (_, since) = probe, bench.now - since >= .seconds(20) {
        lastAnswer = nil
      }
      probe = (id, bench.now)
    }
    var written: Set<TextID> = []
    for effect in effects {
      switch effect {
      case .write(.intent(let intent)):
        written.insert(intent.id)
      case .send(let intent):
        if !written.contains(intent.id) {
          violations.append("text \(intent.id) was sent before its intent was written")
        }
        check(intent)
      default:
        break
      }
    }
    let perModem = Dictionary(grouping: bench.flying, by: \.modem)
    if perModem.values.contains(where: { $0.count > 1 }) {
      violations.append("two texts with one modem")
    }
  }

  private mutating func check(_ intent: TextIntent) {
    guard let queueID = intent.queueID else { return }
    texts += 1
    let now = bench.now
    let item = bench.queue.items[Int(queueID) - 1]
    let probeFailed = probe.map { now - $0.since >= .seconds(20) } ?? false
    if bench.core.rules.hasServer, linkIsUp, !probeFailed, let lastAnswer,
      now - lastAnswer <= .seconds(60)
    {
      violations.append("a text while online")
    }
    if bench.core.rules.hasServer, let lastGood, now - lastGood <= .seconds(300) {
      violations.append("a text while connectivity was absent for less than five minutes")
    }
    if now - item.since <= .seconds(300) {
      violations.append("a text for a passage younger than five minutes")
    }
    if item.isTexted { violations.append("a text for a texted passage") }
    if item.status == .synced { violations.append("a text for a synced passage") }
    if item.textAttempts >= 3 { violations.append("a fourth text") }
    let older = bench.queue.items.contains { other in
      (other.priority > item.priority
        || other.priority == item.priority && other.queueID < item.queueID)
        && other.isTextable && other.due.map { $0 <= now } ?? false && other.openText == nil
    }
    if older { violations.append("an older or more urgent passage was passed over") }
    if now - item.since >= bench.core.rules.worthFor { violations.append("a text too late") }
    if !bench.core.rules.gateways.contains(intent.to) { violations.append("a strange number") }
    sendTimes[intent.modem, default: []].append((intent.id, now))
    checkBudgets(of: intent.modem)
  }

  /// No window of any length holds more of a modem's texts than its budget allows; those that are
  /// known not to have left cost nothing.
  private mutating func checkBudgets(of modem: ModemID) {
    let times = sendTimes[modem, default: []].filter { text in
      if case .notSent = bench.queue.outcomes[text.id] { false } else { true }
    }.map(\.at)
    for window in BudgetWindow.allCases {
      let count = times.reversed().prefix { bench.now - $0 < window.length }.count
      if count > bench.core.rules.limit(of: window) {
        violations.append("\(count) texts of \(modem) within a \(window)")
      }
    }
  }
}
