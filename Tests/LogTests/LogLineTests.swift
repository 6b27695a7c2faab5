import Events
import Testing
import Text
import Time

@testable import Log

/// The log on a terminal: two lines at most, whatever happened.
@Suite struct LogLineTests {
  private let time = WallTime(epochSeconds: 1_795_271_531)

  private func lines(
    _ columns: Int?, words: String = "CMS 38 network out of order, attempt 2 to ••67",
    subject: String? = "BNP-A", waiting: Int? = 3
  ) -> [String] {
    let event = Event(
      "text_refused", .warning, at: time, subject: subject, words: words,
      next: NextStep("next try", at: time + .seconds(69)), waiting: waiting,
      fields: [EventField("plate", .plate("BA1PA1234"))])
    return LogLine(ConsoleLook { columns }, clock: .utc)
      .text(LogRecord(event, mask: .short)).split(separator: "\n").map(String.init)
  }

  @Test func eightyColumnsHaveNoNameAndAHangingIndent() {
    #expect(
      lines(80) == [
        "14:32:11 W BNP-A BA••  CMS 38 network out of order, attempt 2 to ••67, next try",
        "           14:33:20, 3 waiting",
      ])
    #expect(
      lines(80, words: "asks for its PIN", subject: "modem huawei", waiting: nil) == [
        "14:32:11 W modem huawei BA••  asks for its PIN, next try 14:33:20"
      ])
  }

  @Test func wideTerminalsHaveTheNameAndAColumnForTheSubject() {
    #expect(
      lines(130)
        == [
          "14:32:11 W text_refused          BNP-A BA••            CMS 38 network out of order, attempt 2 to"
            + " ••67, next try 14:33:20, 3 waiting"
        ].flatMap { LogLineTests.broken($0, at: 130, indent: 55) })
    #expect(lines(130).dropFirst().allSatisfy { $0.hasPrefix(String(repeating: " ", count: 55)) })
  }

  @Test func aFileHasOneLine() {
    #expect(lines(nil, words: String(repeating: "word ", count: 90)).count == 1)
  }

  @Test func whatIsTooLongIsCutAndWhatComesNextIsNot() {
    let long = String(repeating: "word ", count: 90)
    for columns in [80, 100, 119, 120, 200] {
      let lines = lines(columns, words: long)
      #expect(lines.count == 2, "\(columns)")
      #expect(lines.allSatisfy { ForeignText.width($0) <= columns }, "\(lines)")
      #expect(lines[1].hasSuffix("word…, next try 14:33:20, 3 waiting"), "\(lines)")
    }
  }

  /// What helps stands behind the last semicolon: what happened is cut before it.
  @Test(arguments: [40, 80]) func whatHelpsIsNeverCut(columns: Int) {
    let words =
      "the server refused 2 passages for good: "
      + String(repeating: "a policy of the table ", count: 12)
      + "; see `checkpost queue list --status failed`, and retry each"
    let text = lines(columns, words: words).joined(separator: " ")
      .split(separator: " ").joined(separator: " ")
    #expect(
      text.contains("…; see `checkpost queue list --status failed`, and retry each"), "\(text)")
    #expect(text.contains("the server refused"), "\(text)")
  }

  @Test func aSmallerScreenGetsMoreLinesForTheSame() {
    let words = "the modem lost the network (searching); texts wait"
    let lines = lines(40, words: words)
    #expect(lines.count > 2 && lines.allSatisfy { ForeignText.width($0) <= 40 }, "\(lines)")
    let joined = lines.map { $0.drop { $0 == " " } }.joined(separator: " ")
    #expect(joined.contains(words))
    #expect(!self.lines(5).isEmpty)
  }

  @Test func aSubjectThatIsLongerThanTheScreenIsCutToo() {
    let lines = lines(80, subject: String(repeating: "x", count: 400))
    #expect(lines.count == 2 && lines.allSatisfy { ForeignText.width($0) <= 80 }, "\(lines)")
  }

  private static func broken(_ line: String, at columns: Int, indent: Int) -> [String] {
    let head = String(line.prefix(indent))
    let lines = LineWrap.lines(String(line.dropFirst(indent)), columns: columns - indent)
    return [head + (lines.first ?? "")]
      + lines.dropFirst().map { String(repeating: " ", count: indent) + $0 }
  }

  /// Central's line of a passage has all that an operator asks first, and no plate.
  @Test func aPassageIsToldWithoutItsPlate() throws {
    let at = WallTime(epochSeconds: 1_795_000_000)
    var event = Event(
      "passage_arrived", .info, at: at, subject: "BNP-A", words: "a passage arrived by text",
      fields: [
        EventField("plate", .plate("BA1PA1234")), EventField("vehicle_type", .text("bus")),
        EventField("recorded_at", .text((at - .seconds(200)).rfc3339)),
        EventField("delay_seconds", .integer(200)), EventField("channel", .text("text")),
        EventField("ranger_digits", .text("4567")),
      ])
    func line() -> String {
      LogLine(ConsoleLook(), clock: .utc).sentence(LogRecord(event, mask: .short))
    }
    let clock = LocalClock.utc.time(at - .seconds(200))
    #expect(
      line()
        == "BNP-A BA••  a passage arrived by text, bus, recorded \(clock), 3m20s later, ranger …4567"
    )
    event.fields[3] = EventField("delay_seconds", .integer(-5))
    #expect(line().contains("5s ahead of central"))
  }
}
