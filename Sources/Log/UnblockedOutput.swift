import EventLoop
import Glibc

/// Writes to a descriptor of somebody else's as much as it takes at once, and never waits for who reads it.
///
/// The descriptor itself is not made non-blocking, since the shell or another program has the same one. A pipe or a
/// terminal is opened once more instead.
struct UnblockedOutput {
  /// What a write came to.
  enum Outcome: Equatable {
    /// So many bytes were taken; what is left would have to wait.
    case took(Int)
    /// The descriptor takes nothing: nobody has its other end any more, or its disk is full.
    case failed
  }

  private enum Kind {
    /// What never waits: a file, or a descriptor that is non-blocking.
    case immediate
    case socket
    /// A pipe or a terminal that cannot be opened once more: one that another user made.
    case borrowed
  }

  /// What a pipe takes without waiting once `poll` says that it takes something, in bytes.
  private static let pipeRoom = 4_096

  /// The device of the master's side of every pseudo-terminal: 5, 2.
  private static let master: dev_t = 0x502

  /// What `poll` waits on.
  let number: Int32
  private let own: Descriptor?
  private let kind: Kind

  init(_ descriptor: Int32) {
    var status = stat()
    let isKnown = fstat(descriptor, &status) == 0
    let isPipe = isKnown && status.st_mode & S_IFMT == S_IFIFO
    let isTerminal = isatty(descriptor) == 1
    if isKnown, status.st_mode & S_IFMT == S_IFSOCK {
      (number, own, kind) = (descriptor, nil, .socket)
      return
    }
    guard isPipe || isTerminal else {
      (number, own, kind) = (descriptor, nil, .immediate)
      return
    }
    // The master's side of a terminal would become another terminal.
    let isMaster = isTerminal && status.st_rdev == UnblockedOutput.master
    let opened =
      isMaster
      ? -1
      : open(
        "/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard opened >= 0 else {
      (number, own, kind) = (descriptor, nil, .borrowed)
      return
    }
    (number, own, kind) = (opened, Descriptor(owning: opened), .immediate)
  }

  /// Whether a write returns at once whatever anybody else does; otherwise it belongs on a thread of its own.
  var isImmediate: Bool { kind != .borrowed }

  /// Writes what is taken at once.
  func write(_ bytes: ArraySlice<UInt8>) -> Outcome {
    var rest = bytes
    while !rest.isEmpty {
      let count = put(rest)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { break }
      guard count > 0 else { return .failed }
      rest = rest.dropFirst(count)
    }
    return .took(bytes.count - rest.count)
  }

  private func put(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes { bytes in
      switch kind {
      case .immediate: return Glibc.write(number, bytes.baseAddress, bytes.count)
      case .socket:
        return send(
          number, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      case .borrowed:
        var entry = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        guard poll(&entry, 1, 0) > 0 else {
          errno = EAGAIN
          return -1
        }
        return Glibc.write(number, bytes.baseAddress, min(bytes.count, Self.pipeRoom))
      }
    }
  }
}
