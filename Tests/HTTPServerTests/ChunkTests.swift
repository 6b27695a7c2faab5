import CentralCore
import Log
import TestSupport
import Testing

@testable import HTTPServer

/// Bodies in chunks that cannot be read: told apart from bodies that are too large, and nobody else is the worse
/// for them.
@Suite(.timeLimit(.minutes(15))) struct ChunkTests {
  private static let webhook = ConnectionTests.path
  private static let table = "/rest/v1/vehicle_passages"
  private static let photograph =
    "/storage/v1/object/passage-photos/00000000-0000-4001-8000-000000000001.jpg"

  /// What is wrong, and the body.
  static let malformed: [(String, String)] = [
    ("a length of other letters", "g\r\nabc\r\n0\r\n\r\n"),
    ("a length that begins well", "3z\r\nabc\r\n0\r\n\r\n"),
    ("a negative length", "-3\r\nabc\r\n0\r\n\r\n"),
    ("a length with a sign", "+3\r\nabc\r\n0\r\n\r\n"),
    ("a length with a prefix", "0x3\r\nabc\r\n0\r\n\r\n"),
    ("a length behind a space", " 3\r\nabc\r\n0\r\n\r\n"),
    ("no length", "\r\nabc\r\n0\r\n\r\n"),
    ("a line end of one character", "3\nabc\r\n0\r\n\r\n"),
    ("half a line end", "3\rabc\r\n0\r\n\r\n"),
    ("nothing between two chunks", "3\r\nabc0\r\n\r\n"),
    ("a chunk that is longer than it says", "3\r\nabcdef\r\n0\r\n\r\n"),
    ("half a line end behind a chunk", "3\r\nabc\n0\r\n\r\n"),
    ("a second chunk whose length is none", "3\r\nabc\r\nxyz\r\nabc\r\n0\r\n\r\n"),
    ("a length of more digits than there are numbers", "fffffffffffffffff\r\nabc\r\n0\r\n\r\n"),
    (
      "zeros without end before a length",
      String(repeating: "0", count: 40_000) + "3\r\nabc\r\n0\r\n\r\n"
    ),
    (
      "words without end behind a length",
      "3;" + String(repeating: "a", count: 40_000) + "\r\nabc\r\n0\r\n\r\n"
    ),
    ("a field behind the last chunk that is none", "3\r\nabc\r\n0\r\nnot a field\r\n\r\n"),
  ]

  /// A request with a body in chunks, and what a client would send after it.
  private static func request(_ path: String, _ type: String, _ body: String) -> String {
    "POST \(path) HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer east\r\nContent-Type: \(type)\r\n"
      + "Transfer-Encoding: chunked\r\n\r\n\(body)GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n"
  }

  @Test(arguments: malformed)
  func whatCannotBeReadIsABadRequest(_ fault: String, _ body: String) async throws {
    let api = try APIBench()
    try await api.bench.serve { address in
      for (path, type, words) in [
        (Self.webhook, "application/x-www-form-urlencoded", "<Response/>"),
        (Self.table, "application/json", "\"code\":\"PGRST102\""),
        (Self.photograph, "image/jpeg", "\"code\":\"InvalidRequest\""),
      ] {
        let (answer, isGone) = try await ConnectionTests().exchange(
          Self.request(path, type, body), at: address)
        #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(fault): \(answer.prefix(60))")
        #expect(answer.contains(words), "\(fault): \(answer.suffix(200))")
        #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
        // What follows is no request.
        #expect(answer.ranges(of: "HTTP/1.1 ").count == 1)
        #expect(isGone, "the server still holds it: \(fault)")
        let next = try await send(address + "/healthz")
        #expect(next.status == 200)
      }
    }
    #expect(api.bench.log.counts["webhook_form"] == 1)
    #expect(api.bench.log.counts["webhook_body"] == nil)
    #expect(try api.bench.store.overview().received == 0)
  }

  /// A body that ends before its last chunk, while the client still listens.
  @Test func whatEndsTooEarlyIsABadRequest() async throws {
    let bench = try Bench()
    try await bench.serve { address in
      let port = try address.port
      for beginning in ["", "3", "3\r\nab", "3\r\nabc\r\n", "3\r\nabc\r\n0\r\n"] {
        let answer = await onThread { () -> String in
          guard let connection = try? RawConnection(port) else { return "" }
          connection.send(
            "POST \(Self.webhook) HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n"
              + "Content-Type: application/x-www-form-urlencoded\r\n\r\n\(beginning)")
          connection.finish()
          return connection.receive()
        }
        #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(beginning.debugDescription): \(answer)")
        let next = try await send(address + "/healthz")
        #expect(next.status == 200)
      }
    }
    #expect(try bench.store.overview().received == 0)
  }

  /// One that is read well, and is larger than is taken, is told so.
  @Test(arguments: [
    (webhook, "application/x-www-form-urlencoded", 16 * 1_024 + 1),
    (table, "application/json", 1_024 * 1_024 + 1),
  ])
  func whatIsTooLargeIsToldSo(_ path: String, _ type: String, _ count: Int) async throws {
    let api = try APIBench()
    try await api.bench.serve { address in
      let body =
        "\(String(count, radix: 16))\r\n" + String(repeating: "x", count: count) + "\r\n0\r\n\r\n"
      let (answer, isGone) = try await ConnectionTests().exchange(
        Self.request(path, type, body), at: address)
      #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(answer.prefix(60))")
      #expect(isGone)
      let next = try await send(address + "/healthz")
      #expect(next.status == 200)
    }
  }

  /// A client may send each byte as a chunk, with a word and some zeros.
  @Test func smallChunksAreABody() async throws {
    let bench = try Bench()
    try await bench.serve { address in
      let text = ProviderText()
      let chunks = text.form.map { "001;a=b\r\n\(Character(UnicodeScalar($0)))\r\n" }.joined()
      let (answer, _) = try await ConnectionTests().exchange(
        "POST \(Self.webhook) HTTP/1.1\r\nHost: test\r\nConnection: close\r\n"
          + "Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n"
          + "X-Twilio-Signature: \(text.signature())\r\n\r\n\(chunks)0\r\n\r\n", at: address)
      #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer.prefix(60))")
    }
    #expect(try bench.store.overview().received == 1)
  }
}
