import EventLoop
import Glibc
import SerialPorts
import TestSupport
import Testing

/// One port, one process, one link.
struct ExclusiveTests {
  private let own = "\(getpid()) \(SystemFile.firstLine("/proc/self/comm") ?? "")"

  @Test func refusesASecondLinkInTheSameProcess() throws {
    let terminal = try PseudoTerminal()
    let directory = try TemporaryDirectory()
    let link = try SerialPorts.open(terminal.slavePath, baud: 115_200)
    #expect(refusal(terminal.slavePath) == .busy(path: terminal.slavePath, holder: own))
    // Under whatever name.
    let name = try directory.link("checkpost-modem", to: terminal.slavePath)
    #expect(refusal(name) == .busy(path: name, holder: own))
    // A refused attempt has done the link no harm.
    #expect(try link.write([0x41]) == 1)
    #expect(read(1, from: terminal.master) == [0x41])
  }

  @Test func refusesALinkInAnotherProcess() async throws {
    let terminal = try PseudoTerminal()
    let link = try SerialPorts.open(terminal.slavePath, baud: 115_200)
    let path = terminal.slavePath
    let holder = own
    await #expect(processExitsWith: .success) {
      [path = path as String, holder = holder as String] in
      #expect(refusal(path) == .busy(path: path, holder: holder))
    }
    link.close()
    // A lock nobody holds any more keeps nobody out.
    await #expect(processExitsWith: .success) { [path = path as String] in
      #expect(refusal(path) == nil)
    }
  }

  // What a child leaves behind when it ends is nothing.
  @Test func isFreeAgainWhenItsHolderHasEnded() async throws {
    let terminal = try PseudoTerminal()
    let path = terminal.slavePath
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      let link = try SerialPorts.open(path, baud: 115_200)
      try #require(link.descriptor >= 0)
      exit(7)
    }
    #expect(refusal(path) == nil)
  }

  @Test func isFreeAgainOnceClosed() throws {
    let terminal = try PseudoTerminal()
    for _ in 0..<3 {
      let link = try SerialPorts.open(terminal.slavePath, baud: 115_200)
      #expect(refusal(terminal.slavePath)?.code == "port_busy")
      link.close()
    }
    do {
      _ = try SerialPorts.open(terminal.slavePath, baud: 115_200)
    }
    #expect(refusal(terminal.slavePath) == nil)
  }

  // The kernel's own exclusive mode keeps ordinary users out for as long as anybody has the port
  // open, and a simulated modem has its end open all the time.
  @Test(.enabled(if: getuid() == 0, "only root can become another user"))
  func isFreeAgainForAnOrdinaryUserToo() async {
    await #expect(processExitsWith: .success) {
      try #require(setgroups(0, nil) == 0 && setgid(ordinaryUser) == 0)
      try #require(setuid(ordinaryUser) == 0)
      let terminal = try PseudoTerminal()
      let link = try SerialPorts.open(terminal.slavePath, baud: 115_200)
      #expect(refusal(terminal.slavePath)?.code == "port_busy")
      link.close()
      #expect(refusal(terminal.slavePath) == nil)
    }
  }

  @Test func refusesAPortThatAnotherProgramHasLocked() async throws {
    let terminal = try PseudoTerminal()
    let other = open(terminal.slavePath, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(other >= 0)
    try #require(flock(other, LOCK_EX | LOCK_NB) == 0)
    #expect(refusal(terminal.slavePath) == .busy(path: terminal.slavePath, holder: own))
    // Given back by hand: a child that another test starts just now has the descriptor until it runs
    // its own program, and closing ours would leave the lock with it.
    flock(other, LOCK_UN)
    close(other)
    #expect(refusal(terminal.slavePath) == nil)
  }
}
