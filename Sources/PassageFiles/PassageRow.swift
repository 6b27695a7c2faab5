/// One row of a file of passages, before it is judged.
public struct PassageRow: Sendable {
  /// Where it stands in its file, counted from 1.
  public var line: Int
  /// The plate, in letters of either script.
  public var plate: String?
  /// The type by its name or its code.
  public var vehicleType: String?
  /// The post.
  public var checkpost: String?
  /// When it passed: RFC 3339, or seconds since 1970.
  public var recordedAt: String?
  /// Whether that time was read from this machine's clock just now, and not handed in.
  public var isNow = false
  /// The ranger's phone number.
  public var rangerPhone: String?
  /// The last four digits of that number, where no more of it is known: what an export carries.
  public var rangerSuffix: String?
  /// Who recorded it.
  public var ranger: String?
  /// The stretch of road.
  public var segment: String?
  /// Where its photograph lies.
  public var photoPath: String?
  /// Whether it was named to be kept, and has to be there.
  public var hasPhotoAtHand = false
  /// An identity that it has already.
  public var clientID: String?
  /// How urgent its text is.
  public var priority: String?
  /// The text that the passage has to become, where it was recorded before.
  public var v1: String?
}

extension PassageRow {
  /// An empty row of that line; 0 for one that stands in no file.
  public init(line: Int) {
    self.init(line: line, plate: nil)
  }
}
