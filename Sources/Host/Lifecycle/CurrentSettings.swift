import Settings
import Synchronization

/// The settings that the service goes by now: those of its start, and later those that it took up.
final class CurrentSettings: Sendable {
  private let kept: Mutex<LoadedSettings>

  /// The settings of the start.
  init(_ loaded: LoadedSettings) {
    kept = Mutex(loaded)
  }

  /// The settings now.
  var loaded: LoadedSettings { kept.withLock { $0 } }

  /// Takes others up.
  func change(to loaded: LoadedSettings) {
    kept.withLock { $0 = loaded }
  }
}
