import EventLoop
import Glibc
import ServerModel
import Time

/// One connection to the server.
struct Connection {
  /// An answer on its way.
  private struct Outgoing {
    var bytes: [UInt8]
    var sent = 0
    var dueAt: BootInstant
    /// How far apart its bytes go, one by one; nil for as fast as they are taken.
    var pace: Duration?
    var ending: Ending
  }

  private enum Ending {
    case stays
    case closes
    case resets
    /// Nothing more is said, and nothing more is heard.
    case hangs
  }

  let descriptor: Descriptor
  private(set) var isClosed = false
  private var input: [UInt8] = []
  private var outgoing: Outgoing?
  private var hasGivenLeave = false
  private var answered = 0
  /// Whether the other side has to read before more of the answer goes out.
  private var isBlocked = false
  /// Whether more came than the request that was answered last.
  private(set) var hasUnread = false
  /// When a thin line takes the next bytes; nil on one that takes what comes.
  private var readsAt: BootInstant?

  init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
  }

  /// What the loop waits for.
  var interest: Interest {
    Interest(descriptor: descriptor.value, readable: readsAt == nil, writable: isBlocked)
  }

  /// When there is something to do without anything coming.
  var deadline: BootInstant? {
    guard let outgoing, !isBlocked, outgoing.ending != .hangs else { return readsAt }
    return readsAt.map { min($0, outgoing.dueAt) } ?? outgoing.dueAt
  }

  /// Takes what has come, and the next request in it; nil while none is whole, or an answer is out.
  mutating func nextRequest(
    over line: ServerBehaviour, at now: BootInstant
  ) -> (ModelRequest, staysOpen: Bool)? {
    guard !isClosed else { return nil }
    hasUnread = false
    if let bytes = line.bytesPerSecond {
      receive(thinly: max(1, bytes), at: now)
    } else {
      readsAt = nil
      receive()
    }
    guard outgoing == nil, !isClosed, !input.isEmpty else { return nil }
    switch HTTPMessage.read(input) {
    case .incomplete(let awaitsLeave):
      if awaitsLeave, !hasGivenLeave {
        hasGivenLeave = true
        _ = send(HTTPMessage.leave[...])
      }
      return nil
    case .whole(let request, let staysOpen, let count):
      input.removeFirst(count)
      hasGivenLeave = false
      return (request, staysOpen)
    case .broken:
      _ = send(HTTPMessage.badRequest[...])
      close()
      return nil
    }
  }

  /// Takes what a thin line brings in a fiftieth of a second, once that has passed. What came meanwhile waits
  /// at the sender, since the connection's own buffer holds next to nothing.
  private mutating func receive(thinly bytesPerSecond: Int, at now: BootInstant) {
    if readsAt == nil {
      var bytes: Int32 = 4_096
      setsockopt(
        descriptor.value, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }
    guard readsAt ?? .zero <= now else { return }
    readsAt = now + .milliseconds(20)
    var buffer = [UInt8](repeating: 0, count: max(1, bytesPerSecond / 50))
    let count = read(descriptor.value, &buffer, buffer.count)
    if count > 0 {
      input += buffer[..<count]
    } else if count == 0 || errno != EAGAIN && errno != EINTR {
      close()
    }
  }

  private mutating func receive() {
    var buffer = [UInt8](repeating: 0, count: Limits.readBytes)
    while input.count <= Limits.bodyBytes + Limits.headerBytes {
      let count = read(descriptor.value, &buffer, buffer.count)
      if count > 0 {
        input += buffer[..<count]
      } else if count < 0, errno == EINTR {
        continue
      } else {
        if count == 0 || errno != EAGAIN { close() }
        return
      }
    }
  }

  /// Has an answer go out.
  mutating func answer(
    _ response: ModelResponse, staysOpen: Bool, behaviour: ServerBehaviour, at now: BootInstant
  ) {
    answered += 1
    let isLast = behaviour.answersPerConnection.map { answered >= $0 } ?? false
    // One that is closed without a word has told that it stays.
    var (bytes, header) = HTTPMessage.bytes(of: response, staysOpen: staysOpen)
    var ending: Ending = staysOpen && !isLast ? .stays : .closes
    var pace: Duration?
    switch response.delivery {
    case .whole: break
    case .reset: (bytes, ending) = ([], .resets)
    case .silence: (bytes, ending) = ([], .hangs)
    case .cut(let count):
      bytes.removeLast(max(0, bytes.count - header - count))
      ending = .closes
    case .slow(let apart): pace = apart
    }
    outgoing = Outgoing(bytes: bytes, dueAt: now + behaviour.latency, pace: pace, ending: ending)
  }

  /// Writes what is due, in pieces of so many bytes.
  mutating func flush(piece: Int, at now: BootInstant) {
    guard !isClosed, var answer = outgoing, answer.dueAt <= now else { return }
    isBlocked = false
    while answer.sent < answer.bytes.count {
      let most = answer.pace == nil ? max(1, piece) : 1
      let end = min(answer.bytes.count, answer.sent + most)
      guard let count = send(answer.bytes[answer.sent..<end]) else { return close() }
      answer.sent += count
      if let pace = answer.pace { answer.dueAt = now + pace }
      isBlocked = count == 0
      if isBlocked || answer.pace != nil { break }
    }
    outgoing = answer
    guard answer.sent == answer.bytes.count else { return }
    switch answer.ending {
    case .stays:
      outgoing = nil
      hasUnread = !input.isEmpty
    case .closes: close()
    case .resets: reset()
    case .hangs: break
    }
  }

  private func send(_ bytes: ArraySlice<UInt8>) -> Int? {
    UnixSocket.send(bytes, to: descriptor)
  }

  mutating func close() {
    descriptor.close()
    isClosed = true
  }

  mutating func reset() {
    Listener.reset(descriptor)
    isClosed = true
  }
}
