import Glibc
import UnixSignals

/// Waiting for a signal.
enum Signals {
  /// Returns when one of the signals comes.
  static func wait(for numbers: [Int32]) async {
    await caught(numbers).wait()
  }

  /// Signals that no longer end the process.
  struct Caught {
    fileprivate let signals: UnixSignalsSequence

    /// Returns when one of them comes.
    func wait() async {
      for await _ in signals { return }
    }
  }

  /// Catches signals from now on, also before anybody waits for them.
  static func caught(_ numbers: [Int32]) async -> Caught {
    let known: [Int32: UnixSignal] = [SIGTERM: .sigterm, SIGINT: .sigint, SIGHUP: .sighup]
    return Caught(
      signals: await UnixSignalsSequence(trapping: numbers.compactMap { known[$0] }))
  }
}
