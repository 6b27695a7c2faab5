import Events
import GSM
import ModemModel
import ModemSession
import SeededRandom
import Time

/// One fault at one moment of one modem's life, with ten texts to send and three to receive.
struct FaultTrial {
  /// What came of it.
  struct Report: Sendable {
    /// Time from the end of the fault to the next text that the network took; nil when none was.
    var recovery: Duration?
    var violations: [String] = []
    var commands: [String] = []
  }

  /// How long anything may take at most once a fault is over.
  static let patience = Duration.seconds(1_800)
  /// By then the storage has been swept twice.
  static let sweeps = Duration.seconds(700)

  private let row: FaultRow
  private let moment: FaultMoment
  private var bench: Bench
  private var random: SplitMix64
  private var report = Report()

  // Texts, by the place in the ten: each body has one fate.
  private var waiting: [(body: Int, notBefore: BootInstant)] = []
  private var out: [Int64: Int] = [:]
  private var fates: [Int: SendOutcome] = [:]
  private var refusals = 0
  private var lastID: Int64 = 0
  private var acceptedAt: [BootInstant] = []

  // Messages.
  private var confirmations: [(token: UInt64, at: BootInstant, place: String?)] = []
  private var confirmed: [String] = []
  private var told: Set<String> = []
  private var sent: [String] = []

  private var seen = (events: 0, commands: 0)
  private var steps: [(name: String, at: BootInstant)] = []

  init(
    _ profile: ModemProfile, _ row: FaultRow, _ moment: FaultMoment, _ surroundings: Surroundings,
    seed: UInt64
  ) {
    self.row = row
    self.moment = moment
    random = SplitMix64(seed: seed)
    bench = Bench {
      $0.resets = [.resetUSB, .powerCycle]
      if row.wantsPIN { $0.pin = "1234" }
    } modem: {
      $0.profile = profile
      $0.commandDelay = .milliseconds(10)
      $0.promptDelay = .milliseconds(200)
      $0.sendDelay = .seconds(2)
      $0.registrationDelay = .seconds(3)
      $0.storageSize = 10
      $0.tellsRegistration = surroundings.tellsRegistration
      if row.wantsPIN { $0.pin = "1234" }
    }
    bench.world.behaviour.reports = surroundings.reports
    bench.vanishesOnRestart = random.next() % 2 == 0
  }

  static func run(
    _ profile: ModemProfile, _ row: FaultRow, _ moment: FaultMoment,
    _ surroundings: Surroundings = Surroundings(), seed: UInt64
  ) throws -> Report {
    var trial = FaultTrial(profile, row, moment, surroundings, seed: seed)
    return try trial.run()
  }

  // MARK: The course

  private mutating func run() throws -> Report {
    for body in 1...3 { want(body) }
    let began = try reachMoment()
    for body in 4...7 { want(body) }
    // Some are handed over whatever the session says, as they cross with its news on their way.
    for _ in 0..<2 { handOver(force: true) }
    if moment != .whileAMessageComes { try receive("during") }
    let end: BootInstant
    switch row.end {
    case .after(let time):
      end = began + time
      pass(until: end)
      if !bench.isPlugged { bench.plug() }
    case .never:
      pass(until: began + FaultRow.hold)
      checkFault(since: began)
      checkSteps()
      if !out.isEmpty { report.violations.append("not answered: texts \(out.keys.sorted())") }
      return report
    case .healed:
      end = began + FaultRow.hold
      pass(until: end)
      checkFault(since: began)
      if !bench.isPlugged { bench.plug() }
      bench.inject(.healed)
    }
    try recover(from: end)
    checkTexts()
    checkMessages()
    checkSteps()
    report.commands = bench.commands
    return report
  }

