import FuzzSupport
import NodeCore
import Supabase
import Time

/// Whatever answers: it is understood within bounds, only JSON is a yes, and only the server tells the time.
///
/// An input is a call, a status and a type, one byte each, then a line of `Date`, a line of `Retry-After`,
/// and the body.
@main
struct FuzzReplies {
  static func main() {
    Fuzzing.run { start, count in
      FuzzReplies.test(Input(start, count))
      return 0
    }
  }

  static func test(_ given: Input) {
    var input = given
    let call = choose(from: Calls.all, &input)
    let status = choose(from: statuses, &input)
    let type = choose(from: types, &input)
    var headers: [String: String] = [:]
    headers["date"] = line(&input)
    headers["retry-after"] = line(&input)
    let body = input.all()
    let reply = SupabaseAPI().reply(
      to: call,
      .success(ServerAnswer(status: status, contentType: type, headers: headers, body: body)))
    if let time = reply.serverTime { require(headers["date"] != nil, "a time of nobody: \(time)") }
    switch reply.result {
    case .success(let result):
      require((200..<300).contains(status), "a yes of HTTP \(status)")
      require(
        type?.contains("json") == true || body.isEmpty, "a yes of \(type ?? "no type")")
      check(result, of: body.count)
    case .failure(let failure):
      require(failure.isOfServer || reply.serverTime == nil, "the time of another")
      check(failure)
    }
  }

  private static func check(_ result: ServerResult, of count: Int) {
    switch result {
    case .done, .unshown: break
    case .session(let session):
      require(!session.accessToken.value.isEmpty, "an empty token")
      require(!session.refreshToken.value.isEmpty, "an empty token")
      require(session.lasts >= .seconds(1), "a token that is over")
      require(session.lasts <= .seconds(30 * 86_400), "a token without end")
      // Anybody's word may stand there; it is read when the node starts.
      _ = session.accessToken.subject
    case .profile(let profile):
      guard let segment = profile.segment else { return }
      let numbers = [
        segment.distanceKilometres, segment.minimumKilometresPerHour,
        segment.maximumKilometresPerHour,
      ]
      require(numbers.allSatisfy(\.isFinite), "a number that is none: \(numbers)")
      // What is out of range is told, and never counted with.
      _ = try? segment.checked()
    case .segments(let segments): require(segments.count <= count, "segments out of nothing")
    case .posts(let posts): require(posts.count <= count, "posts out of nothing")
    case .stored(let rows): require(rows.count <= count, "rows out of nothing")
    case .remote(let page): require(page.passages.count <= page.rows, "passages out of nothing")
    }
  }

  private static func check(_ failure: ServerFailure) {
    require(!failure.words.isEmpty, "a failure without words")
    require(failure.words.utf8.count <= 320, "too many words: \(failure.words)")
    let isPlain = failure.words.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    require(isPlain, "words that move the cursor: \(failure.words)")
    require((failure.code ?? "").utf8.count <= 80, "a code without bound")
    if let pause = failure.retryAfter {
      require(pause >= .seconds(1) && pause <= .seconds(3_600), "a pause of \(pause)")
    }
  }

  /// Takes a line; nil when it is empty.
  private static func line(_ input: inout Input) -> String? {
    var bytes: [UInt8] = []
    while !input.isEmpty {
      let byte = input.byte()
      if byte == 0x0A { break }
      bytes.append(byte)
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  private static func choose<Value>(from values: [Value], _ input: inout Input) -> Value {
    values[Int(input.byte()) % values.count]
  }

  private static let statuses = [
    200, 201, 204, 206, 300, 302, 400, 401, 402, 403, 404, 405, 406, 408, 409, 413, 415, 422, 425,
    429, 500, 502, 503, 504, 511, 522, 544,
  ]

  private static let types: [String?] = [nil, "application/json; charset=utf-8", "text/html"]
}
