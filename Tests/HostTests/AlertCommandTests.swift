import EventLoop
import Events
import Foundation
import NodeCore
import Passages
import Synchronization
import TestSupport
import Testing
import Time

@testable import Host

/// The operator's command is run for each warning, and the node never waits for it.
struct AlertCommandTests {
  private final class Told: Sendable {
    let events = Mutex<[Event]>([])
    var names: [String] { events.withLock { $0.map(\.name) } }
  }

  func alert(_ plate: String, _ kind: TravelAlert.Kind = .speeding) throws -> TravelAlert {
    let place = MatchingPlace(
      segment: try Segment(
        name: "Banepa", distanceKilometres: 30, minimumKilometresPerHour: 20,
        maximumKilometresPerHour: 60), ownPost: nil, oppositePost: nil)
    let time = WallTime(epochSeconds: 1_800_000_000)
    let passage = try Passage(
      recording: try Plate(plate), vehicleType: .car, checkpost: try CheckpostCode("BNP-A"),
      recordedAt: time, suffix: .unknown)
    let remote = RemotePassage(
      clientID: passage.clientID, serverID: nil, plate: plate, vehicleType: .car,
      checkpost: passage.checkpost, recordedAt: time, origin: .server)
    var alert = place.overdue(remote, at: time + .seconds(1_200), doubt: nil)
    alert.kind = kind
    return alert
  }

  private func command(_ arguments: [String], _ told: Told) -> AlertCommand {
    AlertCommand(arguments, clocks: SystemClocks()) { event in
      told.events.withLock { $0.append(event) }
    }
  }

  @Test func itIsToldTheKindThePlateAndTheSeconds() throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("heard")
    let told = Told()
    let command = command(
      ["/bin/sh", "-c", "echo \"$@\" >> \(file)", "sh", "horn"], told)
    command.run(try alert("BA1PA1"))
    command.run(try alert("BA1PA2", .overdue))
    command.finish()
    let heard = try String(contentsOfFile: file, encoding: .utf8)
    #expect(heard == "horn speeding BA1PA1 1200\nhorn overdue BA1PA2 1200\n")
    #expect(told.names.isEmpty)
    // A thread that has ended does not keep the next one from being run.
    command.run(try alert("BA1PA3"))
    command.finish()
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("BA1PA3"))
  }

  @Test func whatDoesNotEndWellIsTold() throws {
    let told = Told()
    let command = command(["/bin/false"], told)
    command.run(try alert("BA1PA1"))
    command.finish()
    command.change(to: ["/nonexistent/horn"])
    command.run(try alert("BA1PA1"))
    command.finish()
    #expect(told.names == ["alert_command_failed", "alert_command_failed"])
    #expect(told.events.withLock { $0.allSatisfy { !$0.words.contains("BA1PA1") } })
  }

  @Test func withoutACommandNothingIsRun() throws {
    let told = Told()
    let command = command([], told)
    command.run(try alert("BA1PA1"))
    command.finish()
    #expect(told.names.isEmpty)
  }
}
