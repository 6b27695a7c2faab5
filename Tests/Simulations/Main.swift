import Glibc
import SimulationKit

/// Lives simulated days, as many as `CHECKPOST_TEST_SEEDS` says, on every core; ends with 1 when one of
/// them does not end well. Built with `CHECKPOST_MUTANTS`, it looks for a day that catches each fault
/// that is built in on purpose, and ends with 1 when none does.
///
/// It is a program of its own because it is built for release: a day takes a third of the time then.
@main
struct Simulations {
  static func main() throws {
    let isWell: Bool
    #if CHECKPOST_MUTANTS
      guard let hunt = Hunt(variable: variable) else { exit(64) }
      isWell = try hunt.catchAll()
    #else
      isWell = try Days(DayChoice(seeds: 2_000, variable: variable)).live()
    #endif
    exit(isWell ? 0 : 1)
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
