import AT
import Control
import EventLoop
import Events
import GSM
import Log
import ModemDiscovery
import ModemDriver
import ModemSession
import NodeCore
import NodeService
import SerialPorts
import Settings
import Synchronization
import Time

/// A modem of the running service: its driver, its last status, and the commands of operators that
/// wait for an answer.
final class ModemRole: ServicePart {
  private struct State {
    var status: ModemStatus?
    var nextID: Int64 = 0
    var waiting: [Int64: ControlReply] = [:]
    var texts: [Int64: ControlReply] = [:]
    /// What was said of the time.
    var clockVote = ClockVote()
    var problems = ModemProblems()
  }

  /// Whose modem it is: `node` or `central`.
  let role: String
  /// What it is called where the node has several.
  let name: String?
  private let state = Mutex(State())
  private let driver: ModemDriver
  private let clocks: any Clocks
  private let finder: PortFinder
  private let messageParts: Int
  private let deletesLeftovers: Bool
  /// Ids of an operator's own texts lie above those of a store.
  private static let operatorTexts: Int64 = 1 << 62

  /// A modem that has not started.
  ///
  /// - Parameter onEvent: Called on the driver's thread with what concerns the role.
  init(
    role: String, name: String? = nil, configuration: ModemConfiguration, selector: PortSelector,
    hooks: ModemHooks, clocks: any Clocks, log: ServiceLog,
    onEvent: @escaping @Sendable (ModemEvent) -> Void
  ) throws(LinkError) {
    self.role = role
    self.name = name
    self.clocks = clocks
    messageParts = configuration.messageParts
    deletesLeftovers = configuration.deletesLeftovers
    let box = Box()
    let finder = PortFinder(selector, baud: configuration.baud)
    self.finder = finder
    var random = SystemRandomNumberGenerator()
    driver = try ModemDriver(
      configuration: configuration, seed: random.next(), clocks: clocks,
      hooks: hooks, directory: finder.directory,
      openLink: { _ throws(LinkError) in try finder.open() },
      onEvent: { event in
        if case .log(var told) = event {
          told.time = clocks.wall()
          told.subject = role == "central" ? role : name
          if told["modem"] == nil { told["modem"] = .text(told.subject ?? NodeModem().name) }
          log.record(told)
        }
        guard box.owner.withLock({ $0.value })?.take(event) != true else { return }
        onEvent(event)
      })
    box.owner.withLock { $0.value = self }
  }

  /// Breaks the circle between the driver and its owner.
  private final class Box: Sendable {
    let owner = Mutex(Weak())
  }

  private struct Weak: Sendable {
    weak var value: ModemRole?
  }

  func start(whenEnded: @escaping @Sendable () -> Void) throws {
    try driver.start(whenEnded: whenEnded)
  }

  /// The loop of its driver.
  var pulses: [Pulse] { driver.pulses }

  /// Asks it to end; a text that is being sent is finished first.
  func stop() {
    driver.stop()
  }

  func join() {
    driver.join()
  }

  /// Hands a request to the driver.
  func post(_ request: ModemRequest) {
    driver.post(request)
  }

  /// The modem as an operator calls it.
  var words: String { name.map { "modem \($0)" } ?? "modem" }

  /// How the modem stands.
  var report: ModemReport {
    let status = state.withLock { $0.status }
    var report = status.map { ModemReport($0, role: role) } ?? ModemReport(role: role)
    report.name = name
    guard status != nil else { return report }
    report.clock = comparison.map { ClockReport($0, clock: clocks.wall()) }
    report.portPath = finder.foundPath
    return report
  }

  /// What its network says of this machine's clock; nil while it says nothing.
  var comparison: ClockComparison? {
    let vote = state.withLock { $0.clockVote }
    return vote.comparison(of: clocks.wall(), at: clocks.boot())
  }

  /// What somebody has to know of it.
  ///
  /// - Parameter words: The modem as an operator calls it.
  func problems(_ words: String, at now: WallTime) -> [Problem] {
    state.withLock { $0.problems }.all(words, deletesLeftovers: deletesLeftovers, at: now)
  }

  /// Runs an operator's command line, and answers with its lines.
  func command(_ text: String, timeout: Duration, _ reply: ControlReply) {
    driver.post(.command(id: wait(reply), text: text, timeout: timeout))
  }

  /// Asks the network by USSD, and answers with its text.
  func ussd(_ code: String, _ reply: ControlReply) {
    driver.post(.ussd(id: wait(reply), code: code))
  }

  /// Has a step of recovery taken now; without one, the best there is.
  func reset(_ step: RecoveryStep?, _ reply: ControlReply) {
    driver.post(.reset(id: wait(reply), step))
  }

  /// Answers with what was last said on the line.
  func trace(isWhole: Bool, _ reply: ControlReply) {
    driver.post(.trace(id: wait(reply), isWhole: isWhole))
  }

  private func wait(_ reply: ControlReply) -> Int64 {
    state.withLock { state in
      state.nextID += 1
      state.waiting[state.nextID] = reply
      return state.nextID
    }
  }

