import Foundation
import Glibc
import JSON
import ServerModel
import ServerSimulator
import Testing

/// Files that are named as photographs and are none, and the largest one that is.
@Suite(.ownThreads) struct BadPhotographTests {
  private static let most = 2 << 20

  /// A JPEG of that many bytes: a frame of 16 by 16, a scan, its end.
  private static func jpeg(_ count: Int) -> Data {
    let start: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0xC0, 0x00, 0x0B, 0x08, 0x00, 0x10, 0x00, 0x10, 0x01, 0x01, 0x11, 0x00]
      + [0xFF, 0xDA, 0x00, 0x08, 0x01, 0x01, 0x00, 0x00, 0x3F, 0x00]
    return Data(
      start + [UInt8](repeating: 0x55, count: count - start.count - 2) + [0xFF, 0xD9])
  }

  @Test(.timeLimit(.minutes(15))) func noneOfThemCostsAPassageAndTheLargestArrivesWhole() throws {
    let world = try ServerWorld(
      sync: "spread: 0s, retry: fleet, pull: false", offlineFor: "1h", timeout: "60s")
    defer { world.end() }
    let path = world.files.path("photo.jpg")
    let source = URL(fileURLWithPath: path)
    let manager = FileManager.default
    let bad: [(words: String, make: () throws -> Void)] = [
      (
        "is a ZIP archive, not a JPEG or PNG photograph",
        { try Data("PK\u{3}\u{4}".utf8 + [0, 0, 20, 0]).write(to: source) }
      ),
      ("is larger than 2 MB", { try Self.jpeg(Self.most + 1).write(to: source) }),
      ("is empty", { try Data().write(to: source) }),
      ("is a pipe", { _ = mkfifo(path, 0o600) }),
      (
        "is a device",
        { try manager.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero") }
      ),
      (
        "is a directory",
        { try manager.createDirectory(atPath: path, withIntermediateDirectories: false) }
      ),
      ("No such file", {}),
    ]
    var number = 7_000
    func record() throws -> Program.Outcome {
      number += 1
      return try Program.run(
        [
          "record", "--config", world.configuration, "--plate", "BA 1 PA \(number)", "--type",
          "car",
          "--photo", path,
        ], environment: ["PATH": "/nonexistent"])
    }
    func leaveOutAll(_ how: String) throws {
      for one in bad {
        try one.make()
        let outcome = try record()
        #expect(outcome.status == 0, "\(how): \(one.words)")
        #expect(
          outcome.errors.lowercased().contains(one.words.lowercased()), "\(how): \(outcome.errors)")
        #expect(outcome.errors.contains(path))
        #expect(outcome.lines.count == 1)
        try? manager.removeItem(atPath: path)
      }
      #expect(try world.queue().count == number - 7_000, "\(how)")
    }
    try leaveOutAll("by the file")
    let service = try ServiceProcess(world.configuration)
    try service.read(until: "\"directory_learned\"")
    try leaveOutAll("by the service")

    let largest = Self.jpeg(Self.most)
    try largest.write(to: source)
    let outcome = try record()
    #expect(outcome.status == 0, "\(outcome.errors)")
    let client = try #require(outcome.lines.first)
    // What was named may go: it was copied.
    try manager.removeItem(atPath: path)
    try service.read(until: "\"uploaded\"", "\"photo\"")
    let names = world.rows.compactMap { $0["photo_path"]?.text }
    let name = try #require(names.first)
    #expect(world.server.withModel { $0.file("passage-photos/\(name)") } == Array(largest))
    #expect(world.rows.contains { $0["client_id"]?.text == client })
  }

  /// A proxy in front of the storage drops its answers: what is there is found, and not sent again.
  @Test(.timeLimit(.minutes(15))) func whatAnEmptyAnswerSaysIsKeptIsSentOnce() throws {
    let world = try ServerWorld(sync: "spread: 0s, retry: fleet, pull: false", offlineFor: "1h")
    defer { world.end() }
    world.server.inject(
      InjectedFault(.untold, times: nil, areas: [.files], methods: ["POST"]))
    let photo = Self.jpeg(5_000)
    let path = try world.files.write("photo.jpg", "")
    try photo.write(to: URL(fileURLWithPath: path))
    let service = try ServiceProcess(world.configuration)
    let client = try world.record(7_200, "--photo", path)
    let log = try service.read(until: "\"uploaded\"", "\"photo\"")
    #expect(!log.contains("\"upload_missed\""), "\(log)")
    let row = try #require(world.rows.first { $0["client_id"]?.text == client })
    let name = try #require(row["photo_path"]?.text)
    #expect(world.server.withModel { $0.file("passage-photos/\(name)") } == Array(photo))
    #expect(world.server.withModel { $0.fired[.untold] } == 1)
  }

  /// A photograph that is spoilt where it waits costs itself alone, and says so.
  @Test(.timeLimit(.minutes(15))) func onThatIsSpoiltWhileItWaitsCostsThePassageNothing() throws {
    let world = try ServerWorld(sync: "spread: 0s, retry: fleet, pull: false", offlineFor: "1h")
    defer { world.end() }
    let path = world.files.path("photo.jpg")
    var recorded: [String] = []
    for number in 0..<2 {
      try Self.jpeg(5_000 + number).write(to: URL(fileURLWithPath: path))
      recorded.append(try world.record(7_100 + number, "--photo", path))
    }
    let kept = try recorded.map {
      world.files.path("photos/\(try #require(try world.show($0)["photo_path"] as? String))")
    }
    try FileManager.default.removeItem(atPath: kept[0])
    try Data("short".utf8).write(to: URL(fileURLWithPath: kept[1]))
    let service = try ServiceProcess(world.configuration)
    var log = ""
    for _ in recorded { log += try service.read(until: "\"upload_failed\"", "\"photo\"") }
    #expect(log.contains("the file cannot be read (no such file or directory)"), "\(log)")
    #expect(log.contains("the file has 5 bytes and had 5001 when it was recorded"), "\(log)")
    #expect(try world.isComplete(recorded))
  }
}
