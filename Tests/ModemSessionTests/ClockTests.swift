import GSM
import ModemModel
import ModemSession
import Testing
import Time

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

  /// What a vote says of ``clock`` when all of these came at once.
  private func verdict(_ times: NetworkTime...) -> ClockVerdict? {
    var vote = ClockVote()
    for time in times { vote.take(time, at: .zero) }
    return vote.comparison(of: clock, at: .zero)?.verdict
  }

  @Test func aClockIsComparedWithinWhatIsKnown() {
    #expect(verdict(time(62, .network)) == .agrees)
    #expect(verdict(time(63, .network)) == .behind(.seconds(63)))
    #expect(verdict(time(-62, .network)) == .agrees)
    #expect(verdict(time(-63, .network)) == .ahead(.seconds(63)))
    #expect(verdict(time(100, .modemClock, within: .seconds(60))) == .agrees)
    #expect(verdict() == nil)
  }

  @Test func aTimeThatIsOverProvesOnlyThatAClockIsBehind() {
    #expect(verdict(time(-86_400, .serviceCentre)) == .unknown)
    #expect(verdict(time(0, .serviceCentre)) == .unknown)
    #expect(verdict(time(3_600, .serviceCentre)) == .behind(.seconds(3_600)))
  }

  @Test func aTimeThatIsOverReplacesNoBetterOneUnlessItProvesItWrong() {
    #expect(verdict(time(0, .network), time(-86_400, .serviceCentre)) == .agrees)
    #expect(verdict(time(500, .network), time(0, .serviceCentre)) == .behind(.seconds(500)))
    #expect(verdict(time(0, .modemClock), time(3_600, .serviceCentre)) == .behind(.seconds(3_600)))
  }

  // Somebody may have set it, or nobody.
  @Test(arguments: [-86_400 * 208, -20_700, -3_600, 3_600, 20_700, 86_400 * 208] as [Int64])
  func aModemsClockAloneMakesNoClockWrong(_ seconds: Int64) {
    #expect(verdict(time(seconds, .modemClock)) == .unknown)
    #expect(verdict(time(seconds, .modemClock), time(0, .network)) == .agrees)
  }

  /// What `AT+CCLK?` tells in Nepal, where it is the local time or that of Greenwich.
  private func modemClock(_ seconds: Int64) -> NetworkTime {
    var time = time(seconds - Self.nepal, .modemClock, within: .seconds(60))
    time.zone = .seconds(Self.nepal)
    return time
  }

  private static let nepal: Int64 = 23 * 900

  // The zone is beside a time that is that of Greenwich already: arduino-libraries/MKRNB#28.
  @Test func aClockWithItsZoneBesideItMayBeThatOfGreenwich() {
    #expect(verdict(modemClock(0)) == .agrees, "Greenwich")
    #expect(verdict(modemClock(Self.nepal)) == .agrees, "local")
    #expect(verdict(modemClock(0), time(-5, .serviceCentre)) == .agrees)
    #expect(verdict(modemClock(Self.nepal), time(-5, .serviceCentre)) == .agrees)
  }

  // A machine that has the local time for that of Greenwich.
  @Test func aMessageTellsWhichReadingOfAClockIsMeant() {
    let ahead = ClockVerdict.ahead(.seconds(Self.nepal))
    for shown in [0, -Self.nepal] {
      #expect(verdict(modemClock(shown), time(-Self.nepal - 5, .serviceCentre)) == ahead)
    }
    // An old one tells nothing.
    #expect(verdict(modemClock(0), time(-86_400, .serviceCentre)) == .agrees)
    // What the network tells and the modem's clock have one time in common.
    var told = time(-2 * Self.nepal, .network)
    told.zone = .seconds(Self.nepal)
    #expect(verdict(told, modemClock(-2 * Self.nepal)) == .ahead(.seconds(Self.nepal * 2)))
  }

  @Test(arguments: [-86_400 * 208, -3_600, 3_600, 86_400 * 208] as [Int64])
  func whatAModemsClockAndAMessageAgreeOnIsBelieved(_ seconds: Int64) {
    for shown in [0, Self.nepal] {
      let off = verdict(modemClock(seconds + shown), time(seconds - 5, .serviceCentre))
      #expect(
        off == (seconds > 0 ? .behind(.seconds(seconds)) : .ahead(.seconds(-seconds))), "\(shown)")
    }
  }

  @Test func whatWasToldGoesOnWithTheBootClock() {
    var vote = ClockVote()
    vote.take(time(-100, .network), at: .zero)
    #expect(vote.comparison(of: clock, at: .zero + .seconds(100))?.verdict == .agrees)
    #expect(
      vote.comparison(of: clock, at: .zero + .seconds(200))?.verdict == .behind(.seconds(100)))
    // A stamp in the future counts until it is known to be wrong: for an hour.
    vote = ClockVote()
    vote.take(time(90_000, .serviceCentre), at: .zero)
    vote.take(time(0, .serviceCentre), at: .zero + .seconds(60))
    #expect(vote.comparison(of: clock, at: .zero + .seconds(60))?.verdict != .unknown)
    vote.take(time(0, .serviceCentre), at: .zero + .seconds(3_600))
    #expect(vote.comparison(of: clock, at: .zero + .seconds(3_600))?.verdict == .unknown)
  }

  // Quectel's modules show the time of Greenwich with the zone beside it, unless told otherwise.
  @Test func aModemThatCanShowTheLocalTimeIsMadeTo() throws {
    for (modes, setting) in [([0, 1, 3], "AT+CTZU=3"), ([0, 1], "AT+CTZU=1")] {
      var bench = Bench(modem: {
        $0.profile = .quectel
        $0.profile.timeUpdateModes = modes
      })
      bench.start()
      #expect(bench.commands.last { $0.hasPrefix("AT+CTZU=") } == setting)
      let told = try #require(
        bench.events.compactMap { event in
          if case .networkTime(let time) = event { time } else { nil }
        }.last)
      let wall = WallTime(epochSeconds: 1_773_450_000)
      #expect(told.source == .modemClock)
      #expect(told.readings[modes.contains(3) ? 0 : 1] == wall)
    }
    var bench = Bench()
    bench.start()
    #expect(bench.commands.filter { $0.hasPrefix("AT+CTZU") } == ["AT+CTZU=1"])
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
