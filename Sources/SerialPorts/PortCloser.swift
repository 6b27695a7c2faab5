import EventLoop
import Glibc
import Synchronization
import Time

/// Closes ports without anybody waiting for it.
///
/// The kernel holds up `close()` of a serial port for as long as bytes wait to leave it, 30 seconds by
/// default, which an ordinary user may not change; a modem that has stopped listening never takes them.
/// Meanwhile an `open()` of the same port would be held up just the same, so who asks is told instead.
final class PortCloser: Sendable {
  /// The one for the ports of this process.
  static let shared = PortCloser()

  private let closing = Mutex<[String: Int]>([:])

  /// Whether a port is still being closed.
  func isClosing(_ node: String) -> Bool {
    closing.withLock { $0[node] != nil }
  }

  /// Runs what closes a port, on a thread of its own, and returns when it is done or after
  /// ``Limits/closing``.
  ///
  /// - Returns: Whether it is done.
  @discardableResult
  func close(_ node: String, by act: @escaping @Sendable () -> Void) -> Bool {
    closing.withLock { $0[node, default: 0] += 1 }
    let done = try? Wakeup()
    let work: @Sendable () -> Void = { [self] in
      act()
      finished(node)
      done?.signal()
    }
    do {
      try WorkerThread().start(name: "port closer", work)
    } catch {
      // Without a thread there is nothing for it but to wait.
      work()
      return true
    }
    guard let done else { return false }
    let clocks = SystemClocks()
    let ready = PollLoop.wait(
      [Interest(descriptor: done.descriptor)], until: clocks.boot() + Limits.closing,
      clocks: clocks)
    return !ready[0].isEmpty
  }

  private func finished(_ node: String) {
    closing.withLock { closing in
      let left = (closing[node] ?? 1) - 1
      closing[node] = left > 0 ? left : nil
    }
  }
}

/// A real serial port that is open: its bytes, the lock file beside it, and a close that nobody waits
/// for.
final class OpenPort: ByteLink {
  let path: String
  private let node: String
  private let link: DescriptorLink
  private let lock: UUCPLock?
  private let isClosed = Mutex(false)

  init(path: String, node: String, descriptor: Descriptor, lock: UUCPLock?) {
    self.path = path
    self.node = node
    self.lock = lock
    link = DescriptorLink(path: path, descriptor: descriptor)
  }

  deinit { close() }

  var descriptor: Int32 { isClosed.withLock { $0 } ? -1 : link.descriptor }

  func read(into buffer: inout [UInt8], limit: Int) -> LinkRead {
    isClosed.withLock { $0 } ? .closed : link.read(into: &buffer, limit: limit)
  }

  func write(_ bytes: ArraySlice<UInt8>) throws(LinkError) -> Int {
    if isClosed.withLock({ $0 }) { throw .gone(path: path) }
    return try link.write(bytes)
  }

  func close() {
    let wasClosed = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return isClosed
    }
    guard !wasClosed else { return }
    PortCloser.shared.close(node) { [link, lock] in
      link.close()
      lock?.release()
    }
  }
}
