import Control

extension SyncReport {
  /// How it stands, in one line.
  var words: String {
    let what =
      switch state {
      case "off": "no server is configured"
      // An older service does not tell what waits.
      case "idle": "everything that was due is on the server"
      case "syncing": "syncing" + (total.map { ": \(done ?? 0) of \($0)" } ?? "")
      case "retrying":
        waiting.map {
          $0 == 0
            ? "waits for another try" : "\($0) wait\($0 == 1 ? "s" : "") for the server"
        } ?? "waits for another try"
      case "error": "goes no further"
      default: state
      }
    return what + (reason.map { ": \($0)" } ?? "")
  }
}
