public import AT
public import Time

/// A modem that says what was recorded of one: it waits for what was written to that one, and then
/// says what that one said, with the same pauses.
///
/// What is written is cut into lines at CR, Ctrl-Z and ESC. A line that is not the recorded one is
/// told. It is taken in place of the recorded one when it is the same command with other values, or
/// another body after the same prompt; it may also be one that was recorded a little later, and then
/// what lies between is left out; anything else gets no answer, and the recording waits on.
public struct TraceReplay: Sendable {
  /// What comes of it.
  public enum Output: Hashable, Sendable {
    /// These bytes come out now.
    case bytes([UInt8])
    /// Instead of what was recorded in the entry of that number, from 1, something else was written.
    /// After the last entry nothing is expected.
    case differs(entry: Int, expected: [UInt8], written: [UInt8])
    /// Everything that was recorded has passed.
    case done
  }

  /// What passes at one moment.
  private enum Step: Sendable {
    /// It says this, so much later than the step before.
    case say([UInt8], after: Duration)
    /// It waits for this line, of which the entry of that number has the beginning.
    case await([UInt8], entry: Int)
  }

  private var steps: [Step]
  private var next = 0
  private let entries: Int
  /// When the step before was.
  private var anchor: BootInstant
  private var written: [UInt8] = []
  private var isDone = false

  /// A replay that begins now.
  public init(_ trace: ModemTrace, at now: BootInstant) {
    steps = TraceReplay.steps(trace)
    entries = trace.entries.count
    anchor = now
  }

  /// Takes what was written to the modem.
  public mutating func receive(_ bytes: [UInt8], at now: BootInstant) -> [Output] {
    var outputs = advance(to: now)
    for byte in bytes {
      if written.count < Limits.inputBytes { written.append(byte) }
      guard TraceReplay.isEnd(byte) else { continue }
      let line = written
      written = []
      outputs += take(line, at: now)
    }
    return outputs
  }

  /// Lets time pass.
  public mutating func advance(to now: BootInstant) -> [Output] {
    var outputs: [Output] = []
    while next < steps.count, case .say(let bytes, let pause) = steps[next], anchor + pause <= now {
      anchor = anchor + pause
      next += 1
      outputs.append(.bytes(bytes))
    }
    if next == steps.count, !isDone {
      isDone = true
      outputs.append(.done)
    }
    return outputs
  }

  /// When ``advance(to:)`` has something to do if nothing is written.
  public var deadline: BootInstant? {
    guard next < steps.count else { return isDone ? nil : anchor }
    if case .say(_, let pause) = steps[next] { return anchor + pause }
    return nil
  }

  /// Takes a whole line.
  private mutating func take(_ line: [UInt8], at now: BootInstant) -> [Output] {
    // Whoever writes on does not wait for what is still to be said.
    var outputs = hurry()
    guard next < steps.count, case .await(let expected, let entry) = steps[next] else {
      outputs.append(.differs(entry: entries, expected: [], written: line))
      return outputs + advance(to: now)
    }
    if TraceReplay.matches(expected, line) {
      next += 1
    } else {
      outputs.append(.differs(entry: entry, expected: expected, written: line))
      if let later = place(of: line) {
        next = later + 1
      } else if TraceReplay.isKin(expected, line) {
        next += 1
      } else {
        return outputs
      }
    }
    anchor = now
    return outputs + advance(to: now)
  }

  /// Says at once what is to be said before the next line.
  private mutating func hurry() -> [Output] {
    var outputs: [Output] = []
    while next < steps.count, case .say(let bytes, let pause) = steps[next] {
      anchor = anchor + pause
      next += 1
      outputs.append(.bytes(bytes))
    }
    return outputs
  }

  /// Where a line was recorded a little later.
  private func place(of line: [UInt8]) -> Int? {
    let near = steps.indices.dropFirst(next + 1).prefix(Limits.replayLookAhead)
    return near.first {
      if case .await(let expected, _) = steps[$0] {
        TraceReplay.matches(expected, line)
      } else {
        false
      }
    }
  }

  private static func matches(_ recorded: [UInt8], _ line: [UInt8]) -> Bool {
    ModemTrace.Entry(milliseconds: 0, direction: .toModem, bytes: recorded).matches(line)
  }

  /// Whether two lines are the same command with other values, or both bodies.
  private static func isKin(_ recorded: [UInt8], _ line: [UInt8]) -> Bool {
    if recorded.last == 0x1A, line.last == 0x1A { return true }
    guard let sign = recorded.firstIndex(of: 0x3D), recorded.last == line.last else { return false }
    let name = Array(recorded[...sign])
    return line.count > name.count && matches(name, Array(line.prefix(name.count)))
  }

  private static func isEnd(_ byte: UInt8) -> Bool {
    byte == 0x0D || byte == 0x1A || byte == 0x1B
  }

  /// The steps of a trace: what was written cut into lines, however it was written.
  private static func steps(_ trace: ModemTrace) -> [Step] {
    var steps: [Step] = []
    var line: [UInt8] = []
    var lineEntry = 1
    var last: Int64 = 0
    for (place, entry) in trace.entries.enumerated() {
      switch entry.direction {
      case .toModem:
        for byte in entry.bytes {
          if line.isEmpty { lineEntry = place + 1 }
          line.append(byte)
          guard isEnd(byte) else { continue }
          steps.append(.await(line, entry: lineEntry))
          line = []
        }
      case .fromModem:
        steps.append(.say(entry.bytes, after: .milliseconds(entry.milliseconds - last)))
      }
      last = entry.milliseconds
    }
    return steps
  }
}
