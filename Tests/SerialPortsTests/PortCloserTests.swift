import Dispatch
import EventLoop
import Glibc
import Synchronization
import TestSupport
import Testing
import Time

@testable import SerialPorts

/// Closing a port, which the kernel may hold up for half a minute.
@Suite(.timeLimit(.minutes(15))) struct PortCloserTests {
  @Test func aPortThatIsStuckHoldsNobodyUp() async throws {
    let closer = PortCloser()
    let gate = DispatchSemaphore(value: 0)
    let ended = Wakeup.Flag()
    #expect(
      !closer.close("/dev/ttyUSB0") {
        gate.wait()
        ended.set()
      })
    // We are back, and it is not closed: whoever would open it is told.
    #expect(closer.isClosing("/dev/ttyUSB0"))
    #expect(!closer.isClosing("/dev/ttyUSB1"))
    #expect(!ended.isSet)
    gate.signal()
    await ended.wait()
  }

  @Test func anOrdinaryOneIsClosedOnReturn() throws {
    let closer = PortCloser()
    let ended = Wakeup.Flag()
    closer.close("/dev/ttyUSB0") { ended.set() }
    #expect(ended.isSet)
  }

  @Test func aPortThatIsOpenClosesOnceAndSaysSo() throws {
    let terminal = try PseudoTerminal()
    let number = open(terminal.slavePath, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    let directory = try TemporaryDirectory()
    guard case .taken(let lock) = UUCPLock.take(terminal.slavePath, in: directory.path) else {
      Issue.record("no lock")
      return
    }
    let port = OpenPort(
      path: "/dev/modem", node: terminal.slavePath, descriptor: Descriptor(owning: number),
      lock: lock)
    #expect(try port.write([0x41]) == 1)
    #expect(read(1, from: terminal.master) == [0x41])
    #expect(SystemFile.names(in: directory.path).count == 1)
    port.close()
    port.close()
    #expect(port.descriptor == -1)
    var bytes: [UInt8] = []
    #expect(port.read(into: &bytes, limit: 1) == .closed)
    #expect(throws: LinkError.gone(path: "/dev/modem")) { try port.write([0x41]) }
    #expect(SystemFile.names(in: directory.path).isEmpty, "the lock file goes with the port")
  }
}

extension Wakeup {
  /// Something that happens once.
  final class Flag: Sendable {
    private struct State {
      var isSet = false
      var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var isSet: Bool { state.withLock { $0.isSet } }

    func set() {
      state.withLock { state -> CheckedContinuation<Void, Never>? in
        state.isSet = true
        defer { state.waiter = nil }
        return state.waiter
      }?.resume()
    }

    func wait() async {
      await withCheckedContinuation { continuation in
        let isSet = state.withLock { state in
          if !state.isSet { state.waiter = continuation }
          return state.isSet
        }
        if isSet { continuation.resume() }
      }
    }
  }
}
