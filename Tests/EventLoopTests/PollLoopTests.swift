import EventLoop
import TestSupport
import Testing
import Time

struct PollLoopTests {
  @Test func returnsAtOnceWhenTheDeadlineHasCome() throws {
    let wakeup = try Wakeup()
    for deadline in [BootInstant.zero, .seconds(5), .seconds(-5), BootInstant(nanoseconds: .min)] {
      let found = PollLoop.wait(
        [Interest(descriptor: wakeup.descriptor)], until: deadline,
        clocks: TestClocks(boot: .seconds(5)))
      #expect(found == [[]])
    }
    #expect(
      PollLoop.wait([], until: .zero, clocks: TestClocks(boot: .zero)) == [])
  }

  // Half a nanosecond too early would make a loop that turns without a pause.
  @Test func isNotOverBeforeTheDeadline() throws {
    let wakeup = try Wakeup()
    let clocks = SystemClocks()
    for nanoseconds in [1, 999, 1_001, 300_000, 999_999, 1_000_001, 1_500_000] {
      let deadline = clocks.boot() + .nanoseconds(nanoseconds)
      let found = PollLoop.wait(
        [Interest(descriptor: wakeup.descriptor)], until: deadline, clocks: clocks)
      #expect(found == [[]])
      #expect(clocks.boot() >= deadline, "\(nanoseconds) ns")
    }
  }

  @Test func tellsWhoIsReadyInTheirOrder() throws {
    let signalled = try Wakeup()
    let silent = try Wakeup()
    signalled.signal()
    let found = PollLoop.wait(
      [
        Interest(descriptor: silent.descriptor),
        Interest(descriptor: signalled.descriptor),
        Interest(descriptor: signalled.descriptor, readable: false, writable: true),
        Interest(descriptor: signalled.descriptor, writable: true),
        Interest(descriptor: -1),
      ], until: nil, clocks: SystemClocks())
    #expect(found == [[], [.readable], [.writable], [.readable, .writable], []])
  }

  @Test func goesByReadinessEvenWithADeadlineForEverAway() throws {
    let wakeup = try Wakeup()
    wakeup.signal()
    let found = PollLoop.wait(
      [Interest(descriptor: wakeup.descriptor)], until: BootInstant(nanoseconds: .max),
      clocks: TestClocks(boot: BootInstant(nanoseconds: .min)))
    #expect(found == [[.readable]])
  }

  @Test func tellsThatADescriptorIsNone() throws {
    #expect(readinessNow(999_999) == .hungUp)
  }

  @Test func isWokenByAnotherThread() async throws {
    let wakeup = try Wakeup()
    let thread = WorkerThread()
    try thread.start(name: "waker") { wakeup.signal() }
    let found = PollLoop.wait(
      [Interest(descriptor: wakeup.descriptor)], until: nil, clocks: SystemClocks())
    #expect(found == [[.readable]])
    await thread.finished()
  }
}

struct WakeupTests {
  @Test func staysUntilItIsCleared() throws {
    let wakeup = try Wakeup()
    #expect(readinessNow(wakeup.descriptor).isEmpty)
    wakeup.signal()
    #expect(readinessNow(wakeup.descriptor) == .readable)
    #expect(readinessNow(wakeup.descriptor) == .readable)
    wakeup.clear()
    #expect(readinessNow(wakeup.descriptor).isEmpty)
  }

  @Test func takesManySignalsForOne() throws {
    let wakeup = try Wakeup()
    for _ in 0..<1_000 { wakeup.signal() }
    wakeup.clear()
    #expect(readinessNow(wakeup.descriptor).isEmpty)
    // Clearing what nobody signalled waits for nobody.
    wakeup.clear()
    wakeup.signal()
    #expect(readinessNow(wakeup.descriptor) == .readable)
  }
}
