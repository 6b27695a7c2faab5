import Foundation
import Glibc
import TestSupport
import Testing

/// A network of its own for processes, in which all that goes over its one interface goes over a thin line: the
/// kernel queues as a modem does before a slow uplink.
enum ThinNetwork {
  /// Makes one, with a line of 26 kbit/s, and starts what is named behind it there.
  static let starter = [
    "/usr/bin/unshare", "--net", "/bin/sh", "-c",
    """
    ip link set lo mtu 1500 up && tc qdisc add dev lo root handle 1: htb default 2 \\
    && tc class add dev lo parent 1: classid 1:1 htb rate 26kbit burst 3000 \\
    && tc class add dev lo parent 1: classid 1:2 htb rate 1gbit \\
    && tc filter add dev lo parent 1: protocol ip u32 match ip dport 8080 0xffff flowid 1:1 && exec "$@"
    """, "sh",
  ]

  /// Starts what is named behind it in the network of a process.
  static func starter(beside process: Int32) -> [String] {
    ["/usr/bin/nsenter", "--target", "\(process)", "--net"]
  }

  /// Runs a program; whether it ended well, and what it said.
  static func run(_ command: [String]) -> (isDone: Bool, output: String) {
    let (process, output) = (Process(), Spawn.pipe())
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command[1...])
    process.environment = ["PATH": path]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.start()) != nil else { return (false, "") }
    try? output.fileHandleForWriting.close()
    let said = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus == 0, String(decoding: said, as: UTF8.self))
  }

  static let path = "/usr/sbin:/usr/bin:/sbin:/bin"

  /// Whether this user may make one, on this machine.
  static let isAllowed =
    access("/usr/bin/nsenter", X_OK) == 0 && run(starter + ["/bin/true"]).isDone

  static let missing: Comment =
    "this user may make no network with a thin line (needs root, unshare, ip, and tc with htb)"
}

/// A post on a line of 26 kbit/s, such as a modem has at the edge of its cell.
@Suite(.timeLimit(.minutes(15))) struct ThinLineStoryTests {
  private static func jpeg(_ count: Int) -> [UInt8] {
    let start = CentralWorld.photograph.dropLast(402)
    let noise = (0..<count - start.count - 2).map { UInt8(truncatingIfNeeded: $0 &* 31 % 251) }
    return Array(start) + noise + [0xFF, 0xD9]
  }

  /// It takes seven seconds there: what this machine's buffers took at once is not what the line took.
  @Test(.enabled(if: ThinNetwork.isAllowed, ThinNetwork.missing))
  func aPhotographArrivesAtTheFirstTry() throws {
    let world = try CentralWorld("offline_for: 1h")
    func changed(_ path: String, _ name: String, _ old: String, _ new: String) throws -> String {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try #require(text.contains(old))
      return try world.files.write(name, text.replacingOccurrences(of: old, with: new))
    }
    let office = try changed(
      world.office, "thin-central.yaml", "socket: \(world.files.path("http.sock"))",
      "address: 127.0.0.1, port: 8080")
    let post = try changed(
      try world.settings(.east), "thin-post.yaml", "url: \(world.line.url)",
      "url: http://127.0.0.1:8080")
    let central = try ServiceProcess(
      office, by: ThinNetwork.starter, environment: ["PATH": ThinNetwork.path])
    defer { central.end() }
    try central.read(untilEach: "\"service_started\"", "\"modem_set_up\"")
    let inside = ThinNetwork.starter(beside: central.id)
    let east = try ServiceProcess(post, by: inside)
    defer { east.end() }
    try east.read(untilEach: "\"directory_learned\"", "\"modem_ready\"")

    let photo = Self.jpeg(22_000)
    let path = world.files.path("photo.jpg")
    try Data(photo).write(to: URL(fileURLWithPath: path))
    _ = try world.record(.east, "BA 1 PA 1", photo: path)
    let log = try east.read(until: "\"uploaded\"", "\"photo\"")
    #expect(!log.contains("\"upload_missed\""), "\(log)")
    #expect(!log.contains("\"offline\""), "\(log)")
    // It went over the line, and that was thin.
    let (isDone, line) = ThinNetwork.run(
      inside + ["/usr/bin/env", "tc", "-s", "class", "show", "dev", "lo"])
    #expect(isDone && line.contains("rate 26Kbit"), "\(line)")
    let overlimits = line.split(separator: " ").drop { $0 != "overlimits" }.dropFirst().first
    #expect(overlimits.flatMap { Int($0) } ?? 0 > 0, "\(line)")
    let names = try FileManager.default.contentsOfDirectory(atPath: world.files.path("photos"))
    #expect(names.count == 1)
    let kept = try Data(
      contentsOf: URL(fileURLWithPath: world.files.path("photos/\(names.first ?? "")")))
    #expect(Array(kept) == photo)
  }
}
