public import Time

/// One vehicle that passed one post, as it was recorded. Everything in it is frozen then: nothing
/// that is sent twice may differ.
public struct Passage: Hashable, Sendable {
  /// How a passage came to us.
  public enum Source: String, Hashable, Sendable, Codable {
    /// Recorded at a post, or handed in over HTTP.
    case app
    /// Read from a text.
    case sms
  }

  /// Its identity, and its idempotency key on the server.
  public var clientID: ClientID
  /// The identity of its V1 body, when `clientID` is another: a random one, or a client's own.
  public var contentClientID: ClientID?
  /// The vehicle.
  public var plate: Plate
  /// What kind of vehicle it is.
  public var vehicleType: VehicleType
  /// Where it passed.
  public var checkpost: CheckpostCode
  /// The stretch of road that the post belongs to, when it is known.
  public var segment: String?
  /// When it passed, as the post recorded it.
  public var recordedAt: WallTime
  /// The last four digits of the ranger's phone number.
  public var suffix: PhoneSuffix
  /// Who recorded it, when known: a name or an identifier.
  public var ranger: String?
  /// Where its photograph lies, when there is one.
  public var photoPath: String?
  /// How it came to us.
  public var source: Source
  /// Its V1 text in canonical form. Where it ``isUndated`` no such text can be sent; this is what it
  /// would be if the time were right.
  public var v1Body: String
  /// Whether nobody knows when it was: it was recorded while the clock had not been set, and
  /// ``recordedAt`` is what that clock showed. Such a passage is kept, and not texted.
  public var isUndated = false

  /// A clock that shows an earlier time than this one has not been set: this program is younger.
  public static let earliest = WallTime(epochSeconds: 1_735_689_600)

  /// A passage of all its values.
  public init(
    clientID: ClientID, contentClientID: ClientID?, plate: Plate, vehicleType: VehicleType,
    checkpost: CheckpostCode, segment: String?, recordedAt: WallTime, suffix: PhoneSuffix,
    ranger: String?, photoPath: String?, source: Source, v1Body: String
  ) {
    self.clientID = clientID
    self.contentClientID = contentClientID
    self.plate = plate
    self.vehicleType = vehicleType
    self.checkpost = checkpost
    self.segment = segment
    self.recordedAt = recordedAt
    self.suffix = suffix
    self.ranger = ranger
    self.photoPath = photoPath
    self.source = source
    self.v1Body = v1Body
  }

  /// A passage as it is recorded: its V1 body and its identities follow from its values.
  ///
  /// - Parameter identity: A client's own identity or a random one; nil for that of the V1 body.
  /// - Throws: `V1Error.timestamp` when the time lies outside what V1 can say.
  public init(
    recording plate: Plate, vehicleType: VehicleType, checkpost: CheckpostCode,
    recordedAt: WallTime,
    suffix: PhoneSuffix, identity: ClientID? = nil, segment: String? = nil, ranger: String? = nil,
    photoPath: String? = nil
  ) throws(V1Error) {
    let message = try V1Message(
      checkpost: checkpost, plate: plate, vehicleType: vehicleType,
      recordedEpoch: recordedAt.epochSeconds, suffix: suffix)
    let content = message.clientID
    self.init(
      clientID: identity ?? content,
      contentClientID: identity.flatMap { $0 == content ? nil : content }, plate: plate,
      vehicleType: vehicleType, checkpost: checkpost, segment: segment, recordedAt: recordedAt,
      suffix: suffix, ranger: ranger, photoPath: photoPath, source: .app, v1Body: message.body)
  }

  /// A passage that was recorded while the clock had not been set.
  ///
  /// Two of the same vehicle may well show the same time, each of another start of the machine: with
  /// the name of that start in its identity neither is taken for the other.
  ///
  /// - Parameter boot: What names the start of the machine by whose clock the time was read; nil for a
  ///   time that was handed in, which is the same passage when it is handed in once more.
  public init(
    undated plate: Plate, vehicleType: VehicleType, checkpost: CheckpostCode, recordedAt: WallTime,
    boot: String?, suffix: PhoneSuffix, identity: ClientID? = nil, segment: String? = nil,
    ranger: String? = nil, photoPath: String? = nil
  ) {
    let body =
      "V1|\(checkpost.code)|\(plate.compact)|\(vehicleType.v1Code)|\(recordedAt.epochSeconds)|"
      + suffix.digits
    let content = ClientID.content(canonicalBody: boot.map { "\(body)|\($0)" } ?? body)
    self.init(
      clientID: identity ?? content,
      contentClientID: identity.flatMap { $0 == content ? nil : content }, plate: plate,
      vehicleType: vehicleType, checkpost: checkpost, segment: segment, recordedAt: recordedAt,
      suffix: suffix, ranger: ranger, photoPath: photoPath, source: .app, v1Body: body)
    isUndated = true
  }

  /// A passage that was read from a text.
  public init(received message: V1Message, segment: String? = nil, ranger: String? = nil) {
    self.init(
      clientID: message.clientID, contentClientID: nil, plate: message.plate,
      vehicleType: message.vehicleType, checkpost: message.checkpost, segment: segment,
      recordedAt: WallTime(epochSeconds: message.recordedEpoch), suffix: message.suffix,
      ranger: ranger, photoPath: nil, source: .sms, v1Body: message.body)
  }
}
