import EventLoop
import Glibc
import SimulationKit
import Synchronization

/// Lives simulated days, as many as `CHECKPOST_TEST_SEEDS` says, on every core; ends with 1 when one of
/// them does not end well.
///
/// It is a program of its own because it is built for release: a day takes a third of the time then.
@main
struct Simulations {
  /// Days of a campaign in which each fault that a day can have has to befall some.
  private static let worthwhile = 1_000

  /// What the threads share: the next seed, and what came of the days so far.
  private final class Shared: Sendable {
    struct State {
      var next = 0
      var campaign = Campaign()
    }

    let choice: DayChoice
    let state = Mutex(State())

    init(_ choice: DayChoice) {
      self.choice = choice
    }

    /// The seed that nobody has taken yet; nil when none is left.
    func take() -> UInt64? {
      state.withLock { state in
        guard state.next < choice.seeds.count else { return nil }
        defer { state.next += 1 }
        return choice.seeds[state.next]
      }
    }

    func live() {
      while let seed = take() {
        var day = Campaign()
        day.live(choice.settings(seed))
        state.withLock { $0.campaign.add(day) }
      }
    }
  }

  static func main() throws {
    let shared = Shared(
      DayChoice(seeds: 2_000) { name in getenv(name).map { String(cString: $0) } })
    let workers = (0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))).map { _ in WorkerThread() }
    for worker in workers { try worker.start(name: "days") { shared.live() } }
    for worker in workers { worker.join() }
    let campaign = shared.state.withLock { $0.campaign }
    for line in campaign.summary { print(line) }
    for failure in campaign.failures {
      for words in failure.words { print("seed \(failure.seed): \(words)") }
      print(
        "repeat with: "
          + DayChoice.command(shared.choice.settings(failure.seed), target: "simulate"))
    }
    if let first = campaign.failures.first {
      print("seed \(first.seed), made smaller, fails with:")
      print(shared.choice.smallest(first, target: "simulate"))
    }
    let missed = campaign.days >= Simulations.worthwhile ? campaign.neverFired : []
    for fault in missed { print("F\(fault.number) befell no day: \(fault.words)") }
    exit(campaign.failures.isEmpty && missed.isEmpty ? 0 : 1)
  }
}
