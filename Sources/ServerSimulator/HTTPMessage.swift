import ServerModel

/// Requests and answers as bytes (RFC 9112).
enum HTTPMessage {
  /// What came of reading a request.
  enum Reading {
    /// More bytes have to come; whether whoever sends them waits to be told so.
    case incomplete(awaitsLeave: Bool)
    /// A request, whether the connection stays after it, and how many bytes it took.
    case whole(ModelRequest, staysOpen: Bool, count: Int)
    /// No request.
    case broken
  }

  static func read(_ bytes: [UInt8]) -> Reading {
    guard let end = end(of: bytes) else {
      return bytes.count > Limits.headerBytes ? .broken : .incomplete(awaitsLeave: false)
    }
    let lines = String(decoding: bytes[..<end], as: UTF8.self)
      .split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count == 3, words[2].hasPrefix("HTTP/1."), words[1].hasPrefix("/") else {
      return .broken
    }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { return .broken }
      headers[line[..<colon].lowercased()] = trimmed(line[line.index(after: colon)...])
    }
    let start = end + 4
    let body: [UInt8]
    let count: Int
    if headers["transfer-encoding"]?.lowercased() == "chunked" {
      switch chunks(bytes[start...]) {
      case .whole(let content, let length): (body, count) = (content, start + length)
      case .incomplete: return .incomplete(awaitsLeave: awaitsLeave(headers))
      case .broken: return .broken
      }
    } else {
      let told = headers["content-length"] ?? "0"
      guard let length = Int(told), (0...Limits.bodyBytes).contains(length) else { return .broken }
      guard bytes.count >= start + length else {
        return .incomplete(awaitsLeave: awaitsLeave(headers) && bytes.count == start)
      }
      (body, count) = (Array(bytes[start..<start + length]), start + length)
    }
    let option = headers["connection"]?.lowercased()
    let staysOpen = words[2] == "HTTP/1.1" ? option != "close" : option == "keep-alive"
    return .whole(
      ModelRequest(String(words[0]), String(words[1]), headers: headers, body: body),
      staysOpen: staysOpen, count: count)
  }

  private static func awaitsLeave(_ headers: [String: String]) -> Bool {
    headers["expect"]?.lowercased() == "100-continue"
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return String(text)
  }

  /// Where the empty line begins that ends a header.
  private static func end(of bytes: [UInt8]) -> Int? {
    var place = 0
    while place + 3 < bytes.count, place < Limits.headerBytes {
      if bytes[place] == 13, bytes[place + 1] == 10, bytes[place + 2] == 13, bytes[place + 3] == 10
      {
        return place
      }
      place += 1
    }
    return nil
  }

  private enum Chunks {
    case whole([UInt8], count: Int)
    case incomplete
    case broken
  }

  private static func chunks(_ bytes: ArraySlice<UInt8>) -> Chunks {
    var body: [UInt8] = []
    var rest = bytes
    while true {
      guard let line = rest.firstIndex(of: 10) else { return .incomplete }
      let digits = String(decoding: rest[..<line], as: UTF8.self).prefix { $0.isHexDigit }
      guard let size = Int(digits, radix: 16), body.count + size <= Limits.bodyBytes else {
        return .broken
      }
      rest = rest[(line + 1)...]
      guard rest.count >= size + 2 else { return .incomplete }
      body += rest.prefix(size)
      rest = rest.dropFirst(size + 2)
      if size == 0 { return .whole(body, count: rest.startIndex - bytes.startIndex) }
    }
  }

  /// That whoever asked may send the body.
  static let leave = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  /// That what came is no request.
  static let badRequest = Array(
    "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)

  /// An answer as bytes, with how many of them stand before the body.
  static func bytes(of response: ModelResponse, staysOpen: Bool) -> (all: [UInt8], header: Int) {
    var text = "HTTP/1.1 \(response.status) \(reason(response.status))\r\n"
    for header in response.headers { text += "\(header.name): \(header.value)\r\n" }
    let hasLength = response.header("Content-Length") != nil
    if response.status != 204, !hasLength { text += "Content-Length: \(response.body.count)\r\n" }
    text += "Connection: \(staysOpen ? "keep-alive" : "close")\r\n\r\n"
    let header = Array(text.utf8)
    return (header + response.body, header.count)
  }

  private static func reason(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 201: "Created"
    case 204: "No Content"
    case 206: "Partial Content"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 409: "Conflict"
    case 429: "Too Many Requests"
    case 500: "Internal Server Error"
    case 503: "Service Unavailable"
    default: "Status"
    }
  }
}
