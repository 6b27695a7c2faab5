import EventLoop
import Glibc
import ModemModel

/// One end of a connection between processes on a network: signals, a line each.
struct SignalLink: Sendable {
  /// What came over it.
  enum Arrival {
    case signal(NetworkSignal)
    /// The other side is gone.
    case gone
    /// What it says is no signal.
    case garbage
  }

  let descriptor: Descriptor
  private var input: [UInt8] = []
  private var output: [UInt8] = []
  private var isBroken = false

  init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
  }

  var interest: Interest {
    Interest(descriptor: descriptor.value, writable: !output.isEmpty)
  }

  /// Sends a signal, now or when there is room.
  mutating func send(_ signal: NetworkSignal) {
    let line = signal.line.utf8
    // Whoever takes nothing for so long is as good as gone.
    guard !isBroken, output.count + line.count < Limits.outputBytes else {
      isBroken = true
      return
    }
    output += line
    output.append(0x0A)
    flush()
  }

  mutating func flush() {
    while !isBroken, !output.isEmpty {
      switch UnixSocket.send(output[...], to: descriptor) {
      case nil: isBroken = true
      case 0: return
      case let count?: output.removeFirst(count)
      }
    }
  }

  /// What has come, in its order; after the other side's end or garbage comes nothing more.
  mutating func arrivals() -> [Arrival] {
    flush()
    var arrivals: [Arrival] = []
    var isOver = isBroken
    for _ in 0..<Limits.readsInARow {
      guard !isOver, let count = read() else { break }
      isOver = count == 0
      while let end = input.firstIndex(of: 0x0A) {
        let line = String(validating: input[..<end], as: UTF8.self)
        input.removeSubrange(...end)
        guard let signal = line.flatMap({ NetworkSignal(line: $0) }) else {
          return arrivals + [.garbage]
        }
        arrivals.append(.signal(signal))
      }
      if input.count > ModemModel.Limits.signalBytes { return arrivals + [.garbage] }
    }
    return isOver ? arrivals + [.gone] : arrivals
  }

  /// Bytes that came, 0 at the end; nil when there are none now.
  private mutating func read() -> Int? {
    while true {
      let (count, number) = withUnsafeTemporaryAllocation(
        of: UInt8.self, capacity: Limits.readBytes
      ) { space in
        let count = Glibc.read(descriptor.value, space.baseAddress, Limits.readBytes)
        let number = errno
        if count > 0 { input.append(contentsOf: space[..<count]) }
        return (count, number)
      }
      if count >= 0 { return count }
      switch number {
      case EINTR: continue
      case EAGAIN: return nil
      default: return 0
      }
    }
  }
}
