import Glibc
import NodeCore
import TestSupport
import Testing

/// What goes along with a request, and what is read of an answer's header.
extension ServerClientConformance {
  private static let good = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"

  /// The header and the body of what was asked.
  private func parts(_ asked: [String]) throws -> (header: String, body: String) {
    let request = try #require(asked.first)
    let end = try #require(request.firstRange(of: "\r\n\r\n"))
    return (String(request[..<end.lowerBound]) + "\r\n", String(request[end.upperBound...]))
  }

  func methods() async throws {
    let body = ServerRequest.Body.bytes(Array("{\"a\":1}".utf8), contentType: "application/json")
    for (method, body) in [
      (ServerRequest.Method.get, .none), (.post, body), (.patch, body), (.delete, .none),
      (.post, .none), (.patch, .none), (.post, .bytes([], contentType: "application/json")),
    ] {
      let request = ServerRequest(
        method, path: "/rows?a=b", headers: [ServerRequest.Header("Prefer", "return=minimal")],
        body: body, answerBytes: Self.bytes)
      let (outcome, asked) = try await ask([.read, .write(Self.good)], request)
      #expect((try? outcome.get().status) == 200)
      let (header, sent) = try parts(asked)
      #expect(header.hasPrefix("\(method.rawValue) /rows?a=b HTTP/1.1\r\n"))
      let lines = header.lowercased()
      #expect(lines.contains("\r\nprefer: return=minimal\r\n"))
      // Whoever asks first whether a body may come waits a second for servers that do not answer that.
      #expect(!lines.contains("expect:"))
      guard case .bytes(let bytes, _) = body else {
        #expect(sent.isEmpty)
        continue
      }
      #expect(Array(sent.utf8) == bytes)
      #expect(lines.contains("\r\ncontent-length: \(bytes.count)\r\n"))
      #expect(lines.contains("\r\ncontent-type: application/json\r\n"))
    }
    // An answer without a body, whatever length it tells.
    let head = ServerRequest(.head, path: "/x", answerBytes: Self.bytes)
    let (outcome, asked) = try await ask(
      [.read, .write("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n")], head)
    #expect((try? outcome.get().body) == [])
    #expect(asked.first?.hasPrefix("HEAD /x HTTP/1.1\r\n") == true)
  }

  func tokens() async throws {
    var request = Self.request
    request.token = Token("another")
    let (_, asked) = try await ask([.read, .write(Self.good)], request)
    let lines = try parts(asked).header.lowercased()
    #expect(lines.contains("\r\nauthorization: bearer another\r\n"))
    #expect(!lines.contains("bearer token"))
    for text in ["a\r\nX: y", "a\0"] {
      request.token = Token(text)
      let (outcome, asked) = try await ask([.read, .write(Self.good)], request)
      guard case .failure(.unaskable) = outcome else {
        Issue.record("\(outcome)")
        continue
      }
      #expect(asked.isEmpty)
    }
  }

  func fields() async throws {
    let (outcome, _) = try await ask([
      .read,
      .write(
        "HTTP/1.1 103 Early Hints\r\nRetry-After: 9\r\nX: y\r\n\r\n"
          + "HTTP/1.1 429 Too Many\r\nDATE:  Wed, 28 Feb 2024 12:30:56 GMT \r\n"
          + "Set-Cookie: a\r\nretry-after:7\r\nContent-Length: 0\r\n\r\n"),
    ])
    #expect(
      try outcome.get().headers == [
        "date": "Wed, 28 Feb 2024 12:30:56 GMT", "retry-after": "7",
      ])
    let (early, _) = try await ask([
      .read,
      .write(
        "HTTP/1.1 103 Early Hints\r\nRetry-After: 9\r\n\r\n"
          + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
    ])
    #expect(try early.get().headers.isEmpty)
  }

  func ownTime() async throws {
    var request = Self.request
    request.timeout = .milliseconds(200)
    let (outcome, _) = try await ask([.read, .wait], request)
    #expect(outcome == .failure(.timedOut(.answer)))
  }

  func files() async throws {
    let directory = try TemporaryDirectory()
    let content = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 % 95 + 32) }
    let path = try directory.write("photo.jpg", bytes: content)
    func request(_ path: String, _ count: Int) -> ServerRequest {
      ServerRequest(
        .post, path: "/storage", headers: [ServerRequest.Header("x-upsert", "true")],
        body: .file(path: path, count: count, contentType: "image/jpeg"), answerBytes: Self.bytes)
    }
    let (outcome, asked) = try await ask(
      [.read, .write(Self.good)], request(path, content.count))
    #expect((try? outcome.get().status) == 200)
    let (header, sent) = try parts(asked)
    #expect(Array(sent.utf8) == content)
    let lines = header.lowercased()
    #expect(lines.contains("\r\ncontent-type: image/jpeg\r\n"))
    #expect(lines.contains("\r\ncontent-length: \(content.count)\r\n"))
    #expect(!lines.contains("expect:"))
    // A connection that the server has closed meanwhile: the file goes again, from its beginning.
    let server = try ScriptedServer(answering: Self.good)
    let client = makeClient(server.url, Self.patience)
    for _ in 0..<3 {
      #expect((try? await Self.ask(client, request(path, content.count)).get().status) == 200)
    }
    #expect(server.asked.count == 3)
    #expect(server.asked.allSatisfy { $0.utf8.suffix(content.count).elementsEqual(content) })
    client.end()
    server.end()
    let pipe = directory.file("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    for (path, count) in [
      (directory.file("none"), 9), (pipe, 9), (directory.path, 9), (path, content.count - 1),
      ("/dev/zero", 9),
    ] {
      let (outcome, asked) = try await ask(
        [.read, .write(Self.good)], request(path, count))
      guard case .failure(.unreadable(let reason)) = outcome else {
        Issue.record("\(path): \(outcome)")
        continue
      }
      #expect(!reason.isEmpty)
      #expect(asked.isEmpty)
    }
  }
}
