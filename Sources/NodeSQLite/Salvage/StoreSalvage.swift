import NodeCore

extension StoreSalvage {
  /// As a value of the store: the file, and three numbers.
  var kept: String { "\(passages)|\(unreadable)|\(unsynced)|\(isWhole ? 1 : 0)|\(file)" }

  init?(kept: String?) {
    guard let parts = kept?.split(separator: "|", maxSplits: 4), parts.count == 5,
      let passages = Int(parts[0]), let unreadable = Int(parts[1]), let unsynced = Int(parts[2])
    else { return nil }
    self.init(
      file: String(parts[4]), passages: passages, unreadable: unreadable, unsynced: unsynced,
      isWhole: parts[3] == "1")
  }
}
