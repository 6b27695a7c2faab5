import Control
import Host
import JSON
import Testing

@testable import checkpost

/// What a status says of the disk, and of texts that are lost.
@Suite struct StatusTests {
  private func status(free: Int64) -> [String: JSONValue] {
    ["queue": ["free_bytes": .integer(free), "database_bytes": 3_145_728]]
  }

  @Test func aFullDiskIsAnAlarm() {
    let alarms = StatusFields.queueAlarms(status(free: 1 << 20))
    #expect(alarms.count == 1)
    #expect(alarms.first?.contains("no passage is recorded") == true)
    #expect(StatusFields.queueAlarms(status(free: 1 << 30)).isEmpty)
    #expect(StatusFields.queueAlarms(["queue": [:]]).isEmpty)
  }

  @Test func aReadOnlyDiskIsAnAlarmBeforeAnythingIsWritten() {
    let status: [String: JSONValue] = ["queue": ["free_bytes": 1_000_000_000, "read_only": true]]
    let alarms = StatusFields.queueAlarms(status)
    #expect(alarms.count == 1)
    #expect(alarms.first?.contains("read-only") == true)
  }

  @Test func aServiceThatDoesNotAnswerIsNotCalledGone() {
    for error in [
      ControlError.busy(path: "/run/s"), .noPermission(path: "/run/s"),
      .timedOut(path: "/run/s", after: .seconds(10)),
    ] {
      let lines = StatusText.lines(["service": .object(StatusFields.service(error))], colour: false)
      #expect(lines.first?.contains("not running") == false, "\(error)")
      #expect(lines.first?.contains(error.description) == true, "the reason is shown")
    }
    let gone = StatusFields.service(.notRunning(path: "/run/s"))
    #expect(gone["running"]?.flag == false)
    #expect(
      StatusText.lines(["service": .object(gone)], colour: false).first?.contains("not running")
        == true)
  }

  @Test func textsThatAreLostAreAlarms() {
    let lost: [String: JSONValue] = [
      "queue": ["text_undelivered": 2, "text_unknown": 1, "texted": 5]
    ]
    let alarms = StatusFields.queueAlarms(lost)
    #expect(alarms.count == 2)
    #expect(alarms.first?.hasPrefix("2 passages") == true)
    #expect(alarms.first?.contains("queue list --status undelivered") == true)
    #expect(alarms.last?.hasPrefix("1 passage ") == true)
    #expect(alarms.last?.contains("queue list --status unknown") == true)
    let lines = StatusText.lines(lost, colour: false)
    #expect(lines.contains { $0.contains("5 texted, 2 undelivered, 1 unknown") })
  }

  @Test func theSizeOfTheStoreIsShown() {
    let lines = StatusText.lines(status(free: 5 << 30), colour: false)
    #expect(lines.contains("storage       database of 3 MiB, 5 GiB free"))
  }
}