  /// Lives until the fault is due, and lets it begin.
  private mutating func reachMoment() throws -> BootInstant {
    if moment == .beforeTheStart {
      bench.inject(row.fault)
      bench.tell(.start)
      pass(.seconds(1))
      return .zero
    }
    bench.tell(.start)
    switch moment {
    case .beforeTheStart: break
    case .inTheSetup: pass(.milliseconds(Int64.random(in: 1...330, using: &random)))
    case .whileIdle, .whileAMessageComes, .beforeThePrompt, .beforeTheAnswer:
      pass(until: bench.now + .seconds(90)) {
        $0.fates.count == 3 && $0.bench.session.status.canSend
      }
      pass(.seconds(Int64.random(in: 1...20, using: &random)))
      try receive("before")
      pass(.seconds(5))
    }
    switch moment {
    case .beforeThePrompt:
      want(3 + 8)
      handOver(force: true)
      pass(.milliseconds(100))
    case .beforeTheAnswer:
      want(3 + 8)
      handOver(force: true)
      pass(.milliseconds(1_000))
    case .whileAMessageComes:
      try receive("during")
      pass(.milliseconds(Int64.random(in: 0...40, using: &random)))
    case .beforeTheStart, .inTheSetup, .whileIdle: break
    }
    bench.inject(row.fault)
    return bench.now
  }

  private mutating func recover(from end: BootInstant) throws {
    for body in 8...10 { want(body) }
    let probe = 12
    pass(until: end + FaultTrial.patience) { trial in
      trial.acceptedAt.contains { $0 >= end } && trial.bench.session.status.state == .ready
    }
    if let first = acceptedAt.first(where: { $0 >= end }) {
      report.recovery = end.duration(to: first)
    } else {
      report.violations.append("no text went after it: \(bench.session.status)")
    }
    if sent.isEmpty { try receive("before") }
    try receive("after")
    want(probe)
    pass(until: bench.now + FaultTrial.patience) { $0.fates.count == $0.wanted }
    pass(until: bench.now + FaultTrial.sweeps) { trial in
      trial.told.isSuperset(of: trial.sent) && trial.confirmations.isEmpty
    }
    pass(.seconds(5))
    if bench.session.status.state != .ready {
      report.violations.append("it is not ready in the end: \(bench.session.status)")
    }
  }

  // MARK: Texts

  private var wanted = 0

  private mutating func want(_ body: Int) {
    wanted += 1
    waiting.append((body, bench.now))
  }

  /// Hands one text over when it can be sent, as far as is known.
  private mutating func handOver(force: Bool = false) {
    guard force || bench.session.status.canSend,
      let place = waiting.firstIndex(where: { force || $0.notBefore <= bench.now })
    else { return }
    let body = waiting.remove(at: place).body
    lastID += 1
    out[lastID] = body
    var number = "+9779801000002"
    if case .refuseNumber = row.fault, body == 5 { number = FaultRow.refusedNumber }
    if case .numberBusy = row.fault, body == 5 { number = FaultRow.refusedNumber }
    // One of them is too long for one message.
    let filling = body == 6 ? String(repeating: "x", count: 200) : ""
    bench.send(lastID, "text \(body) \(filling) end-\(body).", to: number)
  }

  private mutating func took(_ id: Int64, _ outcome: SendOutcome, at time: BootInstant) {
    guard let body = out.removeValue(forKey: id) else {
      report.violations.append("text \(id) was answered twice: \(outcome)")
      return
    }
    switch outcome {
    case .accepted:
      acceptedAt.append(time)
      fates[body] = outcome
    case .unknown: fates[body] = outcome
    case .refused:
      refusals += 1
      waiting.append((body, time + .seconds(5)))
    case .notSent: waiting.append((body, time + .seconds(2)))
    }
  }

  private func copies(of body: Int) -> Int {
    bench.network.count { event in
      if case .submitted(let message) = event {
        message.text?.hasSuffix(" end-\(body).") == true
      } else {
        false
      }
    }
  }

  private mutating func checkTexts() {
    if !out.isEmpty { report.violations.append("not answered: texts \(out.keys.sorted())") }
    for (body, _) in waiting where fates[body] == nil {
      report.violations.append("text \(body) has not gone: \(bench.session.status.state)")
    }
    for (body, fate) in fates {
      let copies = copies(of: body)
      if case .accepted = fate, copies == 0 {
        report.violations.append("text \(body) was accepted and never on air")
      }
      if copies > (row.lies ? 1 + refusals : 1) {
        report.violations.append("text \(body) was on air \(copies) times: \(fate)")
      }
    }
  }

