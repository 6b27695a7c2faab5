import Control
import EventLoop
import Glibc

/// A file that is made whole or not at all, and that its owner alone may read.
final class ExportFile {
  let path: String
  let descriptor: Int32
  private let draft: String

  /// Begins a file beside its place.
  ///
  /// - Throws: ``CommandFailure`` where it cannot be made, or is there.
  init(_ path: String) throws(CommandFailure) {
    guard access(path, F_OK) != 0 else {
      throw CommandFailure(.inputOutput, "\(path): is there already; name another file")
    }
    self.path = path
    draft = "\(path).\(getpid()).new"
    descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw CommandFailure(
        .inputOutput, "\(path): \(systemMessage(errno)); check its directory")
    }
  }

  deinit {
    close(descriptor)
  }

  /// Gives it its name.
  func publish() throws(CommandFailure) {
    guard link(draft, path) == 0 else {
      let number = errno
      discard()
      throw CommandFailure(.inputOutput, "\(path): \(systemMessage(number)); name another file")
    }
    discard()
  }

  /// Takes it away.
  func discard() {
    unlink(draft)
  }
}
