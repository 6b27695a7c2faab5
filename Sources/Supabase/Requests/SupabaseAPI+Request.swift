import JSON
public import NodeCore
import Passages
import Time

extension SupabaseAPI {
  /// A call in the words of the server.
  ///
  /// - Parameter token: What is shown; nil for that of the settings. A token is asked for without one.
  /// - Throws: A failure when there is nothing to ask it with.
  public func request(
    for call: ServerCall, token: Token? = nil
  ) throws(ServerFailure) -> ServerRequest {
    var request = try bare(call)
    if case .signIn = call { return request }
    request.token = token
    return request
  }

  private func bare(_ call: ServerCall) throws(ServerFailure) -> ServerRequest {
    switch call {
    case .probe:
      // One row of what passages lie in: the way there, the server, its database and our rights.
      var query = PathWithQuery(Path.passages)
      query.add("select", "client_id")
      query.add("limit", "1")
      return get(query)
    case .signIn(let grant): return try signIn(grant)
    case .profile(let user):
      var query = PathWithQuery(Path.profiles)
      query.add("id", "eq.\(user)")
      query.add("select", "*,checkposts(*,highway_segments(*))")
      return get(query)
    case .posts(let segment):
      var query = PathWithQuery(Path.checkposts)
      query.add("segment_id", "eq.\(segment)")
      query.add("select", "id,code,name,position_index")
      query.add("order", "position_index")
      return get(query)
    case .postsNamed(let names):
      // Only a server that tells of several segments of a post is asked so; all columns, as it tells them too.
      var query = PathWithQuery(Path.checkposts)
      query.add("id", "in.(\(names.joined(separator: ",")))")
      query.add("select", "*")
      query.add("order", "code")
      return get(query, rows: names.count)
    case .segments(let names):
      var query = PathWithQuery(Path.segments)
      query.add("id", "in.(\(names.joined(separator: ",")))")
      query.add("select", "*")
      query.add("order", "name")
      return get(query, rows: names.count)
    case .push(let passages): return push(passages)
    case .readBack(let identities): return readBack(identities)
    case .correct(let identity, let correction):
      var change: [String: JSONValue] = [
        "plate_number": .text(correction.plate.compact),
        "plate_number_raw": .text(correction.plate.raw),
      ]
      if let type = correction.vehicleType { change["vehicle_type"] = .text(type.inDatabase) }
      return self.change(identity, change)
    case .withdraw(let identity, let withdrawal): return withdraw(identity, withdrawal)
    case .namePhoto(let identity, let path):
      return change(identity, ["photo_path": .text(path)])
    case .upload(let photo): return upload(photo)
    case .findPhoto(let photo):
      return ServerRequest(.head, path: path(of: photo), answerBytes: Limits.answerBytes)
    case .pull(let pull): return self.pull(pull)
    case .match(let entry, let exit):
      return ServerRequest(
        .post, path: Path.match,
        body: Self.json(["entry_passage_id": .text(entry), "exit_passage_id": .text(exit)]),
        answerBytes: Limits.answerBytes)
    case .synced(let mark): return synced(mark)
    }
  }

  private func get(_ query: PathWithQuery, rows: Int = 0) -> ServerRequest {
    ServerRequest(
      path: query.path, answerBytes: Limits.answerBytes + rows * Limits.rowBytes)
  }

  static func json(_ value: JSONValue) -> ServerRequest.Body {
    .bytes(Array(JSONText.line(value).utf8), contentType: "application/json")
  }

  // MARK: - Tokens

  private func signIn(_ grant: ServerCall.Grant) throws(ServerFailure) -> ServerRequest {
    var query = PathWithQuery(Path.token)
    let content: JSONValue
    switch grant {
    case .refresh(let token):
      query.add("grant_type", "refresh_token")
      content = ["refresh_token": .text(token.value)]
    case .password:
      guard let login else {
        throw ServerFailure(
          .credential,
          words: "no name and password to sign in with; set server.user and"
            + " server.password_file")
      }
      query.add("grant_type", "password")
      content = ["email": .text(login.email), "password": .text(login.password.value)]
    }
    return ServerRequest(
      .post, path: query.path, body: Self.json(content), answerBytes: Limits.answerBytes)
  }

  // MARK: - Passages

  /// One passage or many. A repetition changes nothing there, and what is new comes back: rows that are
  /// not told were there before, or were dropped in silence.
  ///
  /// All rows have the same members, so that none is filled with a null that the table does not take and
  /// `missing=default` is not needed. They are sorted by segment and plate: two batches then take the
  /// locks of vehicles in one order. Order within one statement is seen by nobody.
  private func push(_ passages: [PassagePush]) -> ServerRequest {
    var query = PathWithQuery(Path.passages)
    query.add("on_conflict", "client_id")
    query.add("select", StoredRow.columns)
    query.add("columns", PushedRow.columns)
    let sorted = passages.sorted {
      ($0.place.segmentID, $0.passage.plate.compact, $0.passage.recordedAt)
        < ($1.place.segmentID, $1.passage.plate.compact, $1.passage.recordedAt)
    }
    let headers =
      [ServerRequest.Header("Prefer", "resolution=ignore-duplicates,return=representation")]
      + Self.clocks(sorted.map { ("\($0.passage.clientID)", $0.clockDoubt) })
    return ServerRequest(
      .post, path: query.path, headers: headers,
      body: Self.json(.list(sorted.map { PushedRow.row(of: $0) })),
      answerBytes: Limits.answerBytes + passages.count * Limits.rowBytes)
  }

