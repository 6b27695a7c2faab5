import Glibc
import NodeCore
import TestSupport
import Testing

/// What every implementation of the port ``ServerClient`` has to hold, against servers as bad as real
/// ones. A suite of tests for an implementation calls each of these.
struct ServerClientConformance: Sendable {
  typealias Outcome = Result<ServerAnswer, ServerClientError>

  /// Makes a client for a server's URL, with the key `key`, the token `token` and a time for an exchange.
  let makeClient: @Sendable (_ url: String, _ timeout: Duration) -> any ServerClient

  /// How long an answer that does come may take: other tests may hold all threads for long.
  static let patience = Duration.seconds(600)
  static let bytes = 1_000
  static let request = ServerRequest(path: "/rows?limit=1", answerBytes: bytes)

  static func ask(
    _ client: any ServerClient, _ request: ServerRequest = Self.request
  ) async -> Outcome {
    await withCheckedContinuation { continuation in
      client.send(request) { continuation.resume(returning: $0) }
    }
  }

  /// What comes of a request to a server that follows a script.
  func ask(
    _ script: [ScriptedServer.Step], _ request: ServerRequest = Self.request,
    scheme: String = "http", within timeout: Duration = ServerClientConformance.patience
  ) async throws -> (outcome: Outcome, asked: [String]) {
    let server = try ScriptedServer(script)
    let client = makeClient("\(scheme)://127.0.0.1:\(server.port)/", timeout)
    let outcome = await Self.ask(client, request)
    client.end()
    server.end()
    return (outcome, server.asked)
  }

