import Control
import Doctor
import Foundation
import JSON
import Testing
import Time

@testable import checkpost

/// A clock that is known to be wrong is told of wherever somebody may act on it.
@Suite(.ownThreads) struct WrongClockTests {
  /// What a modem says when the network tells it a time: that of Greenwich, with the zone beside it.
  private func told(_ time: Date) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: time)
    let numbers = [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second]
    return "*PSUTTZ: " + numbers.map { "\($0 ?? 0)" }.joined(separator: ", ") + ", \\\"+23\\\", 0"
  }

  @Test(.timeLimit(.minutes(15))) func itIsAnAlarmAndAWordAndNotWell() throws {
    let files = try ProgramFiles()
    let modem = try SimulatorProcess("+9779801000001", files)
    let path = try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(files.path("node.db")), gateway: "+9779801000009"}
      modem: {port: \(modem.link)}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      """)
    let service = try ServiceProcess(path)
    try service.read(until: "\"modem_ready\"")
    func record() throws -> Program.Outcome {
      try Program.run([
        "record", "--plate", "BA 1 PA 1234", "--type", "car", "--config", path,
      ])
    }
    func alarms() throws -> [String] {
      let status = try Program.run(["status", "--json", "--config", path]).objects().first
      return (status?["alarms"] as? [String] ?? []).filter { $0.contains("clock") }
    }
    func clock() throws -> [String: Any]? {
      try Program.run(["doctor", "--json", "--config", path]).objects()
        .first { $0["check"] as? String == "clock" }
    }
    #expect(try alarms().isEmpty)
    #expect(try record().errors.isEmpty)
    #expect(try clock()?["state"] as? String == "good")

    modem.request("{\"urc\":\"\(told(Date().addingTimeInterval(86_400 * 208 + 7_200)))\"}")
    try service.read(until: "\"clock_off\"")
    let alarm = try #require(try alarms().first)
    #expect(alarm.contains("208 d 2 h behind") || alarm.contains("208 d 1 h behind"))
    #expect(alarm.contains("timedatectl"))
    let outcome = try record()
    #expect(outcome.status == 0)
    #expect(outcome.lines.count == 1, "it is recorded all the same")
    #expect(outcome.errors.contains("208 d"))
    #expect(try clock()?["state"] as? String == "bad")
    #expect((try clock()?["words"] as? String)?.contains("208 d") == true)

    modem.request("{\"urc\":\"\(told(Date()))\"}")
    try service.read(until: "\"clock_right\"")
    #expect(try alarms().isEmpty)
    #expect(try record().errors.isEmpty)
  }

  @Test func aModemsClockAloneIsADoubtAndNoFault() {
    var told = ClockReport()
    (told.verdict, told.source, told.aheadSeconds) = ("unknown", "modem_clock", -17_971_200)
    told.networkTime = "2027-06-17T08:00:00Z"
    let finding = ModemChecks.clock(told)
    #expect(finding?.state == .skipped)
    #expect(finding?.words.contains("2027-06-17") == true)
  }

  @Test(arguments: [(-17_971_200, Finding.State.bad), (17_971_200, .bad), (90, .warning)])
  func theDoctorsClockIsAsWellAsItsModemsSay(ahead: Int, state: Finding.State) {
    var told = ClockReport()
    (told.verdict, told.source) = (ahead > 0 ? "ahead" : "behind", "network")
    (told.aheadSeconds, told.words) = (Int64(ahead), "this machine's clock is off")
    let finding = ModemChecks.clock(told)
    #expect(finding?.state == state)
    let clock = MachineChecks.clock(
      at: .init(epochSeconds: 1_795_000_000), written: nil, beside: [finding].compactMap { $0 })
    #expect(clock.state == state)
    #expect(clock.name == "clock")
  }

  @Test func aClockBehindWhatItsDatabaseHasIsWrong() {
    let now = WallTime(epochSeconds: 1_795_000_000)
    #expect(MachineChecks.clock(at: now, written: now + .seconds(60), beside: []).state == .good)
    let wrong = MachineChecks.clock(at: now, written: now + .seconds(86_400 * 208), beside: [])
    #expect(wrong.state == .bad)
    #expect(wrong.remedy?.contains("timedatectl") == true)
  }
}
