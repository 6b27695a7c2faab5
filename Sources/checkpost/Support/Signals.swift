import Glibc
import UnixSignals

/// Waiting for a signal.
enum Signals {
  /// Returns when one of the signals comes.
  static func wait(for numbers: [Int32]) async {
    let known: [Int32: UnixSignal] = [SIGTERM: .sigterm, SIGINT: .sigint, SIGHUP: .sighup]
    for await _ in await UnixSignalsSequence(trapping: numbers.compactMap { known[$0] }) { return }
  }
}
