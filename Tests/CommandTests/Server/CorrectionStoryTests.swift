import Foundation
import JSON
import TestSupport
import Testing

/// Passages that are put right after the server has them, by a ranger who sees one mistake after the other.
@Suite(.ownThreads) struct CorrectionStoryTests {
  /// The plate first, the vehicle a minute later: the second word says nothing of the plate.
  @Test(.timeLimit(.minutes(15))) func aCorrectionKeepsWhatTheOneBeforePutRight() throws {
    let world = try ServerWorld()
    defer { world.end() }
    let service = try ServiceProcess(world.configuration)
    defer { service.end() }
    try service.read(until: "\"directory_learned\"")
    let client = try world.record(7_001)
    try service.read(until: "\"uploaded\"")
    for change in [["--plate", "BA 1 PA 7002"], ["--type", "bus"]] {
      let run = try Program.run(
        ["queue", "correct", client, "--config", world.configuration] + change)
      #expect(run.status == 0, "\(run.errors)")
      try service.read(until: "the correction is on the server")
    }
    let row = try #require(world.rows.first)
    #expect(row["plate_number"] == .text("BA1PA7002"))
    #expect(row["vehicle_type"] == .text("bus"))

    // The desk shows it as it is now, and says of a change what it was.
    let said = try Program.run(
      ["desk", "--config", world.configuration],
      input: "l\nba1pa7003 c 25:99\n= ba1pa7004\n=1 ba1pa7004\nq\n"
    ).output
    #expect(said.contains("1: BA 1 PA 7002, bus"), "\(said)")
    #expect(said.contains("NOT RECORDED: 25:99 is no time; write 18:10"), "\(said)")
    #expect(
      said.contains("the server is told of BA 1 PA 7004 in place of BA 1 PA 7002"), "\(said)")
    try service.read(until: "the correction is on the server")
    #expect(world.rows.first?["vehicle_type"] == .text("bus"))
  }
}