  func answers() async throws {
    let (outcome, asked) = try await ask([
      .read, .write("HTTP/1.1 200 OK\r\nContent-Type: a/b; c=d\r\nContent-Length: 2\r\n\r\n[]"),
    ])
    #expect(
      outcome == .success(ServerAnswer(status: 200, contentType: "a/b; c=d", body: [91, 93])))
    let request = try #require(asked.first)
    #expect(request.hasPrefix("GET /rows?limit=1 HTTP/1.1\r\n"))
    let lines = request.lowercased()
    #expect(lines.contains("\r\napikey: key\r\n"))
    #expect(lines.contains("\r\nauthorization: bearer token\r\n"))
    #expect(lines.contains("\r\naccept: application/json\r\n"))
  }

  /// However the end of the body is told, and whatever comes before the answer.
  func bodies() async throws {
    for answer in [
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n[\r\n1\r\n]\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\n\r\n[]", "HTTP/1.0 200 OK\r\n\r\n[]",
      // Fields behind the body, with and without the empty line that ends them for all to see.
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum, Date\r\n\r\n"
        + "2\r\n[]\r\n0\r\nX-Sum: 1\r\nDate: never\r\nRetry-After: 9\r\n\r\n",
      "HTTP/1.1 200 OK: fine\r\nContent-Length: 2\r\n\r\n[]",
      "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]",
    ] {
      let (outcome, _) = try await ask([.read, .write(answer)])
      #expect(
        outcome == .success(ServerAnswer(status: 200, contentType: nil, body: [91, 93])),
        "\(answer.debugDescription)")
    }
  }

  /// An answer of any status is an answer, and none is followed.
  func statuses() async throws {
    let elsewhere = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    for status in [204, 301, 302, 307, 401, 404, 429, 500, 503, 511, 599] {
      let (outcome, _) = try await ask([
        .read,
        .write(
          "HTTP/1.1 \(status) \r\nLocation: \(elsewhere.url)/\r\nContent-Length: 0\r\n\r\n"),
      ])
      #expect(outcome == .success(ServerAnswer(status: status, contentType: nil, body: [])))
    }
    elsewhere.end()
    #expect(elsewhere.connected == 0)
  }

  func sizes() async throws {
    let most = String(repeating: "x", count: Self.bytes)
    for (body, isTaken) in [(most, true), (most + "x", false)] {
      let (outcome, _) = try await ask([
        .read, .write("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"),
      ])
      #expect((try? outcome.get().body.count) == (isTaken ? Self.bytes : nil))
      if !isTaken { #expect(outcome == .failure(.tooLong)) }
    }
    for endless: [ScriptedServer.Step] in [
      [.write("HTTP/1.1 200 OK\r\n\r\n"), .trickle(most, every: 0)],
      [
        .write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .trickle("3e8\r\n\(most)\r\n", every: 0),
      ],
      [.write("HTTP/1.1 200 OK\r\n"), .trickle("X: \(most)\r\n", every: 0)],
      [.write("HTTP/1.1 200 OK\r\nX: "), .trickle(most, every: 0)],
      [.trickle("HTTP/1.1 103 Early Hints\r\nX: \(most)\r\n\r\n", every: 0)],
    ] {
      let (outcome, _) = try await ask([.read] + endless)
      #expect(outcome == .failure(.tooLong))
    }
  }

  func garbage() async throws {
    for answer in [
      "nonsense\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "220 mail ESMTP\r\n", "\0\0\0\0\0\0\0\0\0\0",
      "HTTP/9.9 200 OK\r\n\r\n", "<html>Sign in</html>",
    ] {
      let (outcome, _) = try await ask([.read, .write(answer)])
      #expect(outcome == .failure(.notHTTP), "\(answer.debugDescription)")
    }
  }

  func ends() async throws {
    // A reset may come before it is known that there is a connection.
    for script: [ScriptedServer.Step] in [[], [.reset]] {
      let (outcome, _) = try await ask(script)
      switch outcome {
      case .failure(.cutOff), .failure(.noConnection): break
      default: Issue.record("\(script): \(outcome)")
      }
    }
    for script: [ScriptedServer.Step] in [
      [.read], [.read, .reset],
      [.read, .write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[")],
      [.read, .write("HTTP/1.1 200 OK\r\nContent-Type: application/js")],
      [.read, .write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")],
      [.read, .write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n[")],
      [.read, .write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n[\r\n")],
    ] {
      let (outcome, _) = try await ask(script)
      #expect(outcome == .failure(.cutOff), "\(script)")
    }
  }

  func slow() async throws {
    for script: [ScriptedServer.Step] in [
      [.wait], [.read, .wait], [.read, .write("HTTP/1."), .wait],
      [.read, .write("HTTP/1.1 200 OK\r\n"), .trickle("X: y\r\n", every: 50)],
      [.read, .write("HTTP/1.1 200 OK\r\n\r\n"), .trickle("x", every: 50)],
    ] {
      let (outcome, _) = try await ask(script, within: .milliseconds(300))
      #expect(outcome == .failure(.timedOut(.answer)), "\(script)")
    }
  }

  /// A machine that answers nothing to whoever connects, as one behind a firewall.
  func closed() async throws {
    let (listener, port) = try Sockets.bound()
    try #require(listen(listener, 0) == 0)
    // The system takes so many, and leaves the others without an answer.
    let crowd = (0..<4).map { _ in
      let waiting = Sockets.make()
      _ = fcntl(waiting, F_SETFL, O_NONBLOCK)
      _ = Sockets.withLoopback(port) { connect(waiting, $0, $1) }
      return waiting
    }
    for scheme in ["http", "https"] {
      let client = makeClient("\(scheme)://127.0.0.1:\(port)", .milliseconds(300))
      #expect(await Self.ask(client) == .failure(.timedOut(.connection)))
      client.end()
    }
    for descriptor in crowd + [listener] { close(descriptor) }
  }

  func encryption() async throws {
    // An answer in clear, and the alert of a server that agrees to nothing.
    for bytes in [Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), [21, 3, 1, 0, 2, 2, 40]] {
      let (outcome, _) = try await ask([.bytes(bytes), .wait], scheme: "https")
      guard case .failure(.untrusted(let reason)) = outcome else {
        Issue.record("\(outcome)")
        continue
      }
      #expect(!reason.isEmpty)
    }
    let (silent, _) = try await ask([.wait], scheme: "https", within: .milliseconds(300))
    #expect(silent == .failure(.timedOut(.encryption)))
  }

  func nobody() async throws {
    let (taken, port) = try Sockets.bound()
    let client = makeClient("http://127.0.0.1:\(port)", Self.patience)
    #expect(await Self.ask(client) == .failure(.refused))
    client.end()
    close(taken)
    let nameless = makeClient("https://no-such-server.invalid", .seconds(5))
    let outcome = await Self.ask(nameless)
    nameless.end()
    #expect(
      [.failure(.unknownName), .failure(.timedOut(.name))].contains(outcome), "\(outcome)")
  }

  func addresses() async {
    for url in [
      "", "nonsense", "ftp://example.org", "http://", "http:///x", "file:///etc/passwd",
      "http://a b/", "http://127.0.0.1:99999",
    ] {
      let client = makeClient(url, .seconds(5))
      guard case .failure(.unaskable(let reason)) = await Self.ask(client) else {
        Issue.record("\(url) is no address")
        continue
      }
      #expect(!reason.isEmpty)
      client.end()
    }
  }

  /// A connection serves the next request too, and one that the server has closed hinders nobody.
  func keeping() async throws {
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"
    let server = try ScriptedServer(answering: answer, requests: 3)
    let client = makeClient(server.url, Self.patience)
    let clock = ContinuousClock()
    var last = clock.now
    var longest = Duration.zero
    for _ in 0..<5 {
      #expect((try? await Self.ask(client).get().status) == 200)
      longest = max(longest, clock.now - last)
      last = clock.now
    }
    // A connection that nobody used for 60 s is not used again, and where the tests fill the machine an
    // answer may wait as long for its turn.
    let connected = server.connected
    #expect(longest > .seconds(50) ? (2...5).contains(connected) : connected == 2, "\(longest)")
    #expect(server.asked.count == 5)
    client.end()
    server.end()
  }

  func many() async throws {
    let server = try ScriptedServer(
      answering: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    let client = makeClient(server.url, Self.patience)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<30 {
        group.addTask { (try? await Self.ask(client).get().status) == 200 }
      }
      for await isAnswered in group { #expect(isAnswered) }
    }
    #expect(server.asked.count == 30)
    client.end()
    server.end()
  }

  /// What is out when it ends is told so, once, and so is what comes later.
  func ending() async throws {
    let server = try ScriptedServer([.read, .wait])
    let client = makeClient(server.url, Self.patience)
    await withTaskGroup(of: Outcome.self) { group in
      for _ in 0..<5 { group.addTask { await Self.ask(client) } }
      group.addTask {
        await onThread {
          while server.asked.count < 5 { poll(nil, 0, 1) }
          client.end()
        }
        return .failure(.ended)
      }
      for await outcome in group { #expect(outcome == .failure(.ended)) }
    }
    client.end()
    #expect(await Self.ask(client) == .failure(.ended))
    let unused = makeClient(server.url, Self.patience)
    unused.end()
    #expect(await Self.ask(unused) == .failure(.ended))
    server.end()
  }
}
