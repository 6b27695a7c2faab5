import Glibc
import TestSupport
import Testing

/// What came back.
struct Answer: Sendable {
  var status: Int
  var headers: [String: String]
  var body: String

  init(status: Int, headers: [String: String], body: String) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Nil when it is no answer in HTTP.
  init?(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    // A line end of two characters is one character in Swift.
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    guard let first = lines.first, first.hasPrefix("HTTP/1.1 "),
      let status = Int(first.dropFirst(9).prefix(3)), let end = lines.firstIndex(of: "")
    else { return nil }
    self.status = status
    headers = [:]
    for line in lines[1..<end] {
      let halves = line.split(separator: ":", maxSplits: 1)
      guard halves.count == 2 else { return nil }
      headers[halves[0].lowercased()] = String(halves[1].drop { $0 == " " })
    }
    body = lines[(end + 1)...].joined(separator: "\r\n")
  }
}

/// Sends a request over a connection of its own and returns what came back.
///
/// - Parameters:
///   - url: `http://127.0.0.1:PORT/path`.
///   - body: What is posted; nil gets.
///   - declared: The length that is claimed, when it is another.
func send(
  _ url: String, _ body: [UInt8]? = nil,
  contentType: String? = "application/x-www-form-urlencoded", signature: String? = nil,
  declaring declared: Int? = nil
) async throws -> Answer {
  let rest = url.dropFirst("http://127.0.0.1:".count)
  let port = try #require(UInt16(rest.prefix { $0 != "/" }))
  let path = rest.drop { $0 != "/" }
  var head =
    "\(body == nil ? "GET" : "POST") \(path) HTTP/1.1\r\nHost: test\r\nConnection: close\r\n"
  if let body {
    head += "Content-Length: \(declared ?? body.count)\r\n"
    if let contentType { head += "Content-Type: \(contentType)\r\n" }
    if let signature { head += "X-Twilio-Signature: \(signature)\r\n" }
  }
  let bytes = Array((head + "\r\n").utf8) + (body ?? [])
  let answer = await onThread { () -> [UInt8] in
    let connection = Sockets.make()
    defer { close(connection) }
    guard Sockets.withLoopback(port, { connect(connection, $0, $1) }).0 == 0 else { return [] }
    Sockets.write(connection, bytes)
    return Sockets.read(connection)
  }
  guard let read = Answer(answer) else { throw NoAnswer(bytes: answer.count) }
  return read
}

/// The connection ended without an answer in HTTP.
struct NoAnswer: Error {
  var bytes: Int
}
