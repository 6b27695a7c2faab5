import EventLoop
import Foundation
import NodeCore
import NodeSQLite
import SeededRandom
import Testing
import Time

@testable import checkpost

/// Databases with damaged pages: what is recorded into one that the service refuses would never leave.
@Suite(.ownThreads) struct DamagedStoreTests {
  private let files: ProgramFiles
  private let path: String
  private let configuration: String

  init() throws {
    files = try ProgramFiles()
    path = files.path("node.db")
    configuration = try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(path)}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      """)
  }

  /// A store with some hundred passages, as one file.
  private func image() throws -> [UInt8] {
    let rows = (0..<400).map { "2026-03-14T01:00:00Z,BA 1 PA \($0),car" }
    let table = (["recorded_at,plate,vehicle_type"] + rows).joined(separator: "\n")
    let outcome = try Program.run(
      ["record", "--file", "-", "--config", configuration], input: table + "\n")
    try #require(outcome.status == 0, "\(outcome.errors)")
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func put(_ bytes: [UInt8], _ path: String) throws {
    for suffix in ["-wal", "-shm", ".service"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  private func damaged(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    let page = Int.random(in: 0..<bytes.count / 4_096, using: &random) * 4_096
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes.removeSubrange((page / 2)...)
    case 1: for place in page..<page + 4_096 { bytes[place] = 0 }
    case 2:
      for place in page..<page + 4_096 { bytes[place] = UInt8.random(in: 0...255, using: &random) }
    default:
      for _ in 0..<20 {
        bytes[page + Int.random(in: 0..<64, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
    }
    return bytes
  }

  @Test(.timeLimit(.minutes(15))) func nothingIsRecordedIntoWhatTheServiceRefuses() throws {
    let whole = try image()
    var random = SplitMix64(seed: 120)
    var refused = 0
    for number in 0..<40 {
      let bytes = damaged(whole, &random)
      let copy = files.path("copy.db")
      try put(bytes, copy)
      let opened = Result { try SQLiteNodeStore(path: copy, bootID: SystemClocks.bootIdentity()) }
      if case .success(let store) = opened { try store.close() }
      try put(bytes, path)
      let outcome = try Program.run([
        "record", "--plate", "BA 1 PA \(5_000 + number)", "--type", "car", "--config",
        configuration,
      ])
      switch opened {
      case .success: #expect(outcome.status == 0, "image \(number): \(outcome.errors)")
      case .failure(let error):
        refused += 1
        #expect(outcome.status == 65, "image \(number): \(error)")
        #expect(outcome.output.isEmpty, "image \(number) was acknowledged")
      }
    }
    #expect(refused > 20)
  }

  @Test(.timeLimit(.minutes(15))) func theServiceSetsItAsideAndGoesOnWithWhatIsLegible() throws {
    var bytes = try image()
    let page = try #require(
      stride(from: 4_096, to: bytes.count, by: 4_096).first { page in
        bytes[page] == 0x0D
          && Data(bytes[page..<page + 4_096]).range(of: Data("V1|BNP-A|BA1PA200|".utf8)) != nil
      })
    for place in page..<page + 4_096 { bytes[place] = 0xFF }
    try put(bytes, path)
    let service = try ServiceProcess(configuration)
    try service.read(until: "store_salvaged")
    try service.read(until: "node_started")
    #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: path + ".corrupt-1"))) == bytes)
    let status = try Program.run(["status", "--config", configuration])
    #expect(status.output.contains("\(path).corrupt-1"), "\(status.output)")
    let outcome = try Program.run([
      "record", "--plate", "BA 1 PA 5000", "--type", "car", "--config", configuration,
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    service.end()
    let left = try Program.run([
      "queue", "list", "--limit", "1000", "--json", "--config", configuration,
    ]
    ).objects()
    #expect(left.count > 350 && left.count < 400)
  }

  @Test func anEmptyFileIsRefusedByEveryCommandThatWrites() throws {
    try put([], path)
    for command in [
      ["record", "--plate", "BA 1 PA 1", "--type", "car"], ["queue", "park", "1"], ["run"],
    ] {
      let outcome = try Program.run(command + ["--config", configuration])
      #expect(outcome.status == 65, "\(command)")
      #expect(outcome.errors.contains(path), "\(command)")
    }
  }
}