  /// What is said of clocks beside rows, by what names each. The tables have no column for it, and a server that
  /// knows nothing of it passes it over.
  private static func clocks(_ doubts: [(name: String, seconds: Int64?)]) -> [ServerRequest.Header]
  {
    let said = doubts.compactMap { doubt in doubt.seconds.map { "\(doubt.name)=\($0)" } }
    return said.isEmpty
      ? [] : [ServerRequest.Header("Checkpost-Clock", said.joined(separator: ","))]
  }

  private func readBack(_ identities: [ClientID]) -> ServerRequest {
    var query = PathWithQuery(Path.passages)
    query.add("client_id", "in.(\(identities.map(\.description).joined(separator: ",")))")
    query.add("select", StoredRow.columns)
    return get(query, rows: identities.count)
  }

  private func change(
    _ identity: ClientID, _ change: [String: JSONValue], columns: String? = nil
  ) -> ServerRequest {
    var query = PathWithQuery(Path.passages)
    query.add("client_id", "eq.\(identity)")
    query.add("select", StoredRow.columns)
    if let columns { query.add("columns", columns) }
    return ServerRequest(
      .patch, path: query.path,
      headers: [ServerRequest.Header("Prefer", "return=representation")],
      body: Self.json(.object(change)), answerBytes: Limits.answerBytes)
  }

  /// A passage that never was is paired with itself: so no other one is paired with it, and nobody is told of a
  /// vehicle that is overdue. That is all that the deployed tables can say. Why goes beside the columns that are
  /// to be changed: a server that keeps it reads it there, and any other passes it over.
  private func withdraw(_ identity: ClientID, _ withdrawal: PassageWithdrawal) -> ServerRequest {
    var change: [String: JSONValue] = ["withdrawn_reason": .text(withdrawal.reason)]
    change["matched_passage_id"] = withdrawal.serverID.map { .text($0) }
    return self.change(identity, change, columns: "matched_passage_id")
  }

  /// A page of the opposite post's passages without a partner, newest first. The next page begins behind
  /// the last row, by time and name, so that rows that come or go meanwhile hide none.
  private func pull(_ pull: PullQuery) -> ServerRequest {
    var query = PathWithQuery(Path.passages)
    if pull.postIDs.isEmpty {
      query.add("segment_id", "eq.\(pull.segmentID)")
      query.add("checkpost_id", "neq.\(pull.checkpostID)")
    } else {
      query.add("checkpost_id", "in.(\(pull.postIDs.joined(separator: ",")))")
    }
    if pull.includesArrivals {
      query.add("or", "(matched_passage_id.is.null,is_entry.is.false)")
    } else {
      query.add("matched_passage_id", "is.null")
    }
    query.add("recorded_at", "gte.\(pull.since.rfc3339)")
    if let place = pull.before {
      let time = place.recordedAt
      query.add("or", "(recorded_at.lt.\(time),and(recorded_at.eq.\(time),id.lt.\(place.id)))")
    }
    query.add("order", "recorded_at.desc,id.desc")
    query.add("limit", String(pull.limit))
    query.add("select", RemoteRow.columns + (pull.includesArrivals ? RemoteRow.partner : ""))
    return get(query, rows: pull.limit)
  }

  // MARK: - Photographs and marks

  /// Written over when it is there: an upload that was cut off may have left part of it.
  private func upload(_ photo: PhotoPush) -> ServerRequest {
    ServerRequest(
      .post, path: path(of: photo), headers: [ServerRequest.Header("x-upsert", "true")],
      body: .file(path: photo.path, count: photo.count, contentType: photo.contentType),
      timeout: photo.within, answerBytes: Limits.answerBytes)
  }

  private func path(of photo: PhotoPush) -> String {
    "\(Path.storage)/\(PathWithQuery.encoded(bucket))/\(PathWithQuery.encoded(photo.name))"
  }

  private func synced(_ mark: SyncMark) -> ServerRequest {
    var query = PathWithQuery(Path.syncMetadata)
    query.add("on_conflict", "user_id,device_id")
    query.add("select", "device_id")
    return ServerRequest(
      .post, path: query.path,
      headers: [
        ServerRequest.Header("Prefer", "resolution=merge-duplicates,return=representation")
      ] + Self.clocks([(mark.device, mark.clockDoubt)]),
      body: Self.json([
        "user_id": .text(mark.userID), "device_id": .text(mark.device),
        "last_sync_at": .text(mark.through.rfc3339), "pending_count": .integer(Int64(mark.pending)),
      ]),
      answerBytes: Limits.answerBytes)
  }
}

/// Where things are asked for.
private enum Path {
  static let passages = "/rest/v1/vehicle_passages"
  static let profiles = "/rest/v1/user_profiles"
  static let checkposts = "/rest/v1/checkposts"
  static let segments = "/rest/v1/highway_segments"
  static let syncMetadata = "/rest/v1/sync_metadata"
  static let token = "/auth/v1/token"
  static let storage = "/storage/v1/object"
  static let match = "/functions/v1/match-passage"
}
