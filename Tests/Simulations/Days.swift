import EventLoop
import Glibc
import SimulationKit
import Synchronization

/// Days that every core takes from one row, each in its turn.
final class Days: Sendable {
  /// Days of a campaign in which each fault that a day can have has to befall some.
  private static let worthwhile = 1_000

  private struct State {
    var next: Int
    var isOver = false
    var campaign = Campaign()
  }

  private let choice: DayChoice
  private let endsWithFailure: Bool
  private let state: Mutex<State>

  /// Days that are still to be lived.
  ///
  /// - Parameters:
  ///   - first: the place in the row of the first of them.
  ///   - endsWithFailure: whether none is begun after one that did not end well.
  init(_ choice: DayChoice, from first: Int = 0, endsWithFailure: Bool = false) {
    self.choice = choice
    self.endsWithFailure = endsWithFailure
    state = Mutex(State(next: first))
  }

  /// Lives them on every core. Whatever was begun is lived to its end, so that no day before one that
  /// failed is left out.
  ///
  /// - Returns: what came of them, and the place of the first one that was not begun.
  func campaign() throws(LinkError) -> (of: Campaign, next: Int) {
    let workers = (0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))).map { _ in WorkerThread() }
    for worker in workers { try worker.start(name: "days") { self.work() } }
    for worker in workers { worker.join() }
    return state.withLock { ($0.campaign, $0.next) }
  }

  /// The seed that nobody has taken yet; nil when none is left.
  private func take() -> UInt64? {
    state.withLock { state in
      guard !state.isOver, state.next < choice.seeds.count else { return nil }
      defer { state.next += 1 }
      return choice.seeds[state.next]
    }
  }

  private func work() {
    while let seed = take() {
      var day = Campaign()
      day.live(choice.settings(seed))
      state.withLock { state in
        state.campaign.add(day)
        if endsWithFailure, !day.failures.isEmpty { state.isOver = true }
      }
    }
  }

  /// Lives them and prints what came of them.
  ///
  /// - Returns: whether all ended well, and were worth their name.
  func live() throws(LinkError) -> Bool {
    let campaign = try campaign().of
    for line in campaign.summary { print(line) }
    for failure in campaign.failures {
      for words in failure.words { print("seed \(failure.seed): \(words)") }
      print(
        "repeat with: " + DayChoice.command(choice.settings(failure.seed), target: "simulate"))
    }
    if let first = campaign.failures.first {
      print("seed \(first.seed), made smaller, fails with:")
      print(choice.smallest(first, target: "simulate"))
    }
    let missed = campaign.days >= Days.worthwhile ? campaign.neverFired : []
    for fault in missed { print("F\(fault.number) befell no day: \(fault.words)") }
    return campaign.failures.isEmpty && missed.isEmpty
  }
}