  // MARK: Messages

  private mutating func receive(_ text: String) throws {
    sent.append(text)
    try bench.receive(from: "+9779801000009", text)
  }

  private mutating func heard(_ inbound: InboundPDU) {
    if let pdu = try? PDU.decode(hex: inbound.hex, direction: .mobileTerminated),
      case .deliver(let message) = pdu.tpdu, let text = message.userData.text
    {
      told.insert(text)
    }
    confirmations.append(
      (
        inbound.token, bench.now + .seconds(2),
        inbound.storage.flatMap { storage in inbound.index.map { "\(storage) \($0)" } }
      ))
  }

  private mutating func checkMessages() {
    for text in sent where !told.contains(text) {
      report.violations.append("the message \"\(text)\" was never told")
    }
  }

  // MARK: Time

  private mutating func pass(_ time: Duration) { pass(until: bench.now + time) }

  private mutating func pass(
    until limit: BootInstant, _ isEnough: (FaultTrial) -> Bool = { _ in false }
  ) {
    while true {
      react()
      if isEnough(self) { return }
      handOver()
      react()
      let own = (confirmations.map(\.at) + waiting.map(\.notBefore)).filter { $0 > bench.now }
      let next = [bench.deadline, own.min(), limit].compactMap { $0 }.min() ?? limit
      if next > limit || bench.now >= limit { break }
      bench.pass(until: max(next, bench.now))
    }
  }

  private mutating func react() {
    for place in seen.events..<bench.events.count {
      switch bench.events[place] {
      case .sendOutcome(let id, let outcome): took(id, outcome, at: bench.eventTimes[place])
      case .received(let inbound): heard(inbound)
      case .log(let entry) where entry.name == "modem_recovering":
        for field in entry.fields where field.key == "step" {
          if case .text(let name) = field.value { steps.append((name, bench.eventTimes[place])) }
        }
      default: break
      }
    }
    seen.events = bench.events.count
    watchDeletions()
    let due = confirmations.filter { $0.at <= bench.now }
    confirmations.removeAll { $0.at <= bench.now }
    for confirmation in due {
      if let place = confirmation.place { confirmed.append(place) }
      bench.tell(.request(.confirmStored(token: confirmation.token)))
    }
    watchDeletions()
  }

  /// Nothing is deleted before it was confirmed.
  private mutating func watchDeletions() {
    for command in bench.commands[seen.commands...] where command.hasPrefix("AT+CMGD=") {
      let index = command.dropFirst("AT+CMGD=".count)
      if let place = confirmed.firstIndex(where: { $0.hasSuffix(" \(index)") }) {
        confirmed.remove(at: place)
      } else {
        report.violations.append("\(command), and nothing there was confirmed")
      }
    }
    seen.commands = bench.commands.count
  }

  // MARK: What is said and done

  /// While the fault lasts: what needs a person is said, and what harms nobody holds up nothing.
  private mutating func checkFault(since began: BootInstant) {
    let status = bench.session.status
    if let (state, word) = row.needsPerson {
      let words = "\(status.state.words) \(status.registration)"
      if status.state.name != state || !words.contains(word) {
        report.violations.append("a person has to help, and is told: \(words)")
      }
    }
    if row.isHarmless, !acceptedAt.contains(where: { $0 > began }) {
      report.violations.append("no text goes while it lasts: \(status)")
    }
  }

  private mutating func checkSteps() {
    let spacing = [
      "restart": Duration.seconds(600), "reset_usb": .seconds(900),
      "power_cycle": .seconds(1_800),
    ]
    for (name, least) in spacing {
      let times = steps.filter { $0.name == name }.map(\.at)
      for (one, next) in zip(times, times.dropFirst()) where one.duration(to: next) < least {
        report.violations.append("\(name) twice within \(one.duration(to: next))")
      }
    }
  }
}
