import JSON
public import NodeCore

/// A post as an office needs it: what the server calls it and its segment.
public struct ServerOfficePost: Hashable, Sendable {
  /// The server's name of it.
  public var id: String
  /// Its code.
  public var code: String
  /// The server's name of its segment.
  public var segmentID: String

  /// A post.
  public init(id: String, code: String, segmentID: String) {
    self.id = id
    self.code = code
    self.segmentID = segmentID
  }
}

/// Somebody whom passages can stand under.
public struct ServerOfficePerson: Hashable, Sendable {
  /// The server's name of them.
  public var id: String
  /// Their name.
  public var name: String
  /// Their number, as it was written there; nil for none.
  public var phone: String?
  /// The server's name of the post that they are assigned to; nil for none.
  public var postID: String?

  /// Somebody.
  public init(id: String, name: String, phone: String?, postID: String?) {
    self.id = id
    self.name = name
    self.phone = phone
    self.postID = postID
  }
}

/// What an office that may see everything asks of the server's directory, page by page.
extension SupabaseAPI {
  /// Rows of a page.
  public static let officeRows = 1_000

  /// Posts behind the one of that name; from the beginning for nil.
  public func officePosts(after last: String?) -> ServerRequest {
    page("checkposts", "id,code,segment_id", after: last)
  }

  /// People behind the one of that name; from the beginning for nil.
  public func officePeople(after last: String?) -> ServerRequest {
    page("user_profiles", "id,full_name,phone_number,assigned_checkpost_id", after: last)
  }

  private func page(_ table: String, _ columns: String, after last: String?) -> ServerRequest {
    var query = PathWithQuery("/rest/v1/\(table)")
    query.add("select", columns)
    if let last { query.add("id", "gt.\(last)") }
    query.add("order", "id")
    query.add("limit", "\(SupabaseAPI.officeRows)")
    return ServerRequest(
      path: query.path, answerBytes: Limits.answerBytes + SupabaseAPI.officeRows * Limits.rowBytes)
  }

  /// The posts of an answer.
  public func officePosts(
    in outcome: Result<ServerAnswer, ServerClientError>
  ) -> Result<[ServerOfficePost], ServerFailure> {
    rows(outcome) { row in
      guard let id = row["id"]?.text, let code = row["code"]?.text,
        let segment = row["segment_id"]?.text
      else { return nil }
      return ServerOfficePost(id: id, code: code, segmentID: segment)
    }
  }

  /// The people of an answer.
  public func officePeople(
    in outcome: Result<ServerAnswer, ServerClientError>
  ) -> Result<[ServerOfficePerson], ServerFailure> {
    rows(outcome) { row in
      guard let id = row["id"]?.text else { return nil }
      return ServerOfficePerson(
        id: id, name: row["full_name"]?.text ?? "", phone: row["phone_number"]?.text,
        postID: row["assigned_checkpost_id"]?.text)
    }
  }

  private func rows<Value>(
    _ outcome: Result<ServerAnswer, ServerClientError>, _ read: (JSONValue) -> Value?
  ) -> Result<[Value], ServerFailure> {
    switch reply(to: .probe, outcome).result {
    case .failure(let failure): return .failure(failure)
    case .success:
      guard case .success(let answer) = outcome, let rows = AnswerContent(answer).rows else {
        return .success([])
      }
      return .success(rows.compactMap(read))
    }
  }
}
