import Events
import JSON
import Log
import Settings
import TestSupport
import Testing
import Time

@Suite struct LogFilterTests {
  private let now = WallTime(epochSeconds: 1_795_271_531)

  private func record(_ name: String, _ level: LogLevel, plate: String? = nil, mask: Mask = .short)
    -> LogRecord
  {
    LogRecord(
      Event(
        name, level, at: now, words: "",
        fields: plate.map { [EventField("plate", .plate($0))] } ?? []),
      mask: mask)
  }

  @Test func letsThroughWhatIsAskedFor() {
    var filter = LogFilter()
    #expect(filter.allows(record("a", .debug)))
    filter.level = .warning
    #expect(!filter.allows(record("a", .info)) && filter.allows(record("a", .error)))
    filter.names = ["b"]
    #expect(!filter.allows(record("a", .error)) && filter.allows(record("b", .error)))
    filter.since = now
    #expect(filter.allows(record("b", .error)))
    filter.since = now + .seconds(1)
    #expect(!filter.allows(record("b", .error)))
  }

  @Test func findsAPlateByItsMask() throws {
    let directory = try TemporaryDirectory()
    var loaded = LoadedSettings()
    loaded.settings.log.maskKeyFile = directory.file("mask.key")
    let key = try #require(try MaskKey.load(loaded, makesMissing: true))
    var filter = LogFilter()
    filter.show(plate: "BA1PA1234", key: key)
    #expect(filter.allows(record("a", .info, plate: "BA1PA1234", mask: .keyed(key))))
    #expect(filter.allows(record("a", .info, plate: "BA1PA1234", mask: .whole)))
    #expect(!filter.allows(record("a", .info, plate: "BA1PA9999", mask: .keyed(key))))
    #expect(!filter.allows(record("a", .info, plate: "BA1PA1234", mask: .short)))
    #expect(!filter.allows(record("a", .info)))
    filter.show(plate: "BA1PA1234", key: nil)
    #expect(filter.allows(record("a", .info, plate: "BA1PA1234", mask: .short)))
  }

  @Test(arguments: [
    ("2026-11-21T14:00:00Z", "2026-11-21T14:00:00Z"),
    ("2026-11-21T14:00:00+05:45", "2026-11-21T08:15:00Z"),
    ("90m", "2026-11-21T13:02:11Z"), ("2h", "2026-11-21T12:32:11Z"),
    // 20:17:11 by the reader's clock, which is 5:45 ahead.
    ("20:00", "2026-11-21T14:15:00Z"), ("20:00:30", "2026-11-21T14:15:30Z"),
    ("2026-11-20", "2026-11-19T18:15:00Z"),
  ])
  func readsMomentsAsPeopleWriteThem(text: String, expected: String) throws {
    let moment = try #require(MomentText.parse(text, now: now, clock: LocalClock { _ in 345 }))
    #expect(moment.rfc3339 == expected)
  }

  @Test(arguments: ["", "yesterday", "25:00", "14", "2026-13-01", "2026-11-21T14:00:00", "5"])
  func refusesOtherMoments(text: String) {
    #expect(MomentText.parse(text, now: now, clock: .utc) == nil)
  }

  @Test func aDayBeginsByTheZoneOfThatDay() {
    // The clocks of Berlin went back at 2026-10-25T01:00:00Z.
    let change = WallTime(epochSeconds: 1_792_890_000)
    let berlin = LocalClock { $0 < change ? 120 : 60 }
    let summer = MomentText.parse("2026-07-01", now: now, clock: berlin)
    #expect(summer?.rfc3339 == "2026-06-30T22:00:00Z")
  }

  @Test func readsMomentsInUTC() {
    #expect(MomentText.parse("14:00", now: now, clock: .utc)?.rfc3339 == "2026-11-21T14:00:00Z")
  }
}
