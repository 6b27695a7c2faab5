import Testing
import Time

@testable import ModemSession

@Suite struct PortStateTests {
  private let now = BootInstant.seconds(1_000)
  private let configuration = ModemConfiguration(port: "/dev/modem")

  @Test func onlyAModemThatWasAwayArrives() {
    var port = PortState()
    expect(port.opened(), is: true)
    expect(port.opened(), is: false)
    _ = port.failed(.failed, at: now)
    expect(port.opened(), is: false)
    _ = port.failed(.absent, at: now)
    expect(port.opened(), is: true)
    port.lost()
    expect(port.opened(), is: true)
  }

  @Test func whatHelpsFromOutsideDependsOnWhetherItIsThere() {
    var hung = PortState()
    expect(hung.failed(.failed, at: now), is: [])
    expect(
      hung.failed(.failed, at: now + Limits.unopenedBeforeReset), is: [.resetUSB, .powerCycle])
    var gone = PortState()
    expect(gone.failed(.absent, at: now), is: [])
    expect(gone.failed(.absent, at: now + Limits.unopenedBeforeReset), is: [])
    expect(gone.failed(.absent, at: now + Limits.absentBeforePower), is: [.powerCycle])
    // Only a person can help.
    var refused = PortState()
    _ = refused.failed(.refused, at: now)
    expect(refused.failed(.refused, at: now + .seconds(86_400)), is: [])
  }

  @Test func pausesGrowOnceItHasFailedForLong() {
    var port = PortState()
    for second in stride(from: Int64(0), to: 600, by: 60) {
      expect(port.pause(configuration, at: now + .seconds(second)), is: configuration.reopenFirst)
    }
    let late = now + Limits.eager
    let pauses = (0..<8).map { _ in port.pause(configuration, at: late) }
    #expect(pauses.first == configuration.reopenFirst)
    #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(pauses.last == configuration.reopenMost)
    port.calm()
    expect(port.pause(configuration, at: late), is: configuration.reopenFirst)
  }
}
