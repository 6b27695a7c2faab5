import Foundation
import Glibc
import TestSupport
import Testing

/// The memory of a central to which somebody sends requests without reading the answers, measured in the
/// running service.
@Suite(.ownThreads) struct PipeliningTests {
  /// Connections of one that sends ahead.
  static let connections = 50

  @Test(.timeLimit(.minutes(15))) func whoSendsWithoutReadingTakesLittleMemory() throws {
    let files = try ProgramFiles()
    let path = try files.write(
      "checkpost.yaml",
      """
      roles: {central: true}
      central: {database: \(files.path("central.db")), http: {port: 0}}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      """)
    let service = try ServiceProcess(path)
    try service.read(until: "\"service_started\"")
    let port = try PipeliningTests.portAtWhichItListens(service.id)
    let first = try #require(PipeliningTests.connected(port))
    let before = try PipeliningTests.memory(service.id)
    let others = (1..<PipeliningTests.connections).map { _ in PipeliningTests.connected(port) ?? -1
    }
    let all = [first] + others
    defer { for descriptor in all { close(descriptor) } }
    #expect(!all.contains(-1))
    let sent = PipeliningTests.flood(all)
    try PipeliningTests.waitUntilQuiet(service.id)
    let after = try PipeliningTests.memory(service.id)
    // 40 KiB for each connection, and what the service needs for the first requests of its life.
    #expect(after.peak - before.peak < 10 << 20, "\(before) \(after), \(sent) bytes were taken")
    // What the system keeps for the service is bounded too.
    #expect(sent < PipeliningTests.connections * 1 << 20)
    // It still serves.
    close(all[0])
    let answer = try #require(PipeliningTests.connected(port))
    defer { close(answer) }
    _ = PipeliningTests.send(answer, Array("GET /healthz HTTP/1.0\r\n\r\n".utf8))
    var interest = pollfd(fd: answer, events: Int16(POLLIN), revents: 0)
    #expect(poll(&interest, 1, 60_000) == 1)
  }

  /// Sends requests on every connection until none of them takes any more for a while, or a lot was
  /// taken; returns how much that was, in bytes.
  private static func flood(_ descriptors: [Int32]) -> Int {
    let requests = Array(
      String(repeating: "GET /healthz HTTP/1.1\r\nHost: t\r\n\r\n", count: 2_000).utf8)
    var sent = 0
    // A client without a bound would go on for ever.
    while sent < 1 << 30 {
      var taken = 0
      for descriptor in descriptors { taken += send(descriptor, requests) }
      sent += taken
      if taken == 0 {
        var interests = descriptors.map { pollfd(fd: $0, events: Int16(POLLOUT), revents: 0) }
        if poll(&interests, nfds_t(interests.count), 1_000) == 0 { break }
        // Those that the server has closed take nothing any more.
        if interests.allSatisfy({ $0.revents & Int16(POLLERR | POLLHUP) != 0 || $0.revents == 0 }) {
          break
        }
      }
    }
    return sent
  }

  /// Waits until a process has nothing to do any more: until it has run for little time of late.
  private static func waitUntilQuiet(_ id: Int32) throws {
    func ticks() throws -> Int {
      let fields =
        try String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
        .split(separator: ")").last?.split(separator: " ") ?? []
      // User and system time stand 12 and 13 places after the name (proc(5)).
      return (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
    }
    var last = try ticks()
    while true {
      poll(nil, 0, 1_000)
      let now = try ticks()
      if now - last < 5 { return }
      last = now
    }
  }

  private static func send(_ descriptor: Int32, _ bytes: [UInt8]) -> Int {
    let count = bytes.withUnsafeBytes {
      Glibc.send(
        descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
    return max(count, 0)
  }

  /// The port at which a process listens, as soon as it does. A free one that was looked for before might be
  /// another test's by now.
  private static func portAtWhichItListens(_ id: Int32) throws -> UInt16 {
    while true {
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd")
      let sockets = Set(
        descriptors.compactMap {
          try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/fd/\($0)")
        })
      // Address and port, the other side's, the state (0A listens), and with the tenth its inode (proc(5)).
      let table = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
      for line in table.split(separator: "\n") {
        let fields = line.split(separator: " ")
        guard fields.count > 9, fields[3] == "0A", sockets.contains("socket:[\(fields[9])]"),
          let digits = fields[1].split(separator: ":").last, let port = UInt16(digits, radix: 16)
        else { continue }
        return port
      }
      poll(nil, 0, 20)
    }
  }

  private static func connected(_ port: UInt16) -> Int32? {
    let descriptor = Sockets.make()
    // What this side keeps says nothing of the other one, and would keep the other one busy for long.
    for (option, size) in [(SO_SNDBUF, 16 * 1_024), (SO_RCVBUF, 4 * 1_024)] {
      var bytes = Int32(size)
      setsockopt(descriptor, SOL_SOCKET, option, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }
    if Sockets.withLoopback(port, { connect(descriptor, $0, $1) }).0 == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  /// The memory that a process has, and the most that it had, in bytes.
  private static func memory(_ id: Int32) throws -> (now: Int, peak: Int) {
    let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
    func value(_ name: String) throws -> Int {
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
      return try #require(Int(line.filter(\.isNumber))) * 1_024
    }
    return (try value("VmRSS"), try value("VmHWM"))
  }
}
