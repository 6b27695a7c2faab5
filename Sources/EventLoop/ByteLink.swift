import Glibc

/// What a read from a link gave.
public enum LinkRead: Hashable, Sendable {
  /// So many bytes were appended to the buffer.
  case bytes(Int)
  /// Nothing there now.
  case wouldBlock
  /// The other side is gone for good; the link must be closed and opened anew.
  case closed
}

/// A two-way stream of bytes that a poll loop can wait on: a serial port or a pseudo-terminal.
///
/// Reads and writes never block. All calls come from the one thread that owns the link, except
/// `close()`, which may come from any.
public protocol ByteLink: AnyObject, Sendable {
  /// The path under which it was opened, as the operator named it.
  var path: String { get }

  /// What `poll` waits on; -1 once closed.
  var descriptor: Int32 { get }

  /// Appends what has arrived to `buffer`, at most `limit` bytes.
  func read(into buffer: inout [UInt8], limit: Int) -> LinkRead

  /// Writes as many of `bytes` as fit and returns their number, 0 when nothing fits now.
  ///
  /// - Throws: ``LinkError/gone(path:)`` when the other side is gone, ``LinkError/system`` else.
  func write(_ bytes: ArraySlice<UInt8>) throws(LinkError) -> Int

  /// Closes the link; later calls do nothing.
  func close()
}

/// A byte link over a descriptor that is already open, non-blocking and in raw mode.
///
/// libserialport reports a hang-up as "no data" and spins on it; here a read of nothing after the
/// descriptor turned readable means the device is gone, and so does `EIO`.
public final class DescriptorLink: ByteLink {
  /// The path under which the descriptor was opened.
  public let path: String
  private let held: Descriptor

  /// Takes ownership of `descriptor`, which must be non-blocking.
  public init(path: String, descriptor: Descriptor) {
    self.path = path
    self.held = descriptor
  }

  /// What `poll` waits on; -1 once closed.
  public var descriptor: Int32 { held.value }

  /// Appends what has arrived to `buffer`, at most `limit` bytes, and does not wait for more.
  public func read(into buffer: inout [UInt8], limit: Int) -> LinkRead {
    let number = held.value
    guard number >= 0 else { return .closed }
    while true {
      let count = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: limit) { space in
        let count = Glibc.read(number, space.baseAddress, limit)
        if count > 0 {
          buffer.append(contentsOf: space[..<count])
        }
        return count
      }
      if count > 0 { return .bytes(count) }
      if count == 0 { return .closed }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .wouldBlock
      default: return .closed
      }
    }
  }

  /// Writes as many of `bytes` as fit and returns their number, 0 when nothing fits now.
  ///
  /// - Throws: ``LinkError/gone(path:)`` when the other side is gone, ``LinkError/system`` else.
  public func write(_ bytes: ArraySlice<UInt8>) throws(LinkError) -> Int {
    let number = held.value
    guard number >= 0 else { throw .gone(path: path) }
    while true {
      let (count, failure) = bytes.withUnsafeBytes { space in
        let count = Glibc.write(number, space.baseAddress, space.count)
        return (count, errno)
      }
      if count >= 0 { return count }
      switch failure {
      case EINTR: continue
      case EAGAIN: return 0
      case EIO, ENXIO, ENODEV, EBADF, EPIPE: throw .gone(path: path)
      default: throw .system(path: path, operation: "write", errno: failure)
      }
    }
  }

  /// Closes the descriptor; safe from any thread, and once is enough.
  public func close() {
    held.close()
  }
}
