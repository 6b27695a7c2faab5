import CentralCore
import Control
import EventLoop
import Host
import NodeCore
import NodeSQLite
import Settings
import Time

/// A text to a modem's own number and back while the running service has the modem: sent through it, and
/// looked for where it keeps what comes in.
struct LoopByService {
  let loaded: LoadedSettings
  let clocks: SystemClocks

  /// How long a text may take to come back.
  private static let comesBack = Duration.seconds(120)
  /// How long the service may take to send it: it waits for its modem, too.
  private static let leaves = Duration.seconds(200)
  /// How often is looked, should no event tell of it.
  private static let looks = Duration.seconds(2)

  /// What is found when a text with this mark is sent to the number by a modem.
  func finding(_ mark: String, to number: String, by modem: ModemReport) -> Finding {
    let name = "modem_loop"
    do {
      let socket = loaded.settings.control.socket
      // Listening first: the text may be back before its sending is answered.
      let events = try ControlClient(path: socket)
      _ = try events.ask(Operations.Events(level: "debug"))
      var sending = Operations.ModemSend(mark, to: number)
      (sending.role, sending.modem) = (modem.role, modem.name)
      _ = try ControlClient(path: socket).ask(sending, timeout: LoopByService.leaves)
      guard try comesBack(mark, role: modem.role, events) else {
        return Finding(
          name, .bad, "the network took the text, and it did not come back",
          remedy: "is \(number) this SIM's own number?")
      }
      return Finding(
        name, .good, "a text went out and came back; the service keeps it in its inbox")
    } catch let refusal as ControlRefusal {
      return Finding(name, .bad, "the text did not leave: \(refusal.message)")
    } catch {
      return Finding(name, error)
    }
  }

  private func comesBack(
    _ mark: String, role: String?, _ events: ControlClient
  ) throws -> Bool {
    let deadline = clocks.boot() + LoopByService.comesBack
    var hears = true
    while true {
      if try isThere(mark, role: role) { return true }
      guard clocks.boot() < deadline else { return false }
      guard hears else {
        _ = PollLoop.wait([], until: clocks.boot() + LoopByService.looks, clocks: clocks)
        continue
      }
      do throws(ControlError) {
        // Whatever happened: it is cheap to look.
        if case .ended = try events.next(timeout: LoopByService.looks) { hears = false }
      } catch .timedOut {
        continue
      } catch {
        hears = false
      }
    }
  }

  /// Whether a text with the mark is in the inbox of the modem's role.
  private func isThere(_ mark: String, role: String?) throws -> Bool {
    if role == "central" {
      let store = try CentralStores.open(loaded.settings.central, for: .reading)
      defer { try? store.close() }
      return try store.inbox(InboxQuery()).contains {
        CentralFields.text($0)?.contains(mark) == true
      }
    }
    let store = try SQLiteNodeStore(readingFrom: loaded.settings.node.database)
    defer { try? store.close() }
    return try store.inbox(limit: 50, isWhole: true).contains { $0.text?.contains(mark) == true }
  }
}
