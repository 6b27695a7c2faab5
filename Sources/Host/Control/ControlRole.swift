import CentralService
import Control
import EventLoop
import Events
import JSON
import Log
import ModemSession
import NodeService
import Time

/// The control socket of the running service: what commands may ask, and who answers.
struct ControlRole: ServicePart {
  let desk: ControlDesk
  let node: NodeRole?
  let central: CentralRole?
  let log: ServiceLog
  let clocks: any Clocks

  func start(whenEnded: @escaping @Sendable () -> Void) {
    desk.open(self)
  }

  func stop() {
    desk.stop()
  }

  func join() {
    desk.join()
  }

  /// Answers a request; called on the control socket's thread.
  func handle(_ request: ControlRequest, _ reply: ControlReply) {
    switch request.operation {
    case "wake":
      node?.service.wake()
      reply.done(clockProblem.map { ["clock": .text($0.sentence)] } ?? [:])
    case "central_wake":
      central?.service.wake()
      reply.done()
    case "status": reply.done(status())
    case "retry_now":
      node?.service.post(.retryNow)
      reply.done()
    case "modem_info":
      let found = modems(of: request)
      guard !found.isEmpty else {
        refuseModem(reply)
        return
      }
      reply.done(ModemsReport(modems: found.map(\.report)))
    case "modem_command":
      guard let text = request.fields["command"]?.text else {
        reply.refuse("bad_request", "a command is missing", exitCode: ExitStatus.usage.code)
        return
      }
      if let reason = OperatorCommandLine.refusal(of: text) {
        reply.refuse("bad_request", "\(text): \(reason)", exitCode: ExitStatus.usage.code)
        return
      }
      let seconds = min(max(request.fields["timeout"]?.integer ?? 30, 1), 300)
      withModem(request, reply) { $0.command(text, timeout: .seconds(seconds), reply) }
    case "modem_ussd":
      guard let code = request.fields["code"]?.text else {
        reply.refuse("bad_request", "a code is missing", exitCode: ExitStatus.usage.code)
        return
      }
      withModem(request, reply) { $0.ussd(code, reply) }
    case "modem_reset":
      let name = request.fields["step"]?.text
      let step = ModemFields.step(name)
      guard name == nil || step != nil else {
        reply.refuse("bad_request", "there is no such step", exitCode: ExitStatus.usage.code)
        return
      }
      withModem(request, reply) { $0.reset(step, reply) }
    case "modem_trace":
      withModem(request, reply) {
        $0.trace(isWhole: request.fields["whole"]?.flag ?? false, reply)
      }
    case "modem_send":
      guard let number = request.fields["to"]?.text, let text = request.fields["text"]?.text
      else {
        reply.refuse(
          "bad_request", "a number or a text is missing", exitCode: ExitStatus.usage.code)
        return
      }
      withModem(request, reply) { modem in
        if let node, node.modems.contains(where: { $0 === modem }) {
          node.send(
            text, to: number, by: modem, named: request.fields["request"]?.text, reply)
        } else {
          modem.send(text, to: number, reply)
        }
      }
    case "modem_send_withdraw":
      let name = request.fields["request"]?.text
      reply.done(["waits": .flag(name.flatMap { node?.withdraw($0) } ?? false)])
    default:
      reply.refuse(
        "unknown_operation",
        "the running service does not know \(request.operation); is it an older one?")
    }
  }

  /// Uses the first modem that is meant.
  private func withModem(
    _ request: ControlRequest, _ reply: ControlReply, _ use: (ModemRole) -> Void
  ) {
    guard let modem = modems(of: request).first else {
      refuseModem(reply)
      return
    }
    use(modem)
  }

  /// The modems that are meant: all where neither role nor name is told.
  private func modems(of request: ControlRequest) -> [ModemRole] {
    let role = request.fields["role"]?.text
    let name = request.fields["modem"]?.text
    return modems.filter { (role == nil || $0.role == role) && (name == nil || $0.name == name) }
  }

  private func refuseModem(_ reply: ControlReply) {
    let names = modems.compactMap(\.name)
    reply.refuse(
      "no_modem",
      "the running service has no such modem; "
        + (names.isEmpty
          ? "set modem.port, or name one by --port"
          : "it has \(names.joined(separator: ", "))"))
  }

  private var modems: [ModemRole] {
    (node?.modems ?? []) + [central?.modem].compactMap { $0 }
  }

  /// What is known against this machine's clock.
  private var clockProblem: Problem? {
    modems.lazy.compactMap { $0.comparison?.problem }.first
  }

  private func status() -> ServiceStatus {
    var status = ServiceStatus(service: desk.service)
    let now = clocks.wall()
    var problems = node?.report(&status, at: clocks.boot(), wall: now) ?? []
    problems += central?.report(&status, at: now) ?? []
    status.modems = modems.map(\.report)
    problems += [clockProblem, log.problem].compactMap { $0 }
    status.tell(desk.standing(problems, at: now))
    return status
  }
}
