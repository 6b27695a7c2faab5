import Foundation
import TestSupport
import Testing

/// A service whose standard output is a pipe that nobody reads for a while.
@Suite(.ownThreads) struct UnreadOutputTests {
  private static let count = 3_000

  private func lines(_ text: String, _ event: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").filter { $0.contains("\"\(event)\"") }.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test(.timeLimit(.minutes(15))) func theServiceGoesOnAndSaysLaterHowManyEventsAreMissing() throws
  {
    let files = try ProgramFiles()
    let config = try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(files.path("node.db"))}
      log: {file: null, format: json, mask: false}
      control: {socket: \(files.path("control.sock"))}
      """)
    let service = try ServiceProcess(config)
    try service.read(until: "\"node_started\"")
    let table = (1...Self.count).map { "2026-03-14T01:00:00Z,BA 1 PA \($0),car\n" }
    let record = try Program.run(
      ["record", "--file", "-", "--config", config],
      input: "recorded_at,plate,vehicle_type\n" + table.joined())
    #expect(record.status == 0, "\(record.errors)")
    let status = try #require(
      try Program.run(["status", "--json", "--config", config]).objects().first)
    #expect((status["queue"] as? [String: Any])?["waiting_for_text"] as? Int == Self.count)
    let told = try #require(status["service"] as? [String: Any])
    #expect(told["running"] as? Bool == true && told["answers"] == nil, "\(told)")
    func problems(_ status: [String: Any]) -> [String] {
      (status["problems"] as? [[String: Any]] ?? []).compactMap { problem in
        problem["name"] as? String == "log_incomplete" ? problem["what"] as? String : nil
      }
    }
    #expect(problems(status).first?.contains("standard output") == true, "\(status)")

    // Read again, it has what came first in its order, then how many are missing, then what follows.
    let text = try service.read(until: "\"log_gap\"")
    let missing = try #require(try lines(text, "log_gap").first?["count"] as? Int)
    let shown = try lines(text, "passage_recorded").compactMap { $0["plate"] as? String }
    #expect(shown == (1...shown.count).map { "BA1PA\($0)" })
    #expect(missing > 0 && shown.count + missing >= Self.count)
    let after = try Program.run([
      "record", "--plate", "BA 1 PA 9999", "--type", "car", "--config", config,
    ])
    #expect(after.status == 0)
    let next = try lines(try service.read(until: "\"passage_recorded\""), "passage_recorded")
    #expect(next.first?["plate"] as? String == "BA1PA9999")
    let later = try #require(
      try Program.run(["status", "--json", "--config", config]).objects().first)
    #expect(problems(later).isEmpty)
    service.end()
    try service.read(until: "\"service_ended\"")
  }

  @Test(.timeLimit(.minutes(15))) func whatNobodyReadsHoldsTheEndUpForAMomentOnly() throws {
    let files = try ProgramFiles()
    let config = try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(files.path("node.db"))}
      log: {file: null, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      """)
    let service = try ServiceProcess(config)
    try service.read(until: "as node")
    let table = (1...Self.count).map { "2026-03-14T01:00:00Z,BA 1 PA \($0),car\n" }
    let record = try Program.run(
      ["record", "--file", "-", "--config", config],
      input: "recorded_at,plate,vehicle_type\n" + table.joined())
    #expect(record.status == 0, "\(record.errors)")
    service.end()
    #expect(
      try Program.run(["queue", "list", "--json", "--limit", "5000", "--config", config]).objects()
        .count == Self.count)
  }
}
