import Time

/// Whether a modem tells by itself of what comes in, judged by what is found that it never told of.
///
/// Some tell it at another of their ports, and some forget that they were asked to: messages are then
/// found by the seldom looks alone, and nothing says so.
struct Announcements: Hashable, Sendable {
  /// What a look has shown.
  enum Finding: Hashable, Sendable {
    /// So many messages were there that nobody told of.
    case deaf(Int)
    /// The same again, though all was set up anew.
    case stillDeaf
  }

  /// Whether it has been found to tell nothing.
  private(set) var isDeaf = false
  /// When those that were found count as never told of: a result may be on its way.
  private(set) var checkAt: BootInstant?
  private var found = 0
  /// The storages that were looked through since all was set up: what was there before may have come
  /// when nobody listened.
  private var known: Set<String> = []
  private var movedAt: BootInstant?
  /// Whether it has told of anything since the port was opened.
  private var tells = false

  /// What is there from now on to the next look may be there for another reason.
  mutating func doubt() {
    known = []
    found = 0
    checkAt = nil
  }

  /// The port was opened.
  mutating func opened() {
    doubt()
    tells = false
  }

  /// A storage was looked through. A modem that tells of messages and not of those in another storage,
  /// such as that of status reports, is not deaf.
  ///
  /// - Parameters:
  ///   - isHome: Whether it is the one that messages are put into.
  ///   - new: How many messages nobody knew of.
  ///   - isWhole: Whether all that is there was seen.
  mutating func swept(
    _ storage: String, isHome: Bool, new: Int, isWhole: Bool, at now: BootInstant
  ) {
    if new > 0, known.contains(storage), isHome || !tells {
      found += new
      checkAt = checkAt ?? now + Limits.announcementsTake
    }
    if isWhole { known.insert(storage) } else { known.remove(storage) }
  }

  /// The modem told of something; true when it was thought to tell nothing.
  mutating func heard() -> Bool {
    found = 0
    checkAt = nil
    tells = true
    defer { isDeaf = false }
    return isDeaf
  }

  /// What is to be said now; nil when nothing is.
  mutating func judge(at now: BootInstant) -> Finding? {
    guard let moment = checkAt, moment <= now else { return nil }
    checkAt = nil
    defer { found = 0 }
    guard !isDeaf else { return .stillDeaf }
    isDeaf = true
    return .deaf(found)
  }

  /// Whether another of the modem's ports may be tried now; notes that it is.
  mutating func move(at now: BootInstant) -> Bool {
    if let movedAt, now - movedAt < Limits.portMoves { return false }
    movedAt = now
    isDeaf = false
    doubt()
    return true
  }
}
