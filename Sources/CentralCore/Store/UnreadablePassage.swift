public import Storage

/// A row of a passage that another program wrote, and of which something cannot be read: no plate, or no moment. It is
/// told as it stands there, and not judged.
public struct UnreadablePassage: Hashable, Sendable {
  /// What names the row.
  public var id: String
  /// The identity that it came under.
  public var clientID: String
  /// What stands in place of a plate.
  public var plate: String
  /// What stands in place of its moment.
  public var recordedAt: String
  /// The code of its post; nil where that is not known.
  public var checkpost: String?

  /// A row as it stands.
  public init(
    id: String, clientID: String, plate: String, recordedAt: String, checkpost: String?
  ) {
    self.id = id
    self.clientID = clientID
    self.plate = plate
    self.recordedAt = recordedAt
    self.checkpost = checkpost
  }
}

extension CentralStore {
  /// None, of a store into which nobody else writes.
  public func unreadable(
    after id: String?, limit: Int
  ) throws(StorageError) -> [UnreadablePassage] { [] }
}
