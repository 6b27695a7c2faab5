import Foundation
import JSON
import TestSupport
import Testing

/// A post whose disk of 110 MB is filled by something else.
@Suite(.ownThreads) struct SmallDiskTests {
  private static func jpeg(_ count: Int) -> Data {
    let start: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0xC0, 0x00, 0x0B, 0x08, 0x00, 0x10, 0x00, 0x10, 0x01, 0x01, 0x11, 0x00]
      + [0xFF, 0xDA, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x3F, 0x00]
    return Data(
      start + [UInt8](repeating: 0x55, count: count - start.count - 2) + [0xFF, 0xD9])
  }

  private func photographs(on disk: MountedDisk) -> Int {
    let names = try? FileManager.default.contentsOfDirectory(atPath: disk.file("photos"))
    return names?.count { $0.hasSuffix(".jpg") } ?? 0
  }

  private func problems(_ world: ServerWorld) throws -> [String: String] {
    let problems = try world.status()["problems"] as? [[String: Any]] ?? []
    return Dictionary(
      problems.compactMap { problem in
        guard let name = problem["name"] as? String else { return nil }
        return (name, problem["what"] as? String ?? "")
      }
    ) { first, _ in first }
  }

  @Test(
    .enabled(if: MountedDisk.isAllowed, "this user may mount no file system"),
    .timeLimit(.minutes(15)))
  func whatTheServerHasGoesBeforeAnythingIsRefused() throws {
    let disk = try #require(MountedDisk(kilobytes: 110 << 10))
    let world = try ServerWorld(
      sync: "spread: 0s, retry: fleet, pull: false", offlineFor: "1h",
      database: disk.file("node.db"))
    defer { world.end() }
    let service = try ServiceProcess(world.configuration)
    try service.read(until: "\"directory_learned\"")
    let photo = world.files.path("photo.jpg")
    try Self.jpeg(1_500_000).write(to: URL(fileURLWithPath: photo))
    for number in 0..<3 {
      _ = try world.record(7_000 + number, "--photo", photo)
      try service.read(until: "\"uploaded\"", "\"photo\"")
    }
    // What the service says of them is read after each part: more would not go into its pipe, and it would wait.
    for part in 0..<6 {
      let rows = (0..<100).map {
        "\(1_700_000_000 + 100 * part + $0),BA 2 PA \(1_000 + 100 * part + $0),car"
      }
      let recorded = try Program.run(
        ["record", "--file", "-", "--config", world.configuration],
        input: "recorded_at,plate,vehicle_type\n" + rows.joined(separator: "\n") + "\n")
      #expect(recorded.status == 0, "\(recorded.errors)")
      while world.rows.count < 103 + 100 * part { try service.read(until: "\"uploaded\"") }
    }
    #expect(world.rows.count == 603)
    #expect(photographs(on: disk) == 3)
    #expect(try problems(world)["storage_filling"] == nil)

    // Less is free than is kept for passages: the photographs that the server has go at once, with their files.
    disk.fill(leaving: 50 << 10)
    _ = try world.record(7_100)
    try service.read(until: "\"photos_pruned\"")
    #expect(photographs(on: disk) == 0)
    #expect(
      try problems(world)["storage_filling"]?.contains("photographs are refused") == true)
    // Photographs are refused before passages are.
    let without = try Program.run([
      "record", "--config", world.configuration, "--plate", "BA 1 PA 7200", "--type", "car",
      "--photo", photo,
    ])
    #expect(without.status == 0)
    #expect(without.errors.contains("the photograph is left out"))
    #expect(try problems(world)["photos_left_out"] != nil)

    // Nothing is free any more: the oldest that the server has make room for what it has not.
    disk.fill(leaving: 1 << 10)
    let last = try world.record(7_300)
    try service.read(until: "\"passages_pruned\"")
    #expect(try problems(world)["disk_full"] != nil)
    let queue = try world.queue()
    #expect(queue.count < 600)
    #expect(queue.contains { $0["client_id"] as? String == last })
    // It is on the server, or will be.
    while !world.rows.contains(where: { $0["client_id"]?.text == last }) {
      try service.read(until: "\"uploaded\"")
    }
    #expect(world.rows.contains { $0["client_id"]?.text == last })

    // The same without a service: there is still what can be given up.
    service.end()
    _ = try world.record(7_400)
  }
}
