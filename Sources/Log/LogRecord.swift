public import EventLoop
public import Events
public import JSON
import Text
public import Time

/// An event as it is written: masked, and the same in JSON Lines and on a terminal.
public struct LogRecord: Hashable, Sendable {
  /// When it happened, by the wall clock.
  public var time: WallTime
  /// How much it matters.
  public var level: LogLevel
  /// The name in snake_case, which never changes: `text_refused`.
  public var name: String
  /// What it is about, short; nil when it is about nothing in particular.
  public var subject: String?
  /// What happened, in one line that is safe to look at, at most ``Limits/eventWords`` long.
  public var words: String
  /// What comes next and when; nil when nothing is to come.
  public var next: NextStep?
  /// Passages that wait for a text; nil where that says nothing.
  public var waiting: Int?
  /// Further facts by name, with plates and phone numbers masked.
  public var fields: [String: JSONValue]

  /// Masks an event.
  ///
  /// - Parameter now: The wall clock, for an event that does not tell its time.
  public init(
    _ event: Event, mask: Mask, now: @autoclosure () -> WallTime = SystemClocks().wall()
  ) {
    time = event.time ?? now()
    level = event.level
    name = event.name
    subject = event.subject
    words = LogRecord.oneLine(event.isForeign ? mask.scrub(event.words) : event.words)
    next = event.next
    waiting = event.waiting
    fields = [:]
    for field in event.fields {
      fields[field.key] =
        switch field.value {
        case .text(let text): .text(event.isForeign ? mask.scrub(text) : text)
        case .integer(let number): .integer(number)
        case .integers(let numbers): .list(numbers.map { .integer($0) })
        case .flag(let flag): .flag(flag)
        case .plate(let plate): .text(mask.plate(plate))
        case .phone(let number): .text(mask.phone(number))
        case .identity(let identity): .text(mask.identity(identity))
        }
    }
  }

  /// Words of bounded length, in one line: what a modem or a sender wrote must not move an operator's
  /// cursor.
  private static func oneLine(_ words: String) -> String {
    guard words.unicodeScalars.count > Limits.eventWords else { return ForeignText.shown(words) }
    return ForeignText.shown(String(words.unicodeScalars.prefix(Limits.eventWords))) + "…"
  }
}

extension LogRecord {
  /// The names that an event's own facts cannot have.
  private enum Key {
    static let time = "time"
    static let level = "level"
    static let event = "event"
    static let subject = "subject"
    static let words = "words"
    static let next = "next"
    static let nextAt = "next_at"
    static let waiting = "waiting"
  }

  /// The record as one line of JSON, without the end of the line.
  public var json: String {
    JSONText.line(.object(object))
  }

  /// The record as the members of a JSON object.
  public var object: [String: JSONValue] {
    var object = fields
    object[Key.time] = .text(time.rfc3339)
    object[Key.level] = .text(level.rawValue)
    object[Key.event] = .text(name)
    object[Key.words] = .text(words)
    object[Key.subject] = subject.map { .text($0) }
    object[Key.next] = next.map { .text($0.words) }
    object[Key.nextAt] = next.map { .text($0.at.rfc3339) }
    object[Key.waiting] = waiting.map { .integer(Int64($0)) }
    return object
  }

  /// Reads a line of the log file; nil when it is none of ours.
  public init?(json line: some Sequence<UInt8>) {
    guard var object = JSONText.decode(line)?.object,
      let time = object.removeValue(forKey: Key.time)?.text.flatMap({ WallTime(rfc3339: $0) }),
      let level = object.removeValue(forKey: Key.level)?.text.flatMap({ LogLevel(rawValue: $0) }),
      let name = object.removeValue(forKey: Key.event)?.text
    else {
      return nil
    }
    self.time = time
    self.level = level
    self.name = name
    words = object.removeValue(forKey: Key.words)?.text ?? ""
    subject = object.removeValue(forKey: Key.subject)?.text
    waiting = object.removeValue(forKey: Key.waiting)?.integer.flatMap { Int(exactly: $0) }
    let step = object.removeValue(forKey: Key.next)?.text
    let at = object.removeValue(forKey: Key.nextAt)?.text.flatMap { WallTime(rfc3339: $0) }
    if let step, let at {
      next = NextStep(step, at: at)
    }
    fields = object
  }
}
