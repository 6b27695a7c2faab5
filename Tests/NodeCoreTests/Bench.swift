import GSM
import NodeCore
import Time

/// A core on a bench: a queue in memory, a clock that is moved by hand, and a record of all effects.
struct Bench {
  var core: NodeCore
  var queue: ModelQueue
  var now = BootInstant.seconds(1_000)
  var effects: [NodeEffect] = []
  /// Texts that are with a modem.
  var flying: [TextIntent] = []

  init(_ rules: NodeRules = .testing, seed: UInt64 = 1) {
    core = NodeCore(rules: rules, seed: seed)
    queue = ModelQueue(rules: rules)
  }

  /// A node that has started, with a modem that can send.
  static func ready(_ rules: NodeRules = .testing) -> Bench {
    var bench = Bench(rules)
    bench.tell(.started(StartFacts(nextTextID: 1, charges: [])))
    bench.tell(.modemChanged(ModemID(0), canSend: true, reason: ""))
    return bench
  }

  /// A node that has started, with several modems that can all send.
  static func ready(modems: [NodeModem], _ rules: NodeRules = .testing) -> Bench {
    var rules = rules
    rules.modems = modems
    var bench = Bench.ready(rules)
    for index in 1..<modems.count {
      bench.tell(.modemChanged(ModemID(index), canSend: true, reason: ""))
    }
    return bench
  }

  /// Hands an event in and carries out what follows; returns the new effects.
  @discardableResult
  mutating func tell(_ event: NodeEvent) -> [NodeEffect] {
    var pending = core.handle(event, at: now)
    var index = 0
    while index < pending.count {
      switch pending[index] {
      case .chooseHeartbeat:
        let facts = HeartbeatFacts(
          lastNumber: Int64(queue.items.count), syncedThrough: nil,
          waiting: Int64(queue.items.count { !$0.isTexted }),
          texted: Int64(queue.items.count(where: \.isTexted)))
        pending += core.handle(.heartbeatChosen(facts), at: now)
      case .chooseDue:
        pending += core.handle(.chosen(queue.choose(at: now)), at: now)
      case .chooseUntaken:
        pending += core.handle(.chosen(DueAnswer(text: nil, nextDue: nil)), at: now)
      case .write(let write):
        queue.apply(write, at: now)
        if case .outcome(let id, _, _) = write {
          flying.removeAll { $0.id == id }
        }
      case .send(let intent):
        flying.append(intent)
      case .chooseUploads(let query):
        let answer = UploadAnswer(uploads: [], nextDue: nil, backlog: 0)
        pending += core.handle(.uploadsChosen(query.kind, answer), at: now)
      case .call, .upload, .remember, .findSyncMark, .pulled, .manualQueued, .manualKept,
        .manualFinished, .report:
        break
      }
      index += 1
    }
    effects += pending
    return pending
  }

  /// Moves the clock on, stopping at every deadline on the way; returns the effects of the way.
  @discardableResult
  mutating func pass(_ duration: Duration) -> [NodeEffect] {
    let end = now + duration
    var seen: [NodeEffect] = []
    while let deadline = core.nextDeadline, deadline <= end {
      now = max(now, deadline)
      seen += tell(.timePassed)
    }
    now = end
    return seen + tell(.timePassed)
  }

  /// Ends the text that is with a modem.
  @discardableResult
  mutating func finish(by modem: Int, _ outcome: TextOutcome) -> [NodeEffect] {
    guard let text = flying.first(where: { $0.modem.index == modem }) else { return [] }
    return tell(.textFinished(text.id, outcome))
  }

  /// Ends the oldest text that is with a modem.
  @discardableResult
  mutating func finish(_ outcome: TextOutcome) -> [NodeEffect] {
    tell(.textFinished(flying[0].id, outcome))
  }

  mutating func record(_ count: Int = 1) {
    for _ in 0..<count {
      queue.record(at: now)
    }
    tell(.woke)
  }
}

extension NodeRules {
  /// A recipient, no server: the plainest node that texts.
  static var testing: NodeRules {
    var rules = NodeRules()
    rules.gateways = ["+9779800000000"]
    return rules
  }

  static var withServer: NodeRules {
    var rules = NodeRules.testing
    rules.hasServer = true
    return rules
  }
}

extension [NodeEffect] {
  var sent: [TextIntent] {
    compactMap { effect in
      if case .send(let intent) = effect { intent } else { nil }
    }
  }

  var probes: [UInt64] {
    compactMap { effect in
      if case .call(let id, .probe, _) = effect { id } else { nil }
    }
  }

  var facts: [NodeFact] {
    compactMap { effect in
      if case .report(let fact) = effect { fact } else { nil }
    }
  }
}

extension ServerReply {
  /// The server is there, and did it.
  static let done = ServerReply(.success(.done))

  /// The server is there and cannot.
  static func failing(_ words: String) -> ServerReply {
    ServerReply(.failure(ServerFailure(.trouble(.failing), words: words)))
  }

  /// Nothing answered.
  static func unanswered(_ words: String) -> ServerReply {
    ServerReply(.failure(ServerFailure(.outage(.noAnswer), words: words)))
  }
}

extension TextOutcome {
  static let fine = TextOutcome.accepted(references: [17])

  static func refused(_ kind: ErrorClass) -> TextOutcome {
    .refused(Refusal(code: "CMS 38", words: "network out of order", kind: kind))
  }

  /// A refusal that an empty account may be behind.
  static func broke(_ kind: ErrorClass = .later) -> TextOutcome {
    .refused(
      Refusal(
        code: "CMS 38", words: "network out of order", kind: kind, mayMeanNoCredit: true,
        advice: "top it up"))
  }
}
