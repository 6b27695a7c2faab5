import Events
import Glibc
import JSON
import Logging
import Settings
import TestSupport
import Testing
import Time

@testable import Log

@Suite struct ServiceLogTests {
  private func event(_ name: String, _ level: LogLevel = .info) -> Event {
    Event(name, level, at: WallTime(epochSeconds: 1_795_271_531), words: "words of \(name)")
  }

  @Test func writesFromItsLevelOnAndCountsAll() {
    let sink = RecentRecords()
    let log = ServiceLog(level: .notice, mask: .short, sinks: [sink])
    log.record(event("a", .debug))
    log.record(event("a", .warning))
    log.record(event("b", .info))
    #expect(sink.records.map(\.name) == ["a"])
    #expect(log.counts == ["a": 2, "b": 1])
    #expect(log.writes(.error) && !log.writes(.info))
    log.change(level: .debug)
    log.record(event("c", .debug))
    #expect(log.recent.map(\.name) == ["a", "c"])
  }

  @Test func countsAreBounded() {
    let log = ServiceLog(level: .error, mask: .short, sinks: [])
    for number in 0..<(Limits.countedNames + 10) {
      log.record(event("name_\(number)"))
    }
    #expect(log.counts.count <= Limits.countedNames + 1)
    #expect(log.counts["other"] == 10)
  }

  @Test func keepsTheNewestRecords() {
    let recent = RecentRecords(capacity: 3)
    for number in 0..<100 {
      recent.write(LogRecord(event("n\(number)"), mask: .short))
    }
    #expect(recent.records.map(\.name) == ["n97", "n98", "n99"])
  }

  @Test func librariesAreHeardWithoutWhatIsPersonal() {
    let sink = RecentRecords()
    let log = ServiceLog(level: .debug, mask: .short, sinks: [sink])
    var logger = LibraryLogHandler.logger(label: "hummingbird", log: log, clocks: TestClocks())
    logger[metadataKey: "from"] = "+9779801234567"
    logger.info("not taken")
    logger.error("no answer from +9779801234567", metadata: ["plate": "BA1PA1234"])
    #expect(sink.records.count == 1)
    #expect(sink.records.first?.words == "hummingbird: no answer from ••67")
    #expect(sink.records.first?.level == .error)
    #expect(sink.records.first?.json.contains("BA1PA1234") == false)
    #expect(sink.records.first?.time == TestClocks().wall())
  }

  @Test func opensWhatTheSettingsSay() throws {
    let directory = try TemporaryDirectory()
    var loaded = LoadedSettings()
    loaded.settings.log.format = .off
    loaded.settings.log.file = directory.file("log.jsonl")
    loaded.settings.log.maskKeyFile = directory.file("mask.key")
    let log = try ServiceLog.open(loaded)
    var passage = event("passage_recorded")
    passage.fields = [EventField("plate", .plate("BA1PA1234"))]
    log.record(passage)
    let text = try contents(of: directory.file("log.jsonl"))
    #expect(text.contains("plate#") && !text.contains("BA1PA1234"))
    // A change of level is taken up, and a file that somebody moved is begun again.
    loaded.settings.log.level = .error
    unlink(directory.file("log.jsonl"))
    log.apply(loaded.settings.log)
    log.record(event("quiet"))
    log.record(event("loud", .error))
    #expect(try contents(of: directory.file("log.jsonl")).split(separator: "\n").count == 1)
    loaded.settings.log.file = directory.file("none/log.jsonl")
    #expect(throws: LogOpeningError.self) { try ServiceLog.open(loaded) }
  }
}
