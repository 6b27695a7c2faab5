public import Time

/// What came of a call.
public struct ServerReply: Hashable, Sendable {
  /// What the server did or told, or why it did not.
  public var result: Result<ServerResult, ServerFailure>
  /// What the server's clock showed (the `Date` field, RFC 9110 6.6.1); nil without an answer of it.
  public var serverTime: WallTime?

  /// A reply.
  public init(_ result: Result<ServerResult, ServerFailure>, serverTime: WallTime? = nil) {
    self.result = result
    self.serverTime = serverTime
  }
}

/// What the server did or told.
public enum ServerResult: Hashable, Sendable {
  /// It did what was asked, and has nothing to tell.
  case done
  /// It says that it did what was asked, and nothing in its answer proves that it was asked at all.
  case unshown
  /// A token, and what to ask for the next one with.
  case session(GrantedSession)
  /// A user with post and segment.
  case profile(ServerProfile)
  /// Posts of a segment, or of certain names.
  case posts([ServerPost])
  /// Segments of certain names.
  case segments([ServerSegment])
  /// Passages that it has.
  case stored([StoredOnServer])
  /// A page of passages of the opposite post.
  case remote(RemotePage)
}

/// A token of the server.
public struct GrantedSession: Hashable, Sendable {
  /// What is shown with each request.
  public var accessToken: Token
  /// What the next token is asked for with; the one before is used up.
  public var refreshToken: Token
  /// How long the access token is taken, from now.
  public var lasts: Duration
  /// The server's name of the user.
  public var userID: String

  /// A session.
  public init(accessToken: Token, refreshToken: Token, lasts: Duration, userID: String) {
    self.accessToken = accessToken
    self.refreshToken = refreshToken
    self.lasts = lasts
    self.userID = userID
  }
}

/// A passage as the server has it.
public struct StoredOnServer: Hashable, Sendable {
  /// The server's own name of it.
  public var serverID: String
  /// Its identity.
  public var clientID: String
  /// The server's name of the post.
  public var checkpostID: String
  /// Its plate as the server has it.
  public var plate: String
  /// The kind of vehicle in the server's word: `jeep`.
  public var vehicleType: String?
  /// When it was recorded.
  public var recordedAt: WallTime
  /// The passage that it is paired with, by the server's name of that.
  public var matchedID: String?
  /// Where its photograph lies in the server's bucket.
  public var photoPath: String?

  /// A passage on the server.
  public init(
    serverID: String, clientID: String, checkpostID: String, plate: String, vehicleType: String?,
    recordedAt: WallTime, matchedID: String? = nil, photoPath: String? = nil
  ) {
    self.serverID = serverID
    self.clientID = clientID
    self.checkpostID = checkpostID
    self.plate = plate
    self.vehicleType = vehicleType
    self.recordedAt = recordedAt
    self.matchedID = matchedID
    self.photoPath = photoPath
  }
}
