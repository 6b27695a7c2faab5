import AT
import Time

/// What was last said on a modem's line, both ways, with its times; bounded.
struct FlightRecorder {
  private struct Said {
    var at: BootInstant
    var direction: ModemTrace.Direction
    var bytes: [UInt8]
  }

  private var said: [Said] = []
  private var first = 0
  private var count = 0

  /// Notes bytes that passed.
  mutating func note(_ direction: ModemTrace.Direction, _ bytes: [UInt8], at now: BootInstant) {
    guard !bytes.isEmpty else { return }
    said.append(Said(at: now, direction: direction, bytes: bytes))
    count += bytes.count
    while count > Limits.recordedBytes || said.count - first > Limits.recordedEntries {
      count -= said[first].bytes.count
      said[first].bytes = []
      first += 1
    }
    // What was dropped is given back now and then, not each time.
    if first > Limits.recordedEntries {
      said.removeFirst(first)
      first = 0
    }
  }

  /// All that is remembered.
  var trace: ModemTrace {
    let kept = said[first...]
    guard let start = kept.first?.at else { return ModemTrace() }
    return ModemTrace(
      entries: kept.map {
        ModemTrace.Entry(
          milliseconds: ($0.at - start).wholeMilliseconds, direction: $0.direction, bytes: $0.bytes)
      })
  }
}
