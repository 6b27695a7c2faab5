import Operations
import Testing

@testable import checkpost

/// What a status says of the disk.
@Suite struct StatusTests {
  private func status(free: Int64) -> [String: JSONValue] {
    ["queue": ["free_bytes": .integer(free), "database_bytes": 3_145_728]]
  }

  @Test func aFullDiskIsAnAlarm() {
    #expect(
      StatusFields.roomAlarm(status(free: 1 << 20))?.contains("no passage is recorded") == true)
    #expect(StatusFields.roomAlarm(status(free: 1 << 30)) == nil)
    #expect(StatusFields.roomAlarm(["queue": [:]]) == nil)
  }

  @Test func theSizeOfTheStoreIsShown() {
    let lines = StatusText.lines(status(free: 5 << 30), colour: false)
    #expect(lines.contains("storage       database of 3 MiB, 5 GiB free"))
  }
}
