import EventLoop
import Glibc
import ModemModel
import Text

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
  private var input = LineBuffer(limit: ModemModel.Limits.signalBytes)
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
      guard !isOver, let bytes = read() else { break }
      isOver = bytes.isEmpty
      for line in input.takeAll(bytes[...]) {
        guard case .whole(let bytes) = line,
          let signal = String(validating: bytes, as: UTF8.self).flatMap({ NetworkSignal(line: $0) })
        else { return arrivals + [.garbage] }
        arrivals.append(.signal(signal))
      }
    }
    return isOver ? arrivals + [.gone] : arrivals
  }

  /// Bytes that came, none at the end; nil when there are none now.
  private func read() -> [UInt8]? {
    while true {
      var number: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: Limits.readBytes) { space, count in
        let read = Glibc.read(descriptor.value, space.baseAddress, Limits.readBytes)
        number = read < 0 ? errno : 0
        count = max(0, read)
      }
      switch number {
      case EINTR: continue
      case EAGAIN: return nil
      default: return bytes
      }
    }
  }
}
