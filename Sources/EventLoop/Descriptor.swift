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
  private let isLocked: Bool

  /// Takes ownership of an open descriptor.
  ///
  /// - Parameter isLocked: whether a lock (`flock`) is on it, to be given back before it is closed. A
  ///   child that is being started has a copy of every descriptor until it runs its own program, and
  ///   a lock lasts as long as any copy does.
  public init(owning number: Int32, isLocked: Bool = false) {
    self.number = Mutex(number)
    self.isLocked = isLocked
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
      if isLocked { _ = flock(open, LOCK_UN) }
      _ = Glibc.close(open)
    }
  }
}
