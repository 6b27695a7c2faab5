import CentralCore
public import Storage
import Time

/// Whether the central takes what comes in.
public enum CentralHealth: Hashable, Sendable {
  /// What comes in is kept.
  case well
  /// What comes in cannot be kept, and why.
  case failing(StorageError)
  /// The service has ended.
  case ended
}

/// What went wrong with the store, told at a bounded rate: a flood of texts over a full disk must not
/// fill the log as well.
struct StorageTrouble {
  private struct Telling: Hashable {
    var words: String
    var error: StorageError
  }

  /// Why nothing can be kept; nil while it can.
  private(set) var error: StorageError?
  /// Since when.
  private(set) var since: WallTime?
  /// Why what is kept cannot be processed; nil while it can.
  private(set) var processing: CentralFacts.Failure?
  /// When it is tried again whether something can be written.
  private(set) var triedAgainAt: BootInstant?
  /// When a message was not kept last for want of room among those that are no passage.
  private(set) var crowdedAt: BootInstant?
  private var crowd = (told: BootInstant?.none, count: 0)
  private var told: [Telling: (at: BootInstant, leftOut: Int)] = [:]

  /// Notes that something could not be kept.
  mutating func failed(_ error: StorageError, at now: BootInstant, wall: WallTime) {
    self.error = error
    since = since ?? wall
    triedAgainAt = now + (error.kind == .lost ? Limits.askAgainAfter : Limits.writeAgainAfter)
  }

  /// Notes that something was written; returns whether that had not been possible before.
  mutating func succeeded() -> Bool {
    guard error != nil else { return false }
    error = nil
    since = nil
    triedAgainAt = nil
    told = [:]
    return true
  }

  /// Notes messages that found no room; returns how many did of which nobody was told, when it is time to tell.
  mutating func crowded(by count: Int, at now: BootInstant) -> Int? {
    crowdedAt = now
    crowd.count += count
    if let last = crowd.told, now - last < Limits.failureToldEvery { return nil }
    defer { crowd = (now, 0) }
    return crowd.count
  }

  /// Notes whether what is kept can be processed.
  mutating func processed(_ error: StorageError?, at wall: WallTime) {
    processing = error.map { CentralFacts.Failure($0, since: processing?.since ?? wall) }
  }

  /// Whether to tell of a failure now, and how often it was not told of before; nil when it was told of
  /// a moment ago.
  mutating func leftOut(_ words: String, _ error: StorageError, at now: BootInstant) -> Int? {
    let telling = Telling(words: words, error: error)
    if let last = told[telling], now - last.at < Limits.failureToldEvery {
      told[telling]?.leftOut += 1
      return nil
    }
    defer { told[telling] = (now, 0) }
    return told[telling]?.leftOut ?? 0
  }
}
