import EventLoop
import Glibc

/// The lock on a port as programs have agreed on it since UUCP: a file `LCK..ttyUSB2` that names its
/// holder (Filesystem Hierarchy Standard 3.0, 5.9). minicom, gammu and wvdial look at nothing else.
///
/// The kernel's own lock decides among programs that know it, and this one keeps the others out. Where
/// the directory may not be written there is none, and the port is used without.
struct UUCPLock: Sendable {
  /// The usual directory.
  static let directory = "/var/lock"

  /// What became of a try to take a lock.
  enum Outcome {
    /// It is ours.
    case taken(UUCPLock)
    /// This process has it, and it is no other's business.
    case held(by: Int32)
    /// There can be none here.
    case unavailable
  }

  private let path: String

  /// Takes the lock on a node. One whose holder has ended is removed first.
  static func take(_ node: String, in directory: String = UUCPLock.directory) -> Outcome {
    guard let path = path(of: node, in: directory) else { return .unavailable }
    // Written under a name of its own first, so that nobody ever reads half of it.
    let draft = "\(directory)/LTMP.\(getpid()).\(path.split(separator: ".").last ?? "")"
    guard write(own, to: draft) else { return .unavailable }
    defer { unlink(draft) }
    for _ in 0..<Limits.lockTries {
      if Glibc.link(draft, path) == 0 { return .taken(UUCPLock(path: path)) }
      guard errno == EEXIST else { return .unavailable }
      switch state(of: path) {
      case .held(let process): return .held(by: process)
      case .unreadable: return .unavailable
      case .stale:
        guard unlink(path) == 0 || errno == ENOENT else { return .unavailable }
      }
    }
    return .unavailable
  }

  /// The process that holds the lock on a node, and runs; nil when none does, or it is this one.
  static func holder(of node: String, in directory: String = UUCPLock.directory) -> Int32? {
    guard let path = path(of: node, in: directory), case .held(let process) = state(of: path),
      process != getpid()
    else { return nil }
    return process
  }

  /// Gives the lock back, when it is still ours.
  func release() {
    guard UUCPLock.words(at: path)?.process == getpid() else { return }
    unlink(path)
  }

  private enum State {
    case held(Int32)
    case stale
    case unreadable
  }

  private static func state(of path: String) -> State {
    guard let words = words(at: path) else {
      return access(path, F_OK) == 0 ? .unreadable : .stale
    }
    guard kill(words.process, 0) == 0 || errno == EPERM else { return .stale }
    // A number is given out again. Of a lock that a program of our name left behind, the process must
    // have that name.
    if words.program == program, words.process != getpid(),
      let now = SystemFile.firstLine("/proc/\(words.process)/comm"), now != program
    {
      return .stale
    }
    return .held(words.process)
  }

  /// What a lock says: its holder's number, as text or as the four bytes that some write, and the
  /// name of the program where one stands behind it. Nil when it is neither.
  private static func words(at path: String) -> (process: Int32, program: String?)? {
    guard let bytes = SystemFile.bytes(path, limit: 256) else { return nil }
    let line = String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0 }, as: UTF8.self)
    let words = line.split(separator: " ")
    if let process = words.first.flatMap({ Int32($0) }), process > 0 {
      return (process, words.count > 1 ? String(words[1]) : nil)
    }
    guard bytes.count == 4 else { return nil }
    let number = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return Int32(exactly: number).flatMap { $0 > 0 ? ($0, nil) : nil }
  }

  private static var own: String {
    let number = String(getpid())
    return String(repeating: " ", count: max(0, 10 - number.count)) + "\(number) \(program)\n"
  }

  /// This program's name, as the kernel knows it.
  private static var program: String {
    (SystemFile.firstLine("/proc/self/comm") ?? "checkpost").filter { $0 != " " }
  }

  private static func path(of node: String, in directory: String) -> String? {
    node.split(separator: "/").last.map { "\(directory)/LCK..\($0)" }
  }

  private static func write(_ text: String, to path: String) -> Bool {
    unlink(path)
    let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard number >= 0 else { return false }
    defer { close(number) }
    return Glibc.write(number, text, text.utf8.count) == text.utf8.count
  }
}
