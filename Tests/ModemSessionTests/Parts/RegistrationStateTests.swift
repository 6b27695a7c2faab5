import AT
import GSM
import Testing
import Time

@testable import ModemSession

@Suite struct RegistrationStateTests {
  private let now = BootInstant.seconds(1_000)

  @Test func itTellsWhenItIsFoundAndLost() {
    var state = RegistrationState()
    expect(state.take(.searching, in: .circuitSwitched, isTold: true, at: now), is: nil)
    expect(state.take(.home, in: .evolved, isTold: true, at: now), is: .registered)
    #expect(state.words == "home")
    // One of two is enough.
    expect(state.take(.home, in: .circuitSwitched, isTold: true, at: now), is: nil)
    expect(state.take(.denied, in: .evolved, isTold: true, at: now), is: nil)
    expect(state.take(.notSearching, in: .circuitSwitched, isTold: true, at: now), is: .lost)
    #expect(state.isDenied && state.isActive)
  }

  @Test func whatTheModemDoesNotTellIsAskedForOnceAMoment() {
    var state = RegistrationState()
    _ = state.take(.home, in: .packetSwitched, isTold: false, at: now)
    expect(state.question(at: now), is: nil)
    let later = now + Limits.registrationHolds
    expect(state.question(at: later), is: .packetSwitched)
    expect(state.question(at: later), is: nil, "whatever it answers")
    _ = state.take(.home, in: .packetSwitched, isTold: true, at: later)
    expect(state.question(at: later + .seconds(3_600)), is: nil, "it tells by itself")
  }

  @Test func aFailureThatTheNetworksLossExplainsIsADoubt() {
    var state = RegistrationState()
    _ = state.take(.home, in: .circuitSwitched, isTold: false, at: now)
    state.doubt(ModemError(.cms, code: 1))
    expect(state.doubtfulQuestion(at: now), is: nil)
    state.doubt(ModemError(.cms, code: 331))
    expect(state.doubtfulQuestion(at: now), is: .circuitSwitched)
    expect(state.doubtfulQuestion(at: now), is: nil)
  }

  @Test func itsReturnIsLookedForOftenAndNotForEver() throws {
    var state = RegistrationState()
    expect(state.look(at: now), is: nil)
    let first = try #require(state.nextLook)
    #expect(first == now + Limits.networkLookEvery)
    expect(state.look(at: first), is: .circuitSwitched)
    expect(state.look(at: first), is: nil)
    _ = state.look(at: now + Limits.networkLooksFor)
    #expect(state.nextLook == nil)
    _ = state.take(.home, in: .evolved, isTold: true, at: now)
    expect(state.look(at: now), is: nil)
    #expect(state.nextLook == nil)
  }
}
