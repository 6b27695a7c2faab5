public import EventLoop
public import Events
import JSON
import Text
public import Time

/// Which records of a log are shown.
public struct LogFilter: Hashable, Sendable {
  /// Only those at or after this moment.
  public var since: WallTime?
  /// Only those that matter at least so much.
  public var level: LogLevel?
  /// Only those with one of these names; empty lets all through.
  public var names: Set<String> = []
  /// Only those about one of these plates, as the log shows them: masked or whole. Empty lets all
  /// through.
  public var plates: Set<String> = []
  /// Only those about one of these passages, as the log shows their identities: masked or whole. Empty
  /// lets all through.
  public var identities: Set<String> = []

  /// Every record.
  public init() {}

  /// Whether a record is shown.
  public func allows(_ record: LogRecord) -> Bool {
    if let since, record.time < since { return false }
    if let level, record.level < level { return false }
    if !names.isEmpty, !names.contains(record.name) { return false }
    if !plates.isEmpty {
      guard let plate = record.fields["plate"]?.text, plates.contains(plate) else { return false }
    }
    if !identities.isEmpty {
      guard let identity = record.fields["client_id"]?.text, identities.contains(identity) else {
        return false
      }
    }
    return true
  }

  /// Lets only those about one passage through, in every form in which a log of this installation may
  /// show it. Without a key the log tells no passage from another, unless it was written unmasked.
  ///
  /// - Parameters:
  ///   - identity: the passage's identity, a UUID in lower case.
  ///   - key: the key of the installation's masks.
  public mutating func show(identity: String, key: MaskKey?) {
    identities = [identity]
    if let key { identities.insert(Mask.keyed(key).identity(identity)) }
  }

  /// Lets only those about the passage of this identity through, whole or as its mask.
  public mutating func show(identity: String, mask: String) {
    identities = [identity, mask]
  }

  /// Lets only those about this plate through, whole or as its mask.
  public mutating func show(plate: String, mask: String) {
    plates = [Mask.whole.plate(plate), mask]
  }

  /// Lets only those about `plate` through, in every form in which a log of this installation may
  /// show it.
  ///
  /// - Parameters:
  ///   - plate: the plate in its compact form.
  ///   - key: the key of the installation's masks.
  public mutating func show(plate: String, key: MaskKey?) {
    plates = [Mask.whole.plate(plate)]
    // The short form fits many plates; it is only asked for where there is no better one.
    plates.insert(key.map { Mask.keyed($0).plate(plate) } ?? Mask.short.plate(plate))
  }
}

/// A moment as an operator writes it.
public enum MomentText {
  /// Reads `2026-11-21T14:00:00Z`, a day `2026-11-21`, a time of today `14:00` or `14:00:05`, or how
  /// long ago `90m`; nil for anything else. Days and times are those of the reader's clock.
  ///
  /// - Parameter clock: the reader's clock; by default that of this machine's zone.
  public static func parse(
    _ text: String, now: WallTime, clock: LocalClock = .ofThisMachine
  ) -> WallTime? {
    if let moment = WallTime(rfc3339: text) { return moment }
    if let ago = DurationText.parse(text) { return now - ago }
    let minutes = clock.offsetMinutes(at: now)
    let today = clock.day(now)
    let zone = now.rfc3339(offsetMinutes: minutes).suffix(minutes == 0 ? 1 : 6)
    return switch text.utf8.count {
    case 5: WallTime(rfc3339: "\(today)T\(text):00\(zone)")
    case 8: WallTime(rfc3339: "\(today)T\(text)\(zone)")
    case 10:
      // The zone of that day, which summer time may have changed since.
      WallTime(rfc3339: "\(text)T00:00:00Z").map {
        $0 - .seconds(clock.offsetMinutes(at: $0) * 60)
      }
    default: nil
    }
  }
}
