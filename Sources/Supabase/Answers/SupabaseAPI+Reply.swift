import JSON
public import NodeCore
import Time

extension SupabaseAPI {
  /// What came of a call.
  ///
  /// Nothing counts as an answer of the server but what only the server would say: a captive portal
  /// answers everything with a page and 200, and a proxy redirects.
  public func reply(
    to call: ServerCall, _ outcome: Result<ServerAnswer, ServerClientError>
  ) -> ServerReply {
    switch outcome {
    case .failure(let error): return ServerReply(.failure(ServerFailure(error)))
    case .success(let answer):
      let time = answer.headers["date"].flatMap(HTTPDate.parse)
      let result = self.result(of: call, answer, serverTime: time)
      if case .failure(let failure) = result, !failure.isOfServer {
        // The clock of whatever answered in its place says nothing.
        return ServerReply(result)
      }
      return ServerReply(result, serverTime: time)
    }
  }

  private func result(
    of call: ServerCall, _ answer: ServerAnswer, serverTime: WallTime?
  ) -> Result<ServerResult, ServerFailure> {
    let content = AnswerContent(answer)
    if (200..<300).contains(answer.status) {
      if case .findPhoto(let photo) = call { return Self.found(photo, answer, content) }
      if let result = Self.result(of: call, content) { return .success(result) }
      if case .upload = call, answer.body.isEmpty, !content.isPage { return .success(.unshown) }
      if [201, 204].contains(answer.status), answer.body.isEmpty, Self.mayBeUntold(call) {
        return .success(.done)
      }
      return .failure(Self.misunderstood(answer, content, call))
    }
    if case .findPhoto = call, [400, 404, 410].contains(answer.status) {
      // Nothing says more: what would be said is left out of the answer to such a question (RFC 9110, 9.3.2).
      return .failure(Self.notKept(answer.status))
    }
    var failure = Judgement(answer.status, content, of: call).failure
    if failure.isOfServer || answer.status == 429 {
      failure.retryAfter = answer.headers["retry-after"].flatMap {
        RetryAfter.parse($0, serverTime: serverTime)
      }
    }
    return .failure(failure)
  }

  /// What the content of a good answer to a call says; nil when that is not what it should be.
  private static func result(of call: ServerCall, _ content: AnswerContent) -> ServerResult? {
    switch call {
    case .probe: return content.rows == nil ? nil : .done
    case .signIn: return content.json.flatMap(SessionRow.session).map { .session($0) }
    case .profile(let user):
      return content.rows?.first.flatMap(DirectoryRow.profile)
        .flatMap { $0.userID == user ? .profile($0) : nil }
    case .posts, .postsNamed: return all(content.rows, DirectoryRow.post).map { .posts($0) }
    case .segments: return all(content.rows, DirectoryRow.segment).map { .segments($0) }
    case .push, .readBack, .correct, .withdraw, .namePhoto:
      return all(content.rows, StoredRow.passage).map { .stored($0) }
    case .pull(let pull):
      return content.rows.map { .remote(RemoteRow.page($0, without: pull.checkpostID)) }
    // The storage names what it keeps, and a pair is told with both its passages.
    case .upload: return content.json?["Key"]?.text == nil ? nil : .done
    case .match: return content.json?["entry_passage_id"]?.text == nil ? nil : .done
    case .synced: return content.rows?.isEmpty == false ? .done : nil
    case .findPhoto: return nil
    }
  }

  /// Whether what the storage says of an object is what was sent. Its length is told, except by some on the way;
  /// an upload that was cut off may have left another one.
  private static func found(
    _ photo: PhotoPush, _ answer: ServerAnswer, _ content: AnswerContent
  ) -> Result<ServerResult, ServerFailure> {
    guard answer.body.isEmpty, content.kind == photo.contentType else {
      return .failure(misunderstood(answer, content, .findPhoto(photo)))
    }
    guard let length = answer.headers["content-length"], Int(length) != photo.count else {
      return .success(.done)
    }
    return .failure(notKept(answer.status))
  }

  private static func notKept(_ status: Int) -> ServerFailure {
    ServerFailure(
      .absent, status: status,
      words:
        "the server answered that it took the photograph, and does not have it (HTTP \(status))")
  }

  /// Whether a server may do what is asked and show nothing of it: a change of rows, where a proxy on the
  /// way drops what was asked for. The node reads back what there is before it counts, or does not
  /// depend on it.
  private static func mayBeUntold(_ call: ServerCall) -> Bool {
    switch call {
    case .push, .correct, .withdraw, .namePhoto, .synced, .match: true
    case .probe, .signIn, .profile, .posts, .postsNamed, .segments, .readBack, .upload, .findPhoto,
      .pull:
      false
    }
  }

  private static func all<Value>(
    _ rows: [JSONValue]?, _ read: (JSONValue) -> Value?
  ) -> [Value]? {
    guard let rows else { return nil }
    let values = rows.compactMap(read)
    return values.count == rows.count ? values : nil
  }

  /// A status that says yes with a content that does not.
  private static func misunderstood(
    _ answer: ServerAnswer, _ content: AnswerContent, _ call: ServerCall
  ) -> ServerFailure {
    let status = answer.status
    if content.isBroken {
      return ServerFailure(
        .outage(.noAnswer), status: status, words: "the answer was cut off (HTTP \(status))")
    }
    if let rows = content.rows {
      if case .profile = call, rows.isEmpty {
        return ServerFailure(
          .absent, status: status,
          words: "the server knows no profile of this user; have it made there")
      }
      if case .synced = call, rows.isEmpty {
        return ServerFailure(
          .denied, status: status, words: "the server did not note how far this post is")
      }
    }
    return ServerFailure(
      .outage(.captivePortal), status: status,
      words: "what answers is not the server (HTTP \(status), \(content.kind)); a sign-in page of"
        + " the network, perhaps")
  }
}
