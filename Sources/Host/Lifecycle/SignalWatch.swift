import CLinux
public import EventLoop
import Glibc
public import Time

/// The signals of a service, read like any other input: no handler interrupts what the service does.
public struct SignalWatch {
  /// What can be asked for by a signal.
  public enum Request {
    /// To end: SIGTERM, SIGINT.
    case end
    /// To read the configuration again: SIGHUP.
    case reload
  }

  private let descriptor: Descriptor

  /// Blocks the signals and takes them over. To be called before there is another thread: a thread
  /// inherits what is blocked.
  ///
  /// - Throws: `LinkError.system` when the process may not open another descriptor.
  public init() throws(LinkError) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let number = clinux_signalfd(&signals)
    guard number >= 0 else {
      throw .system(path: "signalfd", operation: "open", errno: errno)
    }
    descriptor = Descriptor(owning: number)
  }

  /// Blocks until a signal asks for the end, or `ended` is signalled; `reload` is called for each
  /// signal that asks for it, and `tick` again and again, `interval` apart, where there is one.
  ///
  /// - Returns: whether a signal asked for the end.
  @discardableResult
  public func wait(
    orUntil ended: Wakeup, clocks: any Clocks, every interval: Duration? = nil,
    tick: () -> Void = {}, reload: () -> Void = {}
  ) -> Bool {
    var nextTick = interval.map { clocks.boot() + $0 }
    let interests = [
      Interest(descriptor: descriptor.value), Interest(descriptor: ended.descriptor),
    ]
    while true {
      let ready = PollLoop.wait(interests, until: nextTick, clocks: clocks)
      if let interval, let due = nextTick, due <= clocks.boot() {
        tick()
        nextTick = clocks.boot() + interval
      }
      while let request = next() {
        switch request {
        case .end: return true
        case .reload: reload()
        }
      }
      if !ready[1].isEmpty { return false }
    }
  }

  /// Blocks until a signal asks for something, which is returned, or until `deadline`.
  public func wait(until deadline: BootInstant, clocks: any Clocks) -> Request? {
    let interest = Interest(descriptor: descriptor.value)
    while clocks.boot() < deadline {
      _ = PollLoop.wait([interest], until: deadline, clocks: clocks)
      if let request = next() { return request }
    }
    return nil
  }

  private func next() -> Request? {
    switch clinux_next_signal(descriptor.value) {
    case SIGTERM, SIGINT: .end
    case SIGHUP: .reload
    default: nil
    }
  }
}
