import Events
import Testing
import Time

@testable import Log

/// Equal warnings in a row, as people see them.
@Suite struct RepeatFoldTests {
  private let start = WallTime(epochSeconds: 1_795_000_000)

  private func record(
    _ second: Int64, _ level: LogLevel = .warning, _ words: String = "the port is busy",
    modem: String? = nil
  ) -> LogRecord {
    var event = Event(
      "modem_not_ready", level, at: start + .seconds(second), words: words,
      fields: modem.map { [EventField("modem", .text($0))] } ?? [])
    event.subject = nil
    return LogRecord(event, mask: .short)
  }

  @Test func theFirstIsShownAndHowOftenItCameAgain() {
    var fold = RepeatFold()
    #expect(fold.take(record(0)).map(\.words) == ["the port is busy"])
    for second in [30, 60, 90, 120] as [Int64] { #expect(fold.take(record(second)).isEmpty) }
    let shown = fold.take(record(125, .info, "it works"))
    #expect(shown.map(\.words) == ["4 times more in 2 min: the port is busy", "it works"])
    #expect(shown.map(\.level) == [.warning, .info])
    #expect(fold.end().isEmpty)
  }

  @Test func whatDiffersIsShownWhole() {
    var fold = RepeatFold()
    #expect(fold.take(record(0, modem: "one")).count == 1)
    #expect(fold.take(record(1, modem: "two")).count == 1)
    #expect(fold.take(record(2, .error)).count == 1)
    #expect(fold.take(record(3, .error, "another")).count == 1)
    #expect(fold.take(record(4, .info)).count == 1)
    #expect(fold.take(record(5, .info)).count == 1, "what is no warning is not folded")
  }

  @Test func aRunThatLastsIsToldOfNowAndThen() {
    var fold = RepeatFold()
    var shown: [String] = []
    for second in stride(from: 0, through: 1_800, by: 60) as StrideThrough<Int64> {
      shown += fold.take(record(second)).map(\.words)
    }
    #expect(
      shown == ["the port is busy"]
        + Array(repeating: "10 times more in 10 min: the port is busy", count: 3))
    #expect(fold.take(record(1_860)).isEmpty)
    #expect(fold.end().map(\.words) == ["1 time more in 60 s: the port is busy"])
  }
}
