import AT
import EventLoop
import Events
import Log
public import ModemDriver
import ModemSession
import SerialPorts
import Settings
import Time

extension ModemHooks {
  /// How long the operator's power command may take.
  private static let powerTakes = Duration.seconds(30)

  /// What a modem of the running service needs of this machine.
  ///
  /// - Parameters:
  ///   - name: Whose modem it is, for the names of files.
  ///   - directory: Where the role keeps its files.
  init(
    _ settings: Settings.Modem, name: String, pin: Secret?, directory: String,
    clocks: any Clocks, log: ServiceLog
  ) {
    let memory = pin.map { PINMemory(path: "\(directory)/modem-\(name).pins", pin: $0.value) }
    let traces = TraceFiles(directory: settings.traceDirectory ?? "\(directory)/traces")
    let access = AccessMemory(path: "\(directory)/modem-\(name).access")
    let power = settings.powerCommand
    self.init(
      claimPIN: { card, left in memory?.claim(card: card, attemptsLeft: left) ?? false },
      pinTried: { card, isRight in memory?.tried(card: card, isRight: isRight) },
      reset: { step, path in
        switch step {
        case .resetUSB: USBReset().reset(portAt: path, clocks: clocks).words
        case .powerCycle: ModemHooks.cyclePower(power, clocks)
        case .resynchronise, .restart, .reopen: "nothing to do from outside"
        }
      },
      notedAccess: { access.note.flatMap { AccessNote(text: $0) } },
      noteAccess: { access.keep($0?.text) },
      keepTrace: { reason, trace in
        let time = clocks.wall()
        switch traces.keep(name, text: trace.text, reason: log.scrub(reason), at: time) {
        case .success(let path):
          log.record(
            Event(
              "modem_trace_kept", .info, at: time,
              words: "what the modem and we said last is in \(path)",
              fields: [EventField("modem", .text(name)), EventField("path", .text(path))]))
        case .failure(let error):
          log.record(
            Event(
              "modem_trace_not_kept", .warning, at: time, words: error.description,
              fields: [EventField("modem", .text(name))]))
        }
      })
  }

  /// Where a role keeps its files: beside its database.
  public static func directory(ofStoreAt path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "" }
    return String(path[..<slash])
  }

  private static func cyclePower(_ arguments: [String], _ clocks: any Clocks) -> String {
    let program = arguments.first ?? "nothing"
    return switch ChildCommand(arguments, timeout: powerTakes).run(clocks: clocks) {
    case .ended(0): "\(program) ended well"
    case .ended(let code): "\(program) ended with code \(code); see modem.power_command"
    case .killed(let signal): "\(program) was ended by signal \(signal)"
    case .timedOut: "\(program) did not end within 30 s and was ended; see modem.power_command"
    case .notStarted(let reason): "\(reason); correct modem.power_command"
    }
  }
}
