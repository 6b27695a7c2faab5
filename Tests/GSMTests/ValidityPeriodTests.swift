import GSM
import Testing

/// 3GPP TS 23.040 9.2.3.12.
struct ValidityPeriodTests {
  /// Each octet with its period in minutes, straight from the table of 9.2.3.12.1.
  private static func minutes(_ value: Int) -> Int {
    switch value {
    case 0...143: (value + 1) * 5
    case 144...167: 12 * 60 + (value - 143) * 30
    case 168...196: (value - 166) * 24 * 60
    default: (value - 192) * 7 * 24 * 60
    }
  }

  @Test func lastsAsTheTableSays() {
    for value in 0...255 {
      #expect(
        ValidityPeriod.relative(UInt8(value)).duration == .seconds(Self.minutes(value) * 60),
        "octet \(value)")
    }
    #expect(ValidityPeriod.relative(0x0B).duration == .seconds(3_600))
    #expect(ValidityPeriod.relative(0x47).duration == .seconds(6 * 3_600))
    #expect(ValidityPeriod.relative(0xA7).duration == .seconds(24 * 3_600))
    #expect(ValidityPeriod.relative(0xFF).duration == .seconds(63 * 7 * 86_400))
    #expect(ValidityPeriod.enhanced([]).duration == nil)
  }

  @Test func takesTheShortestPeriodThatIsLongEnough() {
    for value in 0...255 {
      let exact = Duration.seconds(Self.minutes(value) * 60)
      #expect(ValidityPeriod(lasting: exact) == .relative(UInt8(value)), "octet \(value)")
      if value < 255 {
        let more = exact + .seconds(1)
        #expect(ValidityPeriod(lasting: more) == .relative(UInt8(value + 1)), "above \(value)")
        let little = exact + .milliseconds(1)
        #expect(ValidityPeriod(lasting: little) == .relative(UInt8(value + 1)), "above \(value)")
      }
    }
    #expect(ValidityPeriod(lasting: .zero) == .relative(0))
    #expect(ValidityPeriod(lasting: .seconds(-5)) == .relative(0))
    #expect(ValidityPeriod(lasting: .seconds(10 * 365 * 86_400)) == .relative(255))
    #expect(ValidityPeriod(lasting: .seconds(Int64.max)) == .relative(255))
  }

  // The two bits of the format stand as 10 relative, 01 enhanced, 11 absolute.
  @Test(
    arguments: [
      (nil, "010000810000" + "00"),
      (.relative(0x47), "110000810000" + "47" + "00"),
      (.enhanced([0x01, 0x47, 0, 0, 0, 0, 0]), "090000810000" + "01470000000000" + "00"),
      (
        ServiceCentreTime(
          year: 2026, month: 3, day: 14, hour: 8, minute: 5, second: 9, quarterHours: 23
        ).map(ValidityPeriod.absolute), "190000810000" + "62304180509032" + "00"
      ),
    ] as [(ValidityPeriod?, String)])
  func standsInASubmit(_ validity: ValidityPeriod?, hex: String) throws {
    let nobody = Address(typeOfNumber: .unknown, digits: "")
    let message = SMSSubmit(to: nobody, userData: UserData(text: ""), validity: validity)
    #expect(Hex.encode(try message.encoded()) == hex)
    let pdu = try PDU.decode(hex: hex, direction: .mobileOriginated, tpduOnly: true)
    #expect(pdu.tpdu == .submit(message))
  }

  @Test func keepsAnAbsolutePeriodThatShowsNoTimeAsItIs() throws {
    let hex = "190000810000" + "FF304180509032" + "00"
    let pdu = try PDU.decode(hex: hex, direction: .mobileOriginated, tpduOnly: true)
    guard case .submit(let message) = pdu.tpdu else {
      Issue.record("not a submit")
      return
    }
    #expect(message.validity == .enhanced([0xFF, 0x30, 0x41, 0x80, 0x50, 0x90, 0x32]))
  }

  @Test func alwaysWritesSevenOctetsOfTheEnhancedFormat() throws {
    let nobody = Address(typeOfNumber: .unknown, digits: "")
    for octets in [[], [1, 2], [UInt8](repeating: 3, count: 9)] {
      let message = SMSSubmit(
        to: nobody, userData: UserData(text: ""), validity: .enhanced(octets))
      #expect(try message.encoded().count == 14)
    }
  }
}
