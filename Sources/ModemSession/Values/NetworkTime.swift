import AT
import GSM
public import Time

/// A time that the network gave.
public struct NetworkTime: Hashable, Sendable {
  /// How it was learnt, from the best to the worst.
  public enum Source: String, CaseIterable, Hashable, Sendable {
    /// The network told it just now (`+CTZE`, `+NITZ`, `^NWTIME`).
    case network
    /// The modem's own clock (`AT+CCLK?`), which the network or somebody has set at some time.
    case modemClock = "modem_clock"
    /// The time at which a service centre took a message that came in, or let go of one of ours: now is
    /// later, nobody knows by how much.
    case serviceCentre = "service_centre"
  }

  /// The time, where what was shown is the local time of the zone beside it.
  public var time: WallTime
  /// How it was learnt.
  public var source: Source
  /// How far it may be off, by how it was learnt.
  public var uncertainty: Duration
  /// How far the zone that was shown beside it is ahead of Greenwich, where what was shown may as well
  /// be the time of Greenwich; zero where there is no doubt.
  public var zone: Duration

  /// A time.
  public init(
    time: WallTime, source: Source, uncertainty: Duration, zone: Duration = .zero
  ) {
    self.time = time
    self.source = source
    self.uncertainty = uncertainty
    self.zone = zone
  }

  /// The times that it may mean, the one of the standard first.
  public var readings: [WallTime] { zone == .zero ? [time] : [time, time + zone] }
}

extension NetworkTime {
  /// What a modem tells by itself: `+CTZE: +23,0,"2026/11/21,14:32:12"`, `*PSUTTZ: 2026, 11, 21, 8, 47,
  /// 12, "+23", 0`, `^NWTIME: 26/11/21,14:32:12+23,00`; nil for what has no date, as `+CTZV` in most.
  init?(line: String) {
    let numbers = NetworkTime.numbers(in: line.drop { $0 != ":" })
    let name = line.prefix { $0 != ":" }
    let fields: (date: ArraySlice<Int>, quarters: Int)
    switch name {
    case "+CTZE", "+CTZEU":
      guard numbers.count >= 8 else { return nil }
      fields = (numbers[2..<8], numbers[0])
    case "*PSUTTZ":
      // This one is the time of Greenwich, and the zone is told beside it.
      guard numbers.count >= 6 else { return nil }
      fields = (numbers[0..<6], 0)
    default:
      guard numbers.count >= 7 else { return nil }
      fields = (numbers[0..<6], numbers[6])
    }
    guard let time = NetworkTime.time(Array(fields.date), quarters: fields.quarters) else {
      return nil
    }
    // Whole seconds, told within one or two.
    self.init(
      time: time, source: .network, uncertainty: .seconds(2),
      zone: .seconds(fields.quarters * 900))
  }

  /// The answer to `AT+CCLK?` (3GPP TS 27.007 8.15): `"26/11/21,14:32:12+23"`; nil for a clock that was
  /// never set, and for one that does not tell its zone.
  init?(clock answer: some StringProtocol) {
    let numbers = NetworkTime.numbers(in: answer[...])
    guard numbers.count >= 7,
      let time = NetworkTime.time(Array(numbers[0..<6]), quarters: numbers[6])
    else { return nil }
    self.init(
      time: time, source: .modemClock, uncertainty: .seconds(60),
      zone: .seconds(numbers[6] * 900))
  }

  /// The service centre's time stamp of a message (3GPP TS 23.040 9.2.3.11), or the time of discharge in
  /// a status report (9.2.3.13); nil when it has none that can be.
  init?(message: ReceivedPDU) {
    guard let stamp = message.serviceCentreTime, stamp.year >= 2_025 else { return nil }
    // There are centres that write their local time and no zone.
    let uncertainty = stamp.quarterHours == 0 ? Limits.widestZone : Limits.centresClock
    self.init(
      time: WallTime(epochSeconds: stamp.epochSeconds), source: .serviceCentre,
      uncertainty: uncertainty)
  }

  /// The numbers in a text, those of a zone with their sign.
  private static func numbers(in text: some StringProtocol) -> [Int] {
    var numbers: [Int] = []
    var digits = ""
    var sign = 1
    func end() {
      if let number = Int(digits) { numbers.append(sign * number) }
      digits = ""
      sign = 1
    }
    for character in text.prefix(Limits.timeCharacters) {
      if character.isASCII, character.isNumber {
        digits.append(character)
      } else {
        end()
        sign = character == "-" ? -1 : 1
      }
    }
    end()
    return numbers
  }

  /// A date and a zone in quarters of an hour; nil for what cannot be, or lies before this program.
  private static func time(_ date: [Int], quarters: Int) -> WallTime? {
    // Clocks that nobody has set begin in 1970 or 1980.
    let year = date[0] < 70 ? date[0] + 2_000 : date[0]
    guard (2_025...2_069).contains(year), (-96...96).contains(quarters),
      let civil = CivilDate(
        year: year, month: date[1], day: date[2], hour: date[3], minute: date[4], second: date[5])
    else { return nil }
    return WallTime(epochSeconds: civil.epochSeconds - Int64(quarters) * 900)
  }
}
