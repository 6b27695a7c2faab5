import EventLoop
import Synchronization

/// Remembers on disk what puts a modem's choice of access technologies back, while it is changed: a line
/// of text that only the modem's session understands.
public final class AccessMemory: Sendable {
  /// The file, which is empty or not there while nothing is changed.
  public let path: String
  private let lock = Mutex(())

  /// A memory in the file at `path`, which need not be there.
  public init(path: String) {
    self.path = path
  }

  /// What was noted last; nil when nothing is, or it cannot be read.
  public var note: String? {
    lock.withLock { _ in
      guard let content = try? SmallFile.read(path, limit: Limits.accessNoteBytes) else {
        return nil
      }
      let text = String(decoding: content.bytes, as: UTF8.self)
      return text.isEmpty ? nil : text
    }
  }

  /// Notes it, or that there is nothing; whether it is on disk.
  @discardableResult
  public func keep(_ note: String?) -> Bool {
    lock.withLock { _ in
      if note == nil, !SmallFile.exists(path) { return true }
      return (try? SmallFile.replace(path, bytes: Array((note ?? "").utf8))) != nil
    }
  }
}
