import GSM
import Testing
import Time

@testable import ModemSession

@Suite struct SIMStateTests {
  private let now = BootInstant.seconds(1_000)

  private func told(
    _ sim: inout SIMState, _ state: String, tries: Int = 0, hasPIN: Bool = true,
    start: RecoveryStep? = nil, at time: BootInstant? = nil
  ) -> SIMState.Verdict {
    sim.told(state, tries: tries, hasPIN: hasPIN, start: start, at: time ?? now)
  }

  /// Goes through the questions before the PIN.
  private func claim(_ sim: inout SIMState, left: Int? = 3) -> SIMState.Step {
    expect(told(&sim, "SIM PIN").step, is: .ask(.iccid, form: 0))
    let asked = sim.toldOfItself(["+CCID: 8997701234567890123F"], .iccid, form: 0)
    #expect(asked == .ask(.pinAttempts, form: 0))
    #expect(sim.iccid == "8997701234567890123")
    return left.map { sim.toldOfItself(["+CPINR: SIM PIN,\($0)"], .pinAttempts, form: 0) }
      ?? sim.nextAfterAttempts
  }

  @Test func itsPINIsTriedOnce() {
    var sim = SIMState()
    expect(claim(&sim), is: .claimPIN)
    expect(sim.claimed(true), is: .enterPIN)
    let refused = sim.pinRefused("+CME ERROR: 16", ModemError(.cme, code: 16))
    #expect(refused.pinTried == .pinTried(iccid: "8997701234567890123", isRight: false))
    guard case .lock = refused.step else {
      Issue.record("\(refused.step)")
      return
    }
    // Also after the modem was away, as nobody took it.
    sim.forget()
    guard case .lock(let reason) = told(&sim, "SIM PIN").step else {
      Issue.record("it is tried again")
      return
    }
    #expect(reason.contains("was tried once"))
  }

  @Test func itsLastTryIsNeverMade() {
    for left in [0, 1] {
      var sim = SIMState()
      guard case .lock = claim(&sim, left: left) else {
        Issue.record("\(left) tries are left, and one is made")
        return
      }
    }
    var silent = SIMState()
    expect(claim(&silent, left: nil), is: .claimPIN)
  }

  @Test func aPINThatWasTakenIsTriedAgainAfterTheModemWasAway() {
    var sim = SIMState()
    _ = claim(&sim)
    _ = sim.claimed(true)
    expect(sim.pinTaken(), is: .pinTried(iccid: "8997701234567890123", isRight: true))
    sim.forget()
    expect(claim(&sim), is: .claimPIN)
  }

  @Test func thatItIsOpenTellsThatItTookThePIN() {
    var sim = SIMState()
    _ = claim(&sim)
    _ = sim.claimed(true)
    let verdict = told(&sim, "READY")
    #expect(verdict.step == .use)
    #expect(verdict.pinTried == .pinTried(iccid: "8997701234567890123", isRight: true))
    expect(told(&sim, "READY").pinTried, is: nil)
  }

  @Test func aSIMThatStaysMissingHasTheModemStartedAnewOnce() {
    var sim = SIMState()
    let missing = ModemError(.cme, code: 10)
    func fails(at time: BootInstant) -> SIMState.Step {
      sim.refused(
        "+CME ERROR: 10", missing, tries: 0, mayPass: false, start: .restart, at: time)
    }
    guard case .lock = fails(at: now) else {
      Issue.record("at once")
      return
    }
    let later = now + Limits.missingBeforeRestart
    expect(fails(at: later), is: .startAnew(.restart, "there is no SIM in the modem, for minutes"))
    guard case .lock(let reason) = fails(at: later + .seconds(60)) else {
      Issue.record("twice")
      return
    }
    #expect(reason.contains("not after a fresh start either"))
    expect(fails(at: later + Limits.restartsForSIM), isNot: .lock(reason))
  }

  @Test func aBusyOneIsAskedAgain() {
    var sim = SIMState()
    let busy = ModemError(.cme, code: 14)
    func ask(_ tries: Int) -> SIMState.Step {
      sim.refused("+CME ERROR: 14", busy, tries: tries, mayPass: false, start: nil, at: now)
    }
    expect(ask(0), is: .askAgain(tries: 1, after: .seconds(2)))
    guard case .lock = ask(Limits.setupRetries) else {
      Issue.record("without end")
      return
    }
  }
}
