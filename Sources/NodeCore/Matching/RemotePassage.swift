public import Passages
public import Time

/// A passage at the opposite post, as far as it is known here.
public struct RemotePassage: Hashable, Sendable {
  /// How it became known.
  public enum Origin: String, Hashable, Sendable {
    /// Pulled from the server.
    case server
    /// Told by a text of the opposite post.
    case text
  }

  /// Its identity.
  public var clientID: ClientID
  /// The server's name of it; nil for one that a text told of.
  public var serverID: String?
  /// The plate, compact.
  public var plate: String
  /// What kind of vehicle it is, in the words of ``VehicleType``; nil for a word that is not known here.
  public var vehicleType: VehicleType?
  /// The code of the post; nil when only the server's name of it is known.
  public var checkpost: CheckpostCode?
  /// When it was recorded there.
  public var recordedAt: WallTime
  /// How it became known.
  public var origin: Origin

  /// A passage of the opposite post.
  public init(
    clientID: ClientID, serverID: String?, plate: String, vehicleType: VehicleType?,
    checkpost: CheckpostCode?, recordedAt: WallTime, origin: Origin
  ) {
    self.clientID = clientID
    self.serverID = serverID
    self.plate = plate
    self.vehicleType = vehicleType
    self.checkpost = checkpost
    self.recordedAt = recordedAt
    self.origin = origin
  }
}

/// A page of passages that were pulled.
public struct RemotePage: Hashable, Sendable {
  /// The passages, newest first.
  public var passages: [RemotePassage]
  /// The place of the last row; nil when there was none.
  public var last: PullPlace?
  /// Rows that the page had, those included that could not be read.
  public var rows: Int

  /// A page.
  public init(passages: [RemotePassage], last: PullPlace?, rows: Int) {
    self.passages = passages
    self.last = last
    self.rows = rows
  }
}
