import Events
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Testing
import Time

/// A machine whose clock is off records passages with wrong times, and somebody has to hear of it.
@Suite struct ClockTests {
  private func told(_ bench: Bench, ahead: Duration, _ source: NetworkTime.Source) throws
    -> [String]
  {
    let time = NetworkTime(time: bench.wall - ahead, source: source, uncertainty: .seconds(2))
    return try bench.handle(.modem(ModemID(0), .networkTime(time))).events.map {
      "\($0.name): \($0.words)"
    }
  }

  @Test func aClockThatIsOffIsToldOnceAndOnceWhenItIsRight() throws {
    let bench = try Bench()
    try bench.start()
    #expect(try told(bench, ahead: .seconds(10), .network).isEmpty)
    let off = try told(bench, ahead: .seconds(-7_810), .network)
    #expect(off.count == 1)
    #expect(off.first?.hasPrefix("clock_off: this machine's clock is 2 h 10 min behind") == true)
    #expect(try told(bench, ahead: .seconds(-7_815), .network).isEmpty)
    // A time stamp that is over says nothing for it or against it.
    #expect(try told(bench, ahead: .seconds(50), .serviceCentre).isEmpty)
    #expect(try told(bench, ahead: .zero, .network).map { $0.prefix(11) } == ["clock_right"])
    // Somebody may have set the modem's clock, or nobody; with a message's stamp it is believed.
    #expect(try told(bench, ahead: .seconds(3_600), .modemClock).isEmpty)
  }

  @Test func aModemsClockIsBelievedWithAMessagesStampAlone() throws {
    let bench = try Bench()
    try bench.start()
    #expect(try told(bench, ahead: .seconds(20_700), .modemClock).isEmpty)
    let off = try told(bench, ahead: .seconds(20_705), .serviceCentre)
    #expect(off.first?.contains("5 h 45 min ahead of") == true, "\(off)")
    #expect(off.first?.contains("the modem's clock and a message's time stamp") == true)
  }

  @Test func aStampFromTheFutureProvesTheClockToBeBehind() throws {
    let bench = try Bench()
    try bench.start()
    let off = try told(bench, ahead: .seconds(-300_000), .serviceCentre)
    #expect(off.first?.contains("3 d 11 h behind") == true)
    #expect(off.first?.contains("a message's time stamp") == true)
  }
}
