import CFlush
import Glibc

/// Time that never jumps, in nanoseconds.
enum Stopwatch {
  static func now() -> Int64 {
    nanoseconds(CLOCK_BOOTTIME)
  }

  /// Nanoseconds that this process has had of processors.
  static func processor() -> Int64 {
    nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
  }

  /// The time of a clock of the system, in nanoseconds.
  static func nanoseconds(_ clock: clockid_t) -> Int64 {
    cflush_clock(clock)
  }

  /// Lets every thread come to rest between two measurements.
  static func rest() {
    idle(for: 2_000_000)
  }

  /// Does nothing for so many nanoseconds. Only idleness is measured or made by this; whatever
  /// happens is waited for where it happens.
  static func idle(for nanoseconds: Int64) {
    cflush_sleep(CLOCK_BOOTTIME, now() + nanoseconds)
  }

  /// Nanoseconds that `body` takes.
  static func time(_ body: () throws -> Void) rethrows -> Double {
    let start = now()
    try body()
    return Double(now() - start)
  }
}

/// Samples of one quantity.
struct Samples {
  private(set) var values: [Double] = []

  mutating func add(_ value: Double) {
    values.append(value)
  }

  var median: Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }

  /// What so many percent of them are below.
  func part(_ percent: Int) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * percent / 100)]
  }

  var mean: Double {
    values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
  }

  var most: Double {
    values.max() ?? 0
  }
}

/// Rates of two things on one core, measured in turns so that what disturbs one disturbs both.
enum Rate {
  private static let rounds = 7
  private static let roundNanoseconds = 200_000_000.0

  /// How often a second each of them does its work, the median of the rounds; both do the work
  /// `count` times when called once.
  static func of(
    _ count: Int, _ one: () throws -> Void, beside other: () throws -> Void
  ) rethrows -> (one: Double, other: Double) {
    var (ones, others) = (Samples(), Samples())
    _ = try (round(one), round(other))
    for _ in 0..<rounds {
      ones.add(try round(one) * Double(count))
      others.add(try round(other) * Double(count))
    }
    return (ones.median, others.median)
  }

  private static func round(_ body: () throws -> Void) rethrows -> Double {
    var passes = 0.0
    let start = Stopwatch.now()
    while true {
      try body()
      passes += 1
      let spent = Double(Stopwatch.now() - start)
      if spent >= roundNanoseconds { return passes / spent * 1e9 }
    }
  }
}

/// Takes results, so that the compiler cannot leave out the work behind them.
enum Sink {
  @inline(never)
  static func take<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
  }
}
