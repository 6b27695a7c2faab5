import CLinux
import EventLoop
import Glibc
import Synchronization
import TestSupport
import Testing
import Time

/// The kernel's news of the network, in a network namespace of the test's own.
@Suite struct NetlinkSocketTests {
  /// Runs `body` on a thread with a network of its own; nil where this machine allows none (it takes root
  /// or user namespaces).
  private func inOwnNetwork<Value: Sendable>(_ body: @escaping @Sendable () -> Value) throws
    -> Value?
  {
    let value = Mutex<Value?>(nil)
    let thread = WorkerThread()
    try thread.start(name: "network") {
      guard clinux_own_network() == 0 else { return }
      let result = body()
      value.withLock { $0 = result }
    }
    thread.join()
    return value.withLock { $0 }
  }

  @Test func aLinkThatComesUpIsTold() throws {
    let told = try inOwnNetwork { () -> [String] in
      guard let socket = try? NetlinkSocket() else { return ["no socket"] }
      var told = ["\(socket.drain())"]
      // The child has the network of the thread that starts it.
      told.append("\(run("/usr/sbin/ip", "link", "set", "lo", "up"))")
      let ready = PollLoop.wait(
        [Interest(descriptor: socket.descriptor)], until: .seconds(1 << 30), clocks: SystemClocks())
      told.append(ready.first?.contains(.readable) == true ? "readable" : "silent")
      told.append("\(socket.drain())")
      told.append("\(socket.drain())")
      return told
    }
    guard let told else {
      print("not tested: this machine gives a test no network of its own (\(systemMessage(EPERM)))")
      return
    }
    if told.dropFirst().first != "0" {
      print("not tested: there is no /usr/sbin/ip here")
      return
    }
    #expect(told == ["none", "0", "readable", "some", "none"])
  }

  @Test func aSocketThatWasClosedIsBroken() throws {
    let socket = try NetlinkSocket()
    #expect(socket.drain() != .broken)
    socket.close()
    #expect(socket.drain() == .broken)
  }
}

/// Runs a program to its end; its status, or -1 when it could not be started.
private func run(_ arguments: String...) -> Int32 {
  var process = pid_t()
  var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
  defer { for pointer in pointers { free(pointer) } }
  guard Spawn.alone({ posix_spawn(&process, arguments[0], nil, nil, &pointers, environ) }) == 0
  else { return -1 }
  var status: Int32 = 0
  while waitpid(process, &status, 0) < 0, errno == EINTR {}
  return status
}
