import Glibc
import Synchronization

/// The system's words for an error number.
public func systemMessage(_ number: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  // The GNU form of strerror_r is not visible to Swift; the POSIX one fills the buffer.
  let status = strerror_r(number, &buffer, buffer.count)
  if status == 0 {
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
  return "error \(number)"
}

/// One open file descriptor, closed exactly once: on `close()` or when the last owner lets go.
///
/// It is shared between the thread that waits on it and those that close or wake it, so the number
/// sits behind a lock: a closed descriptor reads as -1 and can never be somebody else's file.
public final class Descriptor: Sendable {
  private let number: Mutex<Int32>

  /// Takes ownership of an open descriptor.
  public init(owning number: Int32) {
    self.number = Mutex(number)
  }

  deinit {
    close()
  }

  /// The open descriptor, or -1 once closed.
  public var value: Int32 {
    number.withLock { $0 }
  }

  /// Closes the descriptor; later calls do nothing.
  public func close() {
    let open = number.withLock { held in
      defer { held = -1 }
      return held
    }
    if open >= 0 {
      _ = Glibc.close(open)
    }
  }
}
