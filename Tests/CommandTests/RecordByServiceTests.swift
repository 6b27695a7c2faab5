import Foundation
import TestSupport
import Testing

/// `record` beside a running service and without one: who calls it sees no difference.
@Suite(.ownThreads) struct RecordByServiceTests {
  private func configuration(_ files: ProgramFiles) throws -> String {
    try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(files.path("node.db"))}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      """)
  }

  private func service(_ configuration: String) throws -> ServiceProcess {
    let service = try ServiceProcess(configuration)
    try service.read(until: "\"node_started\"")
    return service
  }

  /// What `record` says of rows that are right, repeated, wrong and of an identity that is taken, and of
  /// what is no table.
  private func outcomes(_ configuration: String) throws -> [Program.Outcome] {
    let table = """
      recorded_at,plate,vehicle_type,client_id
      2026-03-14T01:00:00Z,BA 1 PA 1,car,7b0c3f0e-0b5e-4f0e-9a53-3a5a0a4b1c2d
      2026-03-14T01:00:01Z,BA 1 PA 2,car,
      2026-03-14T01:00:01Z,BA 1 PA 2,car,
      2026-03-14T01:00:02Z,BA 1 PA 3,tank,
      2026-03-14T01:00:03Z,BA 1 PA 4,car,7b0c3f0e-0b5e-4f0e-9a53-3a5a0a4b1c2d

      """
    let file = ["record", "--file", "-", "--config", configuration]
    return [
      try Program.run(file, input: table), try Program.run(file + ["--json"], input: table),
      try Program.run(file, input: "plate\nBA 1 PA 1\n"),
      try Program.run([
        "record", "--plate", "BA 1 PA 9", "--type", "car", "--at", "2026-03-14T01:00:00Z",
        "--config", configuration,
      ]),
    ]
  }

  @Test(.timeLimit(.minutes(15))) func itSaysAndEndsAsByTheFile() throws {
    let (served, alone) = (try ProgramFiles(), try ProgramFiles())
    let running = try configuration(served)
    let service = try service(running)
    let byService = try outcomes(running)
    let byFile = try outcomes(try configuration(alone))
    #expect(byService.map(\.status) == byFile.map(\.status))
    #expect(byService.map(\.status) == [65, 65, 65, 0])
    #expect(byService.map(\.output) == byFile.map(\.output))
    #expect(byService.map(\.errors) == byFile.map(\.errors))
    service.end()
  }

  @Test(.timeLimit(.minutes(15))) func aServiceThatIsKilledMidwayLosesAndDoublesNothing() throws {
    let files = try ProgramFiles()
    let configuration = try configuration(files)
    let service = try service(configuration)
    let record = try ChildProcess(
      Program.path, ["record", "--file", "-", "--config", configuration], errors: files.errors)
    record.say("recorded_at,plate,vehicle_type\n")
    for number in 1...6 {
      if number == 4 { service.kill() }
      record.say("2026-03-14T01:00:00Z,BA 1 PA \(number),car\n")
      let told = record.lines.next()
      #expect(told != nil)
    }
    try record.endInput()
    #expect(record.wait() == 0)
    let queue = try Program.run(["queue", "list", "--json", "--config", configuration]).objects()
    #expect(queue.count == 6)
    #expect(Set(queue.map { $0["plate_number"] as? String }).count == 6)
  }
}
