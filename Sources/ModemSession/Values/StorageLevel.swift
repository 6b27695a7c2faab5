/// How full a storage of a modem's is, as far as that was told.
public struct StorageLevel: Hashable, Sendable {
  /// Its name: `SM` is that of the SIM, `ME` the modem's, `SR` that of status reports.
  public var storage: String
  /// Messages in it; nil until that was told.
  public var used: Int?
  /// Messages that fit into it; nil until that was told.
  public var size: Int?
  /// How many of those in it are sent messages and drafts, which another program or a telephone left there
  /// and nobody here will read; nil until it was looked through.
  public var leftovers: Int?
  /// How many of those in it were handed over and could not be deleted, though that was tried again.
  public var undeletable = 0

  /// A storage of which nothing is known yet.
  public init(storage: String) {
    self.storage = storage
  }

  /// How much of it is taken, in hundredths; nil while that is not known.
  public var share: Int? {
    guard let used, let size, size > 0 else { return nil }
    return used * 100 / size
  }
}
