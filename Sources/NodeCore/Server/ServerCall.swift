public import Passages
public import Time

/// The number of something that is asked of the server; an answer carries that of its question.
public typealias CallID = UInt64

/// Something that a node asks of its server, whatever words the server wants it in.
public enum ServerCall: Hashable, Sendable {
  /// Whether it is there and knows us.
  case probe
  /// A token for what we show: ``ServerResult/session(_:)``.
  case signIn(Grant)
  /// What the server knows of that user: ``ServerResult/profile(_:)``.
  case profile(user: String)
  /// The posts of that segment: ``ServerResult/posts(_:)``.
  case posts(segment: String)
  /// The posts of these names: ``ServerResult/posts(_:)``.
  case postsNamed([String])
  /// The segments of these names: ``ServerResult/segments(_:)``.
  case segments([String])
  /// To take passages, all of them or none: ``ServerResult/stored(_:)`` with those that are new there, or
  /// ``ServerResult/done`` where it does not show them.
  case push([PassagePush])
  /// What it has under these identities: ``ServerResult/stored(_:)`` with those that there are.
  case readBack([ClientID])
  /// To change the plate of a passage that it has: ``ServerResult/stored(_:)``, empty when it has none; or
  /// ``ServerResult/done`` where it does not show it.
  case correct(ClientID, PlateCorrection)
  /// Withdraw a passage that is there: it never was.
  case withdraw(ClientID, PassageWithdrawal)
  /// To keep a photograph: ``ServerResult/done``, or ``ServerResult/unshown`` where it does not name it.
  case upload(PhotoPush)
  /// Whether it keeps that photograph, whole: ``ServerResult/done``; where it does not, it is absent.
  case findPhoto(PhotoPush)
  /// To note where the photograph of a passage lies: as ``correct(_:_:)``.
  case namePhoto(ClientID, path: String)
  /// Passages of the opposite post without a partner: ``ServerResult/remote(_:)``.
  case pull(PullQuery)
  /// To confirm a pair that was found here: ``ServerResult/done``.
  case match(entry: String, exit: String)
  /// To note that all passages of this post up to a moment are there: ``ServerResult/done``.
  case synced(SyncMark)

  /// What a token is asked for with.
  public enum Grant: Hashable, Sendable {
    /// The name and password of the settings.
    case password
    /// The last refresh token.
    case refresh(Token)
  }
}

/// A passage as it is handed to the server.
public struct PassagePush: Hashable, Sendable {
  /// The passage.
  public var passage: Passage
  /// The server's names for the post, the segment and the ranger.
  public var place: ServerPlace
  /// How many seconds the clock of its time may have been wrong; nil where nothing is known against it.
  public var clockDoubt: Int64?

  /// A passage for the server.
  public init(_ passage: Passage, at place: ServerPlace, clockDoubt: Int64? = nil) {
    self.passage = passage
    self.place = place
    self.clockDoubt = clockDoubt
  }
}

/// What the server calls the place that a node stands at, and who records there.
public struct ServerPlace: Hashable, Sendable {
  /// The post.
  public var checkpostID: String
  /// The segment.
  public var segmentID: String
  /// The ranger.
  public var rangerID: String

  /// A place.
  public init(checkpostID: String, segmentID: String, rangerID: String) {
    self.checkpostID = checkpostID
    self.segmentID = segmentID
    self.rangerID = rangerID
  }
}

/// A plate, or a kind of vehicle, that was recorded wrongly, and what it should have been.
public struct PlateCorrection: Hashable, Sendable {
  /// The right plate.
  public var plate: Plate
  /// The right kind of vehicle; nil where that was right.
  public var vehicleType: VehicleType?

  /// A correction.
  public init(plate: Plate, vehicleType: VehicleType? = nil) {
    self.plate = plate
    self.vehicleType = vehicleType
  }
}

/// That a passage never was.
public struct PassageWithdrawal: Hashable, Sendable {
  /// What the server calls its row, where it told that.
  public var serverID: String?
  /// Why it was recorded, in the words of the person who withdraws it.
  public var reason: String

  /// A withdrawal.
  public init(serverID: String?, reason: String) {
    self.serverID = serverID
    self.reason = reason
  }
}

/// A photograph that is handed to the server.
public struct PhotoPush: Hashable, Sendable {
  /// What it is to be called in the server's bucket: `ID.jpg`.
  public var name: String
  /// Where it lies here.
  public var path: String
  /// How many bytes it has.
  public var count: Int
  /// Its media type: `image/jpeg` or `image/png`.
  public var contentType: String

  /// A photograph.
  public init(name: String, path: String, count: Int, contentType: String) {
    self.name = name
    self.path = path
    self.count = count
    self.contentType = contentType
  }

  /// How long its way to the server may take at most: as long as the thinnest line needs for it. One that
  /// stands still is given up long before.
  public var within: Duration {
    Limits.photoBesides + .seconds(max(count, 0) / Limits.photoBytesPerSecond)
  }
}

extension ServerCall {
  /// After how long its answer is taken for lost, since the asking program has shorter times of its own.
  var answeredWithin: Duration {
    if case .upload(let photo) = self { return max(Limits.callWithin, photo.within * 2) }
    return Limits.callWithin
  }
}

/// Which passages of the opposite posts are asked for: those without a partner, newest first.
public struct PullQuery: Hashable, Sendable {
  /// The server's name of the segment.
  public var segmentID: String
  /// The server's name of our own post, whose passages are left out.
  public var checkpostID: String
  /// The server's names of the posts at the other ends; none where it does not tell who stands at the ends, and
  /// then those of the segment are asked for.
  public var postIDs: [String]
  /// Whether passages are asked for as well that ended a travel from a third post and may begin one to ours: what
  /// such a post ends several segments for.
  public var includesArrivals: Bool
  /// Only those recorded at this moment or later.
  public var since: WallTime
  /// Only those before this one in the order of time and then of identity; nil for the first page.
  public var before: PullPlace?
  /// How many at most.
  public var limit: Int

  /// A question for a page of passages.
  public init(
    segmentID: String, checkpostID: String, postIDs: [String] = [],
    includesArrivals: Bool = false, since: WallTime, before: PullPlace? = nil, limit: Int
  ) {
    self.segmentID = segmentID
    self.checkpostID = checkpostID
    self.postIDs = postIDs
    self.includesArrivals = includesArrivals
    self.since = since
    self.before = before
    self.limit = limit
  }
}

/// A place in the order of passages that are pulled.
public struct PullPlace: Hashable, Sendable {
  /// When the passage there was recorded, in the server's own words, which may be finer than a millisecond.
  public var recordedAt: String
  /// The server's name of it.
  public var id: String

  /// A place.
  public init(recordedAt: String, id: String) {
    self.recordedAt = recordedAt
    self.id = id
  }
}

/// Up to when the server has all passages of a post.
public struct SyncMark: Hashable, Sendable {
  /// The server's name of the user.
  public var userID: String
  /// What names this node: the code of its post.
  public var device: String
  /// All that was recorded here until then is on the server.
  public var through: WallTime
  /// Passages that the server does not have yet.
  public var pending: Int
  /// How many seconds the times of what was recorded lately may be wrong; nil where nothing is known against them.
  public var clockDoubt: Int64?

  /// A mark.
  public init(
    userID: String, device: String, through: WallTime, pending: Int, clockDoubt: Int64? = nil
  ) {
    self.userID = userID
    self.device = device
    self.through = through
    self.pending = pending
    self.clockDoubt = clockDoubt
  }
}
