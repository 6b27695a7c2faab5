import EventLoop
import Events
import Glibc
import TestSupport
import Testing
import Time

@testable import Log

/// What was logged is brought to the disk: soon, but not for each line, and not by whoever logs.
@Suite struct LogSyncTests {
  @Test func theFirstLineAfterAPauseIsDueAtOnceAndThoseAfterItLater() {
    var plan = SyncPlan()
    func write(_ levels: LogLevel...) -> [Bool] { levels.map { plan.wrote($0) } }
    #expect(plan.due == nil)
    #expect(write(.info) == [true])
    #expect(plan.due == .zero)
    plan.began(at: .seconds(100))
    #expect(plan.due == nil)
    #expect(write(.info, .notice) == [true, false], "the second changes nothing")
    #expect(plan.due == .seconds(105))
    // A warning does not wait so long, and a storm of them does not wear the disk.
    #expect(write(.warning, .error) == [true, false])
    #expect(plan.due == .seconds(101))
    plan.began(at: .seconds(101))
    #expect(plan.due == nil)
    #expect(write(.info) == [true])
    #expect(plan.due == .seconds(106))
  }

  @Test func aRunOfLinesIsSyncedAtMostEveryFewSeconds() {
    var plan = SyncPlan()
    var syncs: [LogLevel: Int] = [:]
    for level in [LogLevel.info, .warning] {
      plan = SyncPlan()
      for tenth in 0..<600 {
        let now = BootInstant.seconds(1_000) + .milliseconds(100 * tenth)
        _ = plan.wrote(level)
        if let due = plan.due, due <= now {
          plan.began(at: now)
          syncs[level, default: 0] += 1
        }
      }
    }
    #expect(syncs == [.info: 12, .warning: 60], "in a minute")
  }

  @Test func allIsSyncedWhenTheServiceEnds() throws {
    let directory = try TemporaryDirectory()
    // Small enough that files are begun anew.
    let file = try RotatingFile(path: directory.file("log.jsonl"), size: 2_000, count: 3)
    let log = ServiceLog(level: .debug, mask: .short, sinks: [file])
    let event = Event("event", at: WallTime(epochSeconds: 1_795_271_531), words: "words")
    log.record(event)
    #expect(!file.isSynced)
    try log.startSyncing(clocks: SystemClocks())
    for _ in 0..<200 { log.record(event) }
    log.finish()
    #expect(file.isSynced)
    log.record(event)
    #expect(!file.isSynced)
    // Twice does no harm, and a log without files has no thread.
    let none = ServiceLog(level: .debug, mask: .short, sinks: [])
    try none.startSyncing(clocks: SystemClocks())
    none.finish()
  }

  @Test func descriptorsAreNotKeptForASyncThatNeverComes() throws {
    let directory = try TemporaryDirectory()
    let file = try RotatingFile(path: directory.file("log.jsonl"), size: 100, count: 2)
    let event = Event("event", at: WallTime(epochSeconds: 1_795_271_531), words: "words")
    let before = try openFiles(in: directory.path)
    for _ in 0..<100 { file.write(LogRecord(event, mask: .short)) }
    #expect(try openFiles(in: directory.path) <= before + 2)
    file.sync()
    #expect(try openFiles(in: directory.path) == 1)
  }

  private func openFiles(in directory: String) throws -> Int {
    guard let stream = opendir("/proc/self/fd") else { throw TestFailure("no /proc") }
    defer { closedir(stream) }
    var count = 0
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      var target = [UInt8](repeating: 0, count: 4_096)
      let length = readlink("/proc/self/fd/\(name)", &target, target.count)
      if length > 0, String(decoding: target[..<length], as: UTF8.self).hasPrefix(directory) {
        count += 1
      }
    }
    return count
  }
}
