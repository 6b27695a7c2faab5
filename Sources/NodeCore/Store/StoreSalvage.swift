/// What became of a store that was damaged: what could be read of it is the store now.
public struct StoreSalvage: Hashable, Sendable {
  /// Where the damaged one is kept.
  public var file: String
  /// Passages that were taken over.
  public var passages: Int
  /// Passages that are known to have been there and could not be read.
  public var unreadable: Int
  /// Those of them that the server does not have, as far as is known.
  public var unsynced: Int
  /// Whether all rows that the store should have were legible.
  public var isWhole: Bool

  /// What became of a damaged store.
  public init(file: String, passages: Int, unreadable: Int, unsynced: Int, isWhole: Bool) {
    self.file = file
    self.passages = passages
    self.unreadable = unreadable
    self.unsynced = unsynced
    self.isWhole = isWhole
  }

  /// What happened, in a sentence for people, without its full stop.
  public var words: String {
    var words =
      "the node's database was damaged and is kept as \(file); \(passages)"
      + " passage\(passages == 1 ? "" : "s") of it \(passages == 1 ? "was" : "were") taken over"
    if unreadable > 0 {
      words +=
        ", and \(unreadable) could not be read, of which \(unsynced)"
        + " \(unsynced == 1 ? "is" : "are") not known to be on the server"
    } else if !isWhole {
      words += ", and not all of the rest could be read"
    }
    return words
  }

  /// What helps.
  public static let remedy =
    "check the disk (kernel's log, smartctl); try sqlite3 FILE .recover for what is missing, or record it"
    + " again; then move that file away"
}
