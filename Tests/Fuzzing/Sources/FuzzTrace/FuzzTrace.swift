import AT
import FuzzSupport

/// Recordings of a line: what is written is read again, and masking leaves their shape.
@main
struct FuzzTrace {
  static func main() {
    Fuzzing.run { start, count in
      FuzzTrace.test(Input(start, count))
      return 0
    }
  }

  static func test(_ given: Input) {
    var input = given
    if input.byte() & 1 == 0 {
      guard let trace = try? ModemTrace(text: input.all()) else { return }
      check(trace)
    } else {
      var trace = ModemTrace()
      var time: Int64 = 0
      while !input.isEmpty {
        let choice = input.byte()
        time += Int64(choice)
        trace.entries.append(
          ModemTrace.Entry(
            milliseconds: time, direction: choice & 1 == 0 ? .toModem : .fromModem,
            bytes: input.bytes(Int(input.byte()))))
      }
      check(trace)
    }
  }

  private static func check(_ trace: ModemTrace) {
    do throws(ModemTraceError) {
      let again = try ModemTrace(text: Array(trace.text.utf8))
      require(again == trace, "a trace that is read as another")
      let masked = trace.masked
      require(masked.entries.count == trace.entries.count, "a masked trace that lost something")
      for (before, after) in zip(trace.entries, masked.entries) {
        require(before.milliseconds == after.milliseconds, "a masked time")
        require(before.direction == after.direction, "a masked direction")
        require(before.bytes.count == after.bytes.count, "a masked length")
      }
      require(
        try ModemTrace(text: Array(masked.text.utf8)) == masked, "a masked trace cannot be read")
    } catch {
      found("\(error)")
    }
  }
}
