import GSM
import ModemSession
import Testing
import Timing

/// The network's time, and what it says of this machine's clock.
@Suite struct ClockTests {
  private func time(
    _ seconds: Int64, _ source: NetworkTime.Source, within uncertainty: Duration = .seconds(2)
  ) -> NetworkTime {
    NetworkTime(
      time: WallTime(epochSeconds: 1_800_000_000 + seconds), source: source,
      uncertainty: uncertainty)
  }

  private let clock = WallTime(epochSeconds: 1_800_000_000)

  @Test func aClockIsComparedWithinWhatIsKnown() {
    #expect(time(62, .network).verdict(on: clock) == .agrees)
    #expect(time(63, .network).verdict(on: clock) == .behind(.seconds(63)))
    #expect(time(-62, .network).verdict(on: clock) == .agrees)
    #expect(time(-63, .network).verdict(on: clock) == .ahead(.seconds(63)))
    #expect(
      time(100, .modemClock, within: .seconds(60)).verdict(on: clock) == .agrees)
  }

  @Test func aTimeThatIsOverProvesOnlyThatAClockIsBehind() {
    #expect(time(-86_400, .serviceCentre).verdict(on: clock) == .unknown)
    #expect(time(0, .serviceCentre).verdict(on: clock) == .unknown)
    #expect(time(3_600, .serviceCentre).verdict(on: clock) == .behind(.seconds(3_600)))
  }

  @Test func aTimeThatIsOverReplacesNoBetterOneUnlessItProvesItWrong() {
    let told = time(0, .network)
    #expect(time(50, .network).isBetter(than: told, after: .seconds(10)))
    #expect(time(0, .network).isBetter(than: time(50, .serviceCentre), after: .zero))
    #expect(!time(14, .serviceCentre).isBetter(than: told, after: .seconds(10)))
    #expect(time(15, .serviceCentre).isBetter(than: told, after: .seconds(10)))
  }

  @Test func aMessageTellsTheTime() throws {
    var bench = Bench()
    bench.start()
    bench.events = []
    try bench.receive(from: "+9779801000002", "hello")
    bench.pass(.seconds(30))
    let message = try #require(bench.received.first)
    guard
      case .deliver(let deliver) = try PDU.decode(hex: message.hex, direction: .mobileTerminated)
        .tpdu
    else {
      Issue.record("no message")
      return
    }
    let stamp = try #require(deliver.timestamp)
    let times = bench.events.compactMap { event in
      if case .networkTime(let time) = event { time } else { nil }
    }
    let told = try #require(times.first { $0.source == .serviceCentre })
    #expect(told.time.epochSeconds == stamp.epochSeconds)
  }

  // A centre that writes its local time without a zone would else make a right clock wrong.
  @Test func aStampWithoutAZoneIsUncertainByAllZones() throws {
    var bench = Bench()
    bench.start()
    for (quarters, uncertainty) in [(0, Duration.seconds(14 * 3_600)), (23, .seconds(120))] {
      let deliver = SMSDeliver(
        from: try Address("+9779801000002"),
        userData: try MessageComposer.messages(text: "hello", to: try Address("1"))[0].userData,
        timestamp: ServiceCentreTime(epochSeconds: 1_773_450_000, quarterHours: quarters))
      let pdu = try PDU(tpdu: .deliver(deliver)).encoded()
      bench.events = []
      let line = "\r\n+CMT: ,\(pdu.count - 1)\r\n\(Hex.encode(pdu))\r\n"
      bench.tell(.received(Array(line.utf8)))
      let told = try #require(
        bench.events.compactMap { event in
          if case .networkTime(let time) = event { time } else { nil }
        }.first)
      #expect(told.uncertainty == uncertainty)
      #expect(told.time.epochSeconds == 1_773_450_000)
    }
  }
}
