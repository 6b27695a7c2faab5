import CCurl
import Glibc
import NodeCore

/// A file that is sent, read bit by bit while it goes.
final class SentFile {
  private let descriptor: Int32
  private let count: Int
  private var sent = 0
  /// Whether it ended before all of it was sent, or could not be read.
  private(set) var isBroken = false

  /// Opens it. Whatever it is, nobody waits for it: a pipe into which nobody writes is refused like
  /// everything that is no file, and so is one that is not as long as it was.
  init(_ path: String, count: Int) throws(ServerClientError) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    self.count = count
    guard descriptor >= 0 else {
      throw .unreadable(
        reason: "the file cannot be read (\(String(cString: strerror(errno)).lowercased()))")
    }
    var about = stat()
    guard fstat(descriptor, &about) == 0, about.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(reason: "what is to be sent is no file")
    }
    guard about.st_size == count else {
      throw .unreadable(
        reason: "the file has \(about.st_size) bytes and had \(count) when it was recorded")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The next bytes of it: how many, or what breaks the transfer off.
  func read(into buffer: UnsafeMutablePointer<CChar>?, _ room: Int) -> Int {
    let wanted = min(room, count - sent)
    guard wanted > 0 else { return 0 }
    var got = pread(descriptor, buffer, wanted, off_t(sent))
    while got < 0, errno == EINTR { got = pread(descriptor, buffer, wanted, off_t(sent)) }
    guard got > 0 else {
      isBroken = true
      return Int(CURL_READFUNC_ABORT)
    }
    sent += got
    return got
  }

  /// Goes to a place in it, when it has to be sent once more.
  func seek(to offset: Int) -> Bool {
    guard (0...count).contains(offset) else { return false }
    sent = offset
    return true
  }
}
