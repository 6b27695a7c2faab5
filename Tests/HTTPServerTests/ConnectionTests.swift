import CentralCore
import Log
import NIOCore
import TestSupport
import Testing

@testable import HTTPServer

/// When a connection ends, whatever is sent on it.
@Suite(.timeLimit(.minutes(15))) struct ConnectionTests {
  static let path = "/functions/v1/sms-webhook"

  /// What comes of a request on a connection of its own, and whether the server then lets go of it.
  func exchange(
    _ request: String, answers: Int = .max, at address: String
  ) async throws -> (answer: String, isGone: Bool) {
    let port = try address.port
    let result = await onThread { () -> (String, Bool)? in
      guard let connection = try? RawConnection(port) else { return nil }
      connection.send(request)
      let answer = connection.receive(answers: answers)
      return (answer, connection.isGone())
    }
    return try #require(result)
  }

  @Test(arguments: [
    "GET /healthz HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: test\r\nConnection: Foo, Close\r\n\r\n",
    "GET /healthz HTTP/1.0\r\n\r\n",
    "GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    "POST \(path) HTTP/1.0\r\nContent-Length: 3\r\nContent-Type: text/plain\r\n\r\na=b",
  ])
  func aConnectionThatIsToCloseIsClosedAtOnce(_ request: String) async throws {
    try await Bench().serve { address in
      let (answer, isGone) = try await exchange(request, answers: 1, at: address)
      #expect(answer.hasPrefix("HTTP/1.1 "))
      #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
      #expect(isGone, "the server still holds it: \(request.debugDescription)")
    }
  }

  /// Whatever the path: what follows an answer to half a request is no request.
  @Test(arguments: ["/", "/healthz", path])
  func anAnswerToABodyThatWasNotReadIsTheLastOne(_ path: String) async throws {
    try await Bench().serve { address in
      let (answer, isGone) = try await exchange(
        "POST \(path) HTTP/1.1\r\nHost: test\r\nContent-Type: text/plain\r\n"
          + "Content-Length: 15000\r\n\r\nsome of it", answers: 1, at: address)
      #expect(answer.hasPrefix("HTTP/1.1 4"))
      #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
      #expect(isGone)
    }
  }

  @Test func anAnswerToALargeBodyArrivesThoughNobodyReadsTheBody() async throws {
    let bench = try Bench()
    try await bench.serve { address in
      let body = String(repeating: "x", count: 200_000)
      for path in ["/", ConnectionTests.path] {
        let (answer, _) = try await exchange(
          "POST \(path) HTTP/1.1\r\nHost: test\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)", at: address)
        #expect(answer.hasPrefix(path == "/" ? "HTTP/1.1 404" : "HTTP/1.1 413"))
      }
    }
    #expect(bench.log.counts["webhook_body"] == 1)
    #expect(bench.log.counts["webhook_signature"] == nil)
  }

  @Test(arguments: [
    ("GET /healthz HTTP/1.1\r\n\r\n", "400"),
    ("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", "400"),
    ("GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", "400"),
    ("GET /healthz HTTP/1.1\r\nHost: a, b\r\n\r\n", "400"),
    ("GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n", "400"),
    ("GET /healthz HTTP/1.1\r\nHost: a@b\r\n\r\n", "400"),
    (
      "POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "501"
    ),
    (
      "POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "501"
    ),
    (
      "POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
      "400"
    ),
    (
      "POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n",
      "501"
    ),
    ("POST \(path) HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400"),
    (
      "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "0\r\n\r\n", "400"
    ),
    (
      "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
      "400"
    ),
    ("GET /healthz HTTP/1.7\r\nHost: a\r\n\r\n", "400"),
    ("GET /healthz HTTP/1.1\r\nHost: a\r\n Folded: b\r\n\r\n", "400"),
    ("GET /healthz HTTP/1.1\r\nHost: a\r\nName : b\r\n\r\n", "400"),
    ("GET /healthz HTTP/1.1\r\nHost: a\r\nName: b\r\n\tfolded\r\n\r\n", "400"),
    ("GET /healthz HTTP/1.1\r\nHost: a\r\nName: b\rc\r\n\r\n", "400"),
    ("GET /healthz HTTP/1.1\r\nHost: a\r\nName: b\0c\r\n\r\n", "400"),
    ("GET /healthz HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", "400"),
    ("GET /healthz HTTP/1.1\r\nHost: a\r\nNa(me: b\r\n\r\n", "400"),
    ("GET /healthz HTTP/1.1\nHost: a\n\n", "400"),
    ("GET /healthz HTTP/1.1\r\nHost: a\nName: b\r\n\r\n", "400"),
    ("GET /hea lthz HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    ("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nhello", "400"),
    ("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5\r\n\r\nhello", "400"),
    ("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\nhello", "400"),
    ("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5\r\n\r\nhello", "400"),
    (
      "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\nhello", "400"
    ),
    (
      "POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", "501"
    ),
    (
      "POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\u{B}chunked\r\n\r\n0\r\n\r\n", "400"
    ),
    (
      "POST \(path) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
        + "Content-Type: application/x-www-form-urlencoded\r\n\r\n-1\r\n\r\n", "400"
    ),
    ("nonsense\r\n\r\n", "400"),
  ])
  func aRequestThatCanBeReadInTwoWaysIsRefused(_ request: String, _ status: String) async throws {
    try await Bench().serve { address in
      // What follows would be taken for a request of its own.
      let (answer, isGone) = try await exchange(
        request + "GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n", at: address)
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer.prefix(60))")
      #expect(answer.ranges(of: "HTTP/1.1 ").count == 1)
      #expect(isGone)
    }
  }

  @Test func requestsThatAreAllRightAreAnswered() async throws {
    try await Bench().serve { address in
      for request in [
        "GET /healthz HTTP/1.0\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: [::1]:8080\r\nConnection: close\r\n\r\n",
        "GET http://a/healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      ] {
        let (answer, _) = try await exchange(request, at: address)
        #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(request.debugDescription)")
      }
    }
  }

  /// A body in chunks is a body as any other, also when it comes byte by byte.
  @Test func aBodyInChunksIsTaken() async throws {
    let bench = try Bench()
    try await bench.serve { address in
      let text = ProviderText()
      let form = String(decoding: text.form, as: UTF8.self)
      let chunks = form.split(separator: "&", omittingEmptySubsequences: false).enumerated().map {
        let piece = $0.offset == 0 ? String($0.element) : "&" + $0.element
        return "\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n"
      }
      let request =
        "POST \(ConnectionTests.path) HTTP/1.1\r\nHost: test\r\nConnection: close\r\n"
        + "Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n"
        + "X-Twilio-Signature: \(text.signature())\r\n\r\n" + chunks.joined() + "0\r\n\r\n"
      let (answer, _) = try await exchange(request, at: address)
      #expect(answer.hasPrefix("HTTP/1.1 200 "))
      let port = try address.port
      let slow = await onThread { () -> String in
        guard let connection = try? RawConnection(port) else { return "" }
        for byte in request.utf8 { _ = connection.sendNow([byte]) }
        return connection.receive()
      }
      #expect(slow.hasPrefix("HTTP/1.1 200 "))
    }
    #expect(try bench.store.inboxItem(1)?.timesReceived == 2)
  }

  /// Who sends ahead of the answers gets them all, in order, one after the other.
  @Test func requestsThatAreSentAheadAreAnsweredInOrder() async throws {
    let bench = try Bench()
    try await bench.serve { address in
      var requests = ""
      for sid in 0..<40 {
        let text = ProviderText(sid: sid)
        requests += "GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n"
        requests += "GET /nothing HTTP/1.1\r\nHost: test\r\n\r\n"
        requests +=
          "POST \(ConnectionTests.path) HTTP/1.1\r\nHost: test\r\nContent-Length: \(text.form.count)\r\n"
          + "Content-Type: application/x-www-form-urlencoded\r\n"
          + "X-Twilio-Signature: \(text.signature())\r\n\r\n"
          + String(decoding: text.form, as: UTF8.self)
      }
      requests += "GET /healthz HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"
      let (answers, _) = try await exchange(requests, at: address)
      let statuses = answers.split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
      #expect(statuses == (0..<40).flatMap { _ in ["200", "404", "200"] } + ["200"])
    }
    #expect(try bench.store.overview().received == 40)
  }

  /// A client that ends its side after the request still gets the answer.
  @Test func whoEndsItsSideIsStillAnswered() async throws {
    try await Bench().serve { address in
      let port = try address.port
      let (answer, isGone) = await onThread { () -> (String, Bool) in
        guard let connection = try? RawConnection(port) else { return ("", false) }
        connection.send("GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n")
        connection.finish()
        return (connection.receive(), connection.isGone())
      }
      #expect(answer.hasPrefix("HTTP/1.1 200 "))
      #expect(isGone)
    }
  }

  /// Whatever the path, a body of which a byte comes now and then ends.
  @Test(arguments: ["/", "/healthz", path])
  func aBodyThatTricklesEnds(_ path: String) async throws {
    var bounds = ConnectionBounds()
    bounds.header = .milliseconds(500)
    bounds.body = .milliseconds(500)
    bounds.linger = .milliseconds(500)
    let twilio = TwilioSettings(
      signature: TwilioSignature(tokens: [Bench.token], publicURLs: [Bench.url]))
    try await Bench().serve(twilio: twilio, bounds: bounds) { address, _ in
      let port = try address.port
      for beginning in [
        "POST \(path) HTTP/1.1\r\nHost: test\r\nContent-Length: 15000\r\n"
          + "Content-Type: application/x-www-form-urlencoded\r\n\r\n",
        "POST \(path) HTTP/1.1\r\nHost: test\r\nX: ", "x",
      ] {
        let isClosed = await onThread { () -> Bool in
          guard let connection = try? RawConnection(port) else { return false }
          connection.send(beginning)
          return connection.isClosedWhileTrickling(tries: 400)
        }
        #expect(isClosed, "\(beginning.debugDescription)")
      }
    }
  }

  /// As many slow bodies as there are connections keep nobody out, whom they come from.
  @Test func genuineTextsAreTakenBesideACrowdOfSlowBodies() async throws {
    let bench = try Bench()
    try await bench.serve(twilio: .expected, bounds: ConnectionBounds()) { address, _ in
      let port = try address.port
      let crowd = try await onThread { () -> Result<SlowCrowd, any Error> in
        Result {
          try SlowCrowd(
            256, to: port,
            beginning: "POST /nothing HTTP/1.1\r\nHost: test\r\nContent-Length: 15000\r\n\r\n")
        }
      }.get()
      async let trickling: Void = crowd.trickle()
      let answered = await withTaskGroup(of: Bool.self) { group in
        for sid in 0..<23 {
          group.addTask {
            let text = ProviderText(sid: sid)
            return await onThread {
              guard let connection = try? RawConnection(port) else { return false }
              connection.send(
                "POST \(ConnectionTests.path) HTTP/1.1\r\nHost: test\r\nConnection: close\r\n"
                  + "Content-Length: \(text.form.count)\r\n"
                  + "Content-Type: application/x-www-form-urlencoded\r\n"
                  + "X-Twilio-Signature: \(text.signature())\r\n\r\n"
                  + String(decoding: text.form, as: UTF8.self))
              return connection.receive().hasPrefix("HTTP/1.1 200 ")
            }
          }
        }
        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
      crowd.stop()
      await trickling
      #expect(answered == 23)
    }
    #expect(try bench.store.overview().received == 23)
  }
}
