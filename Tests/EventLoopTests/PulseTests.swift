import EventLoop
import TestSupport
import Testing
import Time

/// Loops that sleep, turn and hang, as whoever watches over them sees it.
@Suite struct PulseTests {
  private let clocks = TestClocks()
  private let pulse = Pulse("node")

  @Test func aLoopThatSleepsIsWell() {
    pulse.turns(clocks)
    pulse.sleeping(clocks) {
      clocks.pass(.seconds(3_600))
      #expect(pulse.awake(at: clocks.boot()) == .zero)
    }
    #expect(pulse.awake(at: clocks.boot()) == .zero, "it has only just woken")
  }

  @Test func aLoopThatDoesNotComeBackIsAwakeForEver() {
    pulse.sleeping(clocks) {}
    clocks.pass(.seconds(40))
    #expect(pulse.awake(at: clocks.boot()) == .seconds(40))
    pulse.turns(clocks)
    #expect(pulse.awake(at: clocks.boot()) == .zero)
  }
}
