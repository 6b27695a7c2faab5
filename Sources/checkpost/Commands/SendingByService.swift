import Control
import EventLoop
import Glibc
import Synchronization
import Time

import enum NodeCore.Limits

/// `modem send` by the running service: says at once when the text has to wait for a modem, and
/// withdraws it when the command is interrupted while it waits.
struct SendingByService {
  let target: ModemTarget
  /// Where the service is asked.
  let socket: String

  private enum Step: Sendable {
    case interrupted
    case answered(Result<Operations.ModemSend.Answer, any Error>)
  }

  /// What was answered, once it is there.
  private final class Answer: Sendable {
    let value = Mutex<Result<Operations.ModemSend.Answer, any Error>?>(nil)
  }

  /// Sends a text and returns the answer.
  ///
  /// - Throws: Why it was not sent, as the service says.
  func send(_ text: String, to number: String) async throws -> Operations.ModemSend.Answer {
    // From here on an interruption is no longer the end of the process.
    let interruptions = await Signals.caught([SIGINT, SIGTERM, SIGHUP])
    sayWhatItWaitsFor()
    var random = SystemRandomNumberGenerator()
    let name = String(random.next() as UInt64, radix: 16)
    return try await withThrowingTaskGroup(of: Step.self) { group in
      group.addTask {
        .answered(await ask(Operations.ModemSend(text, to: number, named: name)))
      }
      group.addTask {
        await interruptions.wait()
        return .interrupted
      }
      while let step = try await group.next() {
        switch step {
        case .answered(let result):
          group.cancelAll()
          return try result.get()
        case .interrupted: withdraw(name)
        }
      }
      throw CommandFailure(.tryAgain, "interrupted; the text may have been sent")
    }
  }

  /// Says why the text cannot leave now, where no modem that may send it can.
  private func sayWhatItWaitsFor() {
    let all = try? target.ask(socket: socket, Operations.ModemInfo(), timeout: .seconds(10)).modems
    // The service takes the first of those that are meant. At central nothing waits: its modem refuses
    // at once.
    guard let modem = all?.first, modem.canSend != true, modem.role == "node" else { return }
    let reason = modem.lastError ?? modem.stateWords ?? "it has said nothing yet"
    let seconds = Limits.manualWithin.wholeSeconds
    let name = modem.name.map { "modem \($0)" } ?? "the modem"
    Diagnostics.say(
      "\(name) cannot send now: \(reason); waiting for it for up to \(seconds) s, Ctrl-C withdraws the"
        + " text")
  }

  /// Asks on a thread of its own: the answer may take minutes, and the pool has few threads.
  private func ask(
    _ operation: Operations.ModemSend
  ) async -> Result<Operations.ModemSend.Answer, any Error> {
    let answer = Answer()
    let thread = WorkerThread()
    do {
      try thread.start(name: "ask") {
        let result = Result {
          try target.ask(socket: socket, operation, timeout: .seconds(240))
        }
        answer.value.withLock { $0 = result }
      }
    } catch {
      return .failure(error)
    }
    await thread.finished()
    return answer.value.withLock { $0 }
      ?? .failure(CommandFailure(.unavailable, "the service was not asked"))
  }

  private func withdraw(_ name: String) {
    let answer = try? target.ask(
      socket: socket, Operations.ModemSendWithdraw(name), timeout: .seconds(10))
    if answer?.waits != true {
      Diagnostics.say("it is not waiting any more; what becomes of it is awaited")
    }
  }
}