  /// The number of messages that a text becomes; nil when it cannot be sent, which is answered.
  func parts(of body: String, to number: String, _ reply: ControlReply) -> Int? {
    do throws(PDUError) {
      return try MessageComposer.parts(of: body, to: number, allowed: messageParts)
    } catch {
      reply.refuse(error.code, error.message, exitCode: ExitStatus.badData.code)
      return nil
    }
  }

  /// Sends an operator's own text, outside the queue.
  func send(_ body: String, to number: String, _ reply: ControlReply) {
    guard parts(of: body, to: number, reply) != nil else { return }
    let id = state.withLock { state in
      state.nextID += 1
      state.texts[state.nextID] = reply
      return state.nextID
    }
    driver.post(.send(OutgoingText(id: ModemRole.operatorTexts + id, to: number, body: body)))
  }

  /// Takes what is for an operator; true when it concerns nobody else.
  private func take(_ event: ModemEvent) -> Bool {
    switch event {
    case .status(let status):
      finder.heard(status)
      let now = clocks.wall()
      state.withLock { state in
        state.status = status
        state.problems.take(status, at: now)
      }
      return false
    case .commandFinished(let id, let lines, let final):
      let reply = state.withLock { $0.waiting.removeValue(forKey: id) }
      reply?.done(ModemLines(lines: lines, final: final))
      return true
    case .sendOutcome(let id, let outcome) where id > ModemRole.operatorTexts:
      let reply = state.withLock { $0.texts.removeValue(forKey: id - ModemRole.operatorTexts) }
      if let reply { ModemFields.answer(outcome, reply) }
      return true
    case .ussdFinished(let id, let outcome):
      let reply = state.withLock { $0.waiting.removeValue(forKey: id) }
      if let reply { ModemFields.answer(outcome, reply) }
      return true
    case .trace(let id, let trace):
      let reply = state.withLock { $0.waiting.removeValue(forKey: id) }
      reply?.done(Operations.ModemTrace.Answer(trace: trace.text))
      return true
    case .networkTime(let time):
      let now = clocks.boot()
      state.withLock { $0.clockVote.take(time, at: now) }
      return false
    case .log, .accessChanged: return true
    case .sendOutcome, .received: return false
    }
  }
}

/// What became of what an operator asked of a modem, as the service answers.
public enum ModemFields {
  /// Answers whoever asked the node for a text with what became of it.
  static func answer(_ answered: TextAnswer, _ reply: ControlReply) {
    if answered.isKept, let id = answered.id {
      return reply.done(Operations.ModemSend.Answer(keptAs: id))
    }
    switch answered.outcome {
    case .accepted(let references):
      reply.done(
        Operations.ModemSend.Answer(references: references.map { Int($0) }, textID: answered.id))
    case .refused(let refusal):
      let advice = (refusal.adviceByHand ?? refusal.advice).map { ": \($0)" } ?? ""
      reply.refuse(
        "refused", "\(refusal.code) \(refusal.words)\(advice)",
        exitCode: ExitStatus.unavailable.code)
    case .notSent(let reason): answer(SendOutcome.notSent(reason: reason), reply)
    case .unknown(let reason): answer(SendOutcome.unknown(reason: reason), reply)
    }
  }

  /// Answers whoever asked the network by USSD.
  static func answer(_ outcome: USSDOutcome, _ reply: ControlReply) {
    switch outcome {
    case .answered(let text): reply.done(Operations.ModemUSSD.Answer(text: text, asks: false))
    case .asked(let text): reply.done(Operations.ModemUSSD.Answer(text: text, asks: true))
    case .refused(let reason):
      reply.refuse("refused", reason, exitCode: ExitStatus.unavailable.code)
    }
  }

  /// Answers whoever asked for a text with what became of it.
  static func answer(_ outcome: SendOutcome, _ reply: ControlReply) {
    switch outcome {
    case .accepted(let references):
      reply.done(Operations.ModemSend.Answer(references: references.map { Int($0) }))
    case .refused(let error):
      reply.refuse(
        "refused", "\(error): \(error.adviceByHand)", exitCode: ExitStatus.unavailable.code)
    case .notSent(let reason):
      reply.refuse("not_sent", "not sent: \(reason)", exitCode: ExitStatus.tryAgain.code)
    case .unknown(let reason):
      reply.refuse(
        "unknown", "it may have been sent: \(reason)", exitCode: ExitStatus.inputOutput.code)
    }
  }
}

extension ModemConfiguration {
  /// The configuration of a modem that the settings describe.
  init(_ settings: Settings.Modem, at selector: PortSelector, pin: Secret?) {
    self.init(port: selector.words)
    baud = settings.baud
    self.pin = pin?.value
    smsc = settings.smsc
    statusReports = settings.statusReports
    messageParts = settings.messageParts
    checkInterval = settings.checkInterval
    sweepInterval = settings.sweepInterval
    deletesLeftovers = settings.deleteLeftovers
    reopenFirst = settings.reopenFirst
    reopenMost = settings.reopenMost
    imei = selector.imei
    if case .path = selector { hasOtherPorts = false } else { hasOtherPorts = true }
    accessFallback = settings.accessFallback
    if settings.usbReset { resets.insert(.resetUSB) }
    if !settings.powerCommand.isEmpty { resets.insert(.powerCycle) }
  }
}
