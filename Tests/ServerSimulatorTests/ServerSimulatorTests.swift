import EventLoop
import Glibc
import JSON
import ServerModel
import ServerSimulator
import TestSupport
import Testing
import Time

@Suite struct ServerSimulatorTests {
  /// Whatever comes back for these bytes until the other side ends, or `isEnough`.
  private func exchange(
    _ server: ServerSimulator, _ bytes: [UInt8],
    until isEnough: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }
  ) async -> String? {
    let port = server.port
    return await withCheckedContinuation { continuation in
      startThread {
        let line = Sockets.make()
        let (isConnected, _) = Sockets.withLoopback(port) { connect(line, $0, $1) == 0 }
        guard isConnected else {
          close(line)
          return continuation.resume(returning: nil)
        }
        Sockets.write(line, bytes)
        let answer = Sockets.read(line, until: isEnough)
        close(line)
        continuation.resume(returning: String(decoding: answer, as: UTF8.self))
      }
    }
  }

  private func request(
    _ method: String = "POST", _ target: String = "/rest/v1/vehicle_passages?on_conflict=client_id",
    _ body: JSONValue? = nil, headers: String = "Connection: close\r\n"
  ) -> [UInt8] {
    let body = body.map(JSONText.line) ?? ""
    return Array(
      ("\(method) \(target) HTTP/1.1\r\nHost: x\r\napikey: model-service-key\r\n\(headers)"
        + "Prefer: return=representation\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)").utf8
    )
  }

  private let passage: JSONValue = [
    "client_id": "903f6178-1d77-5a73-b651-63f83b997eb3", "plate_number": "BA1PA1234",
    "vehicle_type": "car", "checkpost_id": .text(ServerModel.Pilot.east),
    "segment_id": .text(ServerModel.Pilot.segment),
    "ranger_id": .text(ServerModel.Pilot.eastRanger), "recorded_at": "2026-01-01T00:00:00.412Z",
  ]

  private func running(
    _ journal: String? = nil, clocks: any Clocks = SystemClocks(),
    _ body: (ServerSimulator) async throws -> Void
  ) async throws {
    let server = try ServerSimulator(.pilot(), journal: journal, clocks: clocks)
    try server.start()
    defer { server.stop() }
    try await body(server)
    server.stop()
    await onThread { server.join() }
  }

  @Test func itAnswersOverHTTP() async throws {
    try await running { server in
      let answer = try #require(await exchange(server, request(headers: "Connection: close\r\n")))
      #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
      #expect(answer.contains("PGRST102"))
      let stored = try #require(
        await exchange(server, request("POST", "/rest/v1/vehicle_passages", passage)))
      #expect(stored.hasPrefix("HTTP/1.1 201 Created\r\n"))
      #expect(stored.contains("\r\nConnection: close\r\n"))
      #expect(server.withModel { $0.count(of: "vehicle_passages") } == 1)
    }
  }

  @Test func aConnectionStaysAndTakesOneRequestAfterTheOther() async throws {
    try await running { server in
      let three =
        (0..<2).flatMap { _ in request("GET", "/rest/v1/parks", headers: "") }
        + request("GET", "/rest/v1/parks")
      let answer = try #require(await exchange(server, three))
      #expect(answer.split(separator: "HTTP/1.1 200 OK").count == 3)
      #expect(answer.split(separator: "Connection: keep-alive").count == 3)
    }
  }

  @Test func aBodyInChunksIsRead() async throws {
    try await running { server in
      let body = JSONText.line(passage)
      let half = body.utf8.count / 2
      let (first, rest) = (body.prefix(half), body.dropFirst(half))
      let chunks =
        "\(String(half, radix: 16))\r\n\(first)\r\n"
        + "\(String(rest.utf8.count, radix: 16))\r\n\(rest)\r\n0\r\n\r\n"
      let answer = try #require(
        await exchange(
          server,
          Array(
            ("POST /rest/v1/vehicle_passages HTTP/1.1\r\napikey: model-service-key\r\n"
              + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n\(chunks)").utf8)))
      #expect(answer.hasPrefix("HTTP/1.1 201"))
    }
  }

  /// What comes over a thin line is taken bit by bit, by the server's own clock, and as a whole in the end.
  @Test func aThinLineTakesSoManyBytesASecond() async throws {
    let clocks = TestClocks(step: .milliseconds(1))
    try await running(clocks: clocks) { server in
      server.behave { $0.bytesPerSecond = 2_500 }
      let sent = request("POST", "/rest/v1/vehicle_passages", passage)
      let start = clocks.boot()
      let answer = try #require(await exchange(server, sent))
      #expect(answer.hasPrefix("HTTP/1.1 201 Created\r\n"))
      #expect(server.withModel { $0.count(of: "vehicle_passages") } == 1)
      // Fifty bytes each fiftieth of a second, the first of them at once.
      #expect(clocks.boot() - start >= .milliseconds(20 * ((sent.count + 49) / 50 - 1)))
      server.behave { $0.bytesPerSecond = nil }
      #expect(await exchange(server, request("GET", "/rest/v1/parks"))?.contains("200 OK") == true)
    }
  }

  @Test func whoAsksForLeaveIsGivenIt() async throws {
    try await running { server in
      let head =
        "POST /rest/v1/parks HTTP/1.1\r\napikey: model-service-key\r\nExpect: 100-continue\r\n"
        + "Content-Length: 2\r\n\r\n"
      let answer = try #require(
        await exchange(server, Array(head.utf8)) { $0.count >= 25 })
      #expect(answer == "HTTP/1.1 100 Continue\r\n\r\n")
    }
  }

  @Test func whatIsNoRequestIsRefused() async throws {
    try await running { server in
      let answer = await exchange(server, Array("SSH-2.0-x\r\n\r\n".utf8))
      #expect(answer?.hasPrefix("HTTP/1.1 400 ") == true)
    }
  }

  @Test func answersAreCutAndResetAfterTheCommit() async throws {
    try await running { server in
      server.inject(InjectedFault(.resetAfter))
      let reset = await exchange(server, request("POST", "/rest/v1/vehicle_passages", passage))
      #expect(reset == "")
      #expect(server.withModel { $0.count(of: "vehicle_passages") } == 1)

      server.inject(InjectedFault(.truncated))
      let cut = try #require(await exchange(server, request("GET", "/rest/v1/vehicle_passages")))
      let whole = try #require(await exchange(server, request("GET", "/rest/v1/vehicle_passages")))
      // The headers may be a second apart, and as long; half of the body is missing.
      #expect(cut.hasPrefix("HTTP/1.1 200 OK\r\n"))
      let body = whole.utf8.count - whole.prefix { $0 != "[" }.utf8.count
      #expect(cut.utf8.count == whole.utf8.count - body + body / 2)
    }
  }

  /// One hears nothing, until it goes; another gets its first byte meanwhile.
  @Test func whoHearsNothingKeepsNobodyElseWaiting() async throws {
    let clocks = RequestClocks()
    try await running(clocks: clocks) { server in
      server.inject(InjectedFault(.silent))
      server.inject(InjectedFault(.slow))
      let silent = Sockets.make()
      defer { close(silent) }
      #expect(Sockets.connect(silent, port: server.port))
      Sockets.write(silent, request("GET", "/rest/v1/parks"))
      var taken = clocks.taken.makeAsyncIterator()
      _ = await taken.next()
      let slow = await exchange(server, request("GET", "/rest/v1/parks")) { !$0.isEmpty }
      #expect(slow == "H")
      #expect(server.withModel { $0.fired } == [.silent: 1, .slow: 1])
      var byte: UInt8 = 0
      #expect(recv(silent, &byte, 1, Int32(MSG_DONTWAIT)) == -1)
    }
  }

  @Test func largeAnswersGoOutInPieces() async throws {
    try await running { server in
      server.behave { $0.piece = 1_000 }
      server.inject(InjectedFault(.huge))
      let answer = try #require(await exchange(server, request("GET", "/rest/v1/parks")))
      #expect(answer.utf8.count > 10_000_000)
    }
  }

  @Test func aServerThatIsAwayComesBackAtItsPort() async throws {
    try await running { server in
      #expect(await exchange(server, request("GET", "/rest/v1/parks")) != nil)
      server.behave { $0.isAway = true }
      // Connections end once it has noticed.
      while await exchange(server, request("GET", "/rest/v1/parks")) != nil {}
      server.behave { $0.isAway = false }
      var answer: String?
      while answer?.hasPrefix("HTTP/1.1 200") != true, server.failure == nil {
        answer = await exchange(server, request("GET", "/rest/v1/parks"))
      }
      #expect(server.failure == nil)
    }
  }

  /// Nobody else gets its port meanwhile. Nothing is asked before: an answered connection has the port for a while.
  @Test func aServerThatIsAwayKeepsItsPort() async throws {
    try await running { server in
      server.behave { $0.isAway = true }
      var isThere = true
      while isThere {
        let line = Sockets.make()
        isThere = Sockets.connect(line, port: server.port)
        close(line)
      }
      let other = Sockets.make()
      defer { close(other) }
      let (isBound, _) = Sockets.withLoopback(server.port) { bind(other, $0, $1) == 0 }
      #expect(!isBound)
    }
  }

  @Test func aConnectionEndsWithoutAWordAfterSoManyAnswers() async throws {
    try await running { server in
      server.behave { $0.answersPerConnection = 2 }
      let three = (0..<3).flatMap { _ in request("GET", "/rest/v1/parks", headers: "") }
      let answer = try #require(await exchange(server, three))
      #expect(answer.split(separator: "HTTP/1.1 200 OK").count == 2)
      #expect(!answer.contains("Connection: close"))
    }
  }

  @Test func whatWasAnsweredIsThereAfterARestart() async throws {
    let directory = try TemporaryDirectory()
    let journal = directory.file("journal")
    var rows: [[String: JSONValue]] = []
    try await running(journal) { server in
      server.inject(InjectedFault(.resetAfter, areas: [.tables], methods: ["POST"]))
      _ = await exchange(server, request("POST", "/rest/v1/vehicle_passages", passage))
      let photo = Array(
        ("POST /storage/v1/object/passage-photos/a.jpg HTTP/1.1\r\napikey: model-service-key\r\n"
          + "Content-Type: image/jpeg\r\nConnection: close\r\nContent-Length: 3\r\n\r\n").utf8)
      let kept = try #require(await exchange(server, photo + [0, 10, 255]))
      #expect(kept.hasPrefix("HTTP/1.1 200"))
      rows = server.withModel { $0.rows(of: "vehicle_passages") }
    }
    #expect(rows.count == 1)
    // One that was not written whole, as by a power cut.
    let whole = try Bytes.read(journal)
    try Bytes.write(whole + Array("1 - POST /rest/v1/vehicle_passages 0 500\n{".utf8), to: journal)
    try await running(journal) { server in
      #expect(server.withModel { $0.rows(of: "vehicle_passages") } == rows)
      #expect(server.withModel { $0.file("passage-photos/a.jpg") } == [0, 10, 255])
      #expect(server.withModel { $0.fired } == [.resetAfter: 1])
    }
    #expect(try Bytes.read(journal) == whole)
  }

  @Test func whatIsNoJournalIsNotTakenForOne() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("notes", "bread, milk\n")
    #expect(throws: ServerSimulatorError.notAJournal(path: path, byte: 0)) {
      _ = try ServerSimulator(.pilot(), journal: path)
    }
    let error = ServerSimulatorError.notAJournal(path: path, byte: 0)
    #expect(error.description.contains("name another file"))
  }

  @Test(.enabled(if: MountedDisk.isAllowed, "this user may not mount a file system"))
  func aJournalThatCannotBeWrittenEndsTheServer() async throws {
    let disk = try #require(MountedDisk(kilobytes: 64))
    let server = try ServerSimulator(.pilot(), journal: disk.file("journal"))
    disk.fill()
    try server.start()
    let answer = await exchange(server, request("POST", "/rest/v1/vehicle_passages", passage))
    #expect(answer == "")
    await onThread { server.join() }
    guard case .journal(_, "write", ENOSPC) = server.failure else {
      Issue.record("\(String(describing: server.failure))")
      return
    }
  }
}

/// The machine's clocks, which tell of each request that the server takes: it asks for the time of each, one request
/// after the other.
private final class RequestClocks: Clocks {
  let taken: AsyncStream<Void>
  private let telling: AsyncStream<Void>.Continuation
  private let system = SystemClocks()

  init() {
    (taken, telling) = AsyncStream.makeStream(of: Void.self)
  }

  func boot() -> BootInstant { system.boot() }

  func wall() -> WallTime {
    telling.yield()
    return system.wall()
  }
}

/// Files as bytes.
private enum Bytes {
  static func read(_ path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try #require(fopen(path, "w"))
    defer { fclose(file) }
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }
}
