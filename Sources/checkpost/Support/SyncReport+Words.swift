import Control

extension SyncReport {
  /// How it stands, in one line.
  var words: String {
    let what =
      switch state {
      case "off": "no server is configured"
      case "idle": "everything that was due is on the server"
      case "syncing": "syncing" + (total.map { ": \(done ?? 0) of \($0)" } ?? "")
      case "retrying": "waits for another try"
      case "error": "goes no further"
      default: state
      }
    return what + (reason.map { ": \($0)" } ?? "")
  }
}
