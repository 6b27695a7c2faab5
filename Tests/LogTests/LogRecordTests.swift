import Events
import JSON
import Testing
import Time

@testable import Log

@Suite struct LogRecordTests {
  private let refused = Event(
    "text_refused", .warning, at: WallTime(epochSeconds: 1_795_271_531), subject: "BNP-A #17",
    words: "CMS 38 network out of order",
    next: NextStep("next try", at: WallTime(epochSeconds: 1_795_271_600)), waiting: 3,
    fields: [
      EventField("plate", .plate("BA1PA1234")), EventField("to", .phone("+9779801234567")),
      EventField("cms", .integer(38)), EventField("last", .flag(false)),
      EventField("modem", .text("huawei")),
    ])

  @Test func isOneAlignedLineForPeople() {
    let line = LogLine(clock: .utc)
    let record = LogRecord(refused, mask: .short)
    #expect(
      line.text(record)
        == "14:32:11 W text_refused          BNP-A #17 BA••        CMS 38 network out of order, to ••67, "
        + "next try 14:33:20, 3 waiting")
    let plain = LogRecord(
      Event("modem_ready", at: WallTime(epochSeconds: 1_795_271_531), words: "ready"),
      mask: .short)
    #expect(line.text(plain) == "14:32:11 I modem_ready                                 ready")
  }

  @Test func wordsStandInOneColumnWhateverALineIsAbout() {
    let line = LogLine(clock: .utc)
    let subjects: [(String?, String?)] = [
      (nil, nil), (nil, "plate#1f9c03aa"), ("BNP-A", "plate#1f9c03aa"), ("BNP-A", nil),
    ]
    let columns = subjects.map { subject, plate in
      var record = LogRecord(refused, mask: .short)
      record.subject = subject
      record.words = "~"
      record.fields["plate"] = plate.map { .text($0) }
      return line.text(record).prefix { $0 != "~" }.count
    }
    #expect(Set(columns).count == 1, "\(columns)")
  }

  @Test func timesAreThoseOfTheReadersClock() throws {
    let time = try #require(refused.time)
    let line = LogLine(clock: LocalClock { _ in 345 })
    #expect(line.text(LogRecord(refused, mask: .short)).hasPrefix("20:17:11 W "))
    var late = refused
    late.next = NextStep("next try", at: time + .seconds(86_400))
    #expect(line.text(LogRecord(late, mask: .short)).contains("next try 2026-11-22 20:17:11"))
  }

  @Test func coloursFollowTheLevel() {
    let line = LogLine(ConsoleLook(isColoured: true), clock: .utc)
    #expect(
      line.text(LogRecord(refused, mask: .short)).contains(
        "\u{1B}[33mW\u{1B}[0m \u{1B}[33mtext_refused"))
  }

  @Test func jsonLineHoldsNothingPersonal() {
    let record = LogRecord(refused, mask: .short)
    #expect(
      record.json
        == #"{"cms":38,"event":"text_refused","last":false,"level":"warning","modem":"huawei","#
        + #""next":"next try","next_at":"2026-11-21T14:33:20Z","plate":"BA••","#
        + #""subject":"BNP-A #17","time":"2026-11-21T14:32:11Z","to":"••67","waiting":3,"#
        + #""words":"CMS 38 network out of order"}"#)
  }

  @Test func jsonLineReadsBackAsTheSame() throws {
    let record = LogRecord(refused, mask: .short)
    #expect(try #require(LogRecord(json: Array(record.json.utf8))) == record)
  }

  @Test(arguments: [
    "", "{}", "[]", "x", #"{"event":"a","level":"info","time":"yesterday"}"#,
    #"{"event":"a","level":"loud","time":"2026-11-21T14:33:20Z"}"#, #"{"event":"a"#,
  ])
  func otherLinesAreNoRecords(line: String) {
    #expect(LogRecord(json: Array(line.utf8)) == nil)
  }

  @Test func wordsStayInTheirLineAndTheirBounds() {
    var event = refused
    event.words = "first\nsecond\u{1B}[2J\r\u{9B}31m" + String(repeating: "x", count: 1_000)
    let record = LogRecord(event, mask: .whole)
    #expect(record.words.hasPrefix("first second␛[2J �31m"))
    #expect(record.words.unicodeScalars.count == Limits.eventWords + 1)
  }

  // A file on a terminal is no safer than a line: `cat` and `tail -f` write what is in it.
  @Test func aLineOfTheFileHoldsNothingThatATerminalObeys() throws {
    var event = refused
    event.fields = [EventField("operator", .text("\u{9B}2J\u{202E}NTC\u{7F}\u{2028}\u{E0041}"))]
    event.subject = "\u{2066}BNP-A"
    let record = LogRecord(event, mask: .short)
    let json = record.json
    #expect(
      json.contains(#""operator":"\u009b2J\u202eNTC\u007f\u2028\udb40\udc41""#), "\(json)")
    #expect(json.contains(#""subject":"\u2066BNP-A""#))
    #expect(try #require(LogRecord(json: Array(json.utf8))) == record)
    let line = LogLine(clock: .utc).text(record)
    #expect(line.contains("�BNP-A") && !line.unicodeScalars.contains("\u{2066}"))
  }
}
