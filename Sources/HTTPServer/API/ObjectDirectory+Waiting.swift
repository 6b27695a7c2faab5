import CentralCore
import EventLoop
import Glibc
import Synchronization

/// Who handed a photograph in.
struct PhotographOwner: Hashable, Sendable {
  /// Whose account or key it was.
  var account: String
  /// The UUID of its post.
  var post: String
}

/// Photographs whose passages have not come, by who handed them in.
struct WaitingPhotographs: Sendable {
  struct Entry: Sendable {
    var owner: PhotographOwner
    var bytes: Int
  }

  /// By the name of the photograph; nil until it was read which there are.
  fileprivate(set) var entries: [PhotoName: Entry]?

  /// Whether somebody has room for one more.
  fileprivate func hasRoom(for bytes: Int, of account: String) -> Bool {
    var (count, sum) = (0, bytes)
    for entry in (entries ?? [:]).values where entry.owner.account == account {
      count += 1
      sum += entry.bytes
    }
    return count < Limits.waitingPhotographs && sum <= Limits.waitingPhotographBytes
  }
}

/// A photograph may come before its passage. Beside it lies then, in a file of a few bytes, who handed it in: so that
/// nobody fills the disk with those that no passage ever names, and that the post of the passage has the last word.
extension ObjectDirectory {
  /// How the name of such a file begins; what follows is that of the photograph.
  private static let waitingStart = ".waiting-"

  /// Who handed in a photograph whose passage had not come then; nil of every other one.
  func owner(ofWaiting name: PhotoName) -> PhotographOwner? {
    withWaiting { $0.entries?[name]?.owner }
  }

  /// The photographs of somebody whose passages had not come when they were handed in, and that are there still.
  func waiting(of account: String) -> [PhotoName] {
    let names = withWaiting { waiting in
      (waiting.entries ?? [:]).filter { $0.value.owner.account == account }.map(\.key)
    }
    let gone = names.filter { access("\(path)/\($0.text)", F_OK) != 0 && errno == ENOENT }
    forget(waiting: gone)
    return names.filter { !gone.contains($0) }.sorted { $0.text < $1.text }
  }

  /// Forgets who handed in photographs: their passages are there, or they are not.
  func forget(waiting names: [PhotoName]) {
    guard !names.isEmpty else { return }
    let known = withWaiting { waiting in
      names.filter { waiting.entries?.removeValue(forKey: $0) != nil }
    }
    for name in known { unlink("\(path)/\(Self.waitingStart)\(name.text)") }
  }

  /// Notes who hands a photograph in.
  func note(waiting name: PhotoName, _ bytes: Int, of owner: PhotographOwner) throws(Fault) {
    let isNoted = withWaiting { waiting in
      guard waiting.hasRoom(for: bytes, of: owner.account) else { return false }
      waiting.entries?[name] = WaitingPhotographs.Entry(owner: owner, bytes: bytes)
      return true
    }
    guard isNoted else { throw .tooMany }
    let file = "\(path)/\(Self.waitingStart)\(name.text)"
    unlink(file)
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o640)
    guard descriptor >= 0 else { throw Fault(errno) }
    defer { close(descriptor) }
    try ObjectDirectory.write(
      Array("\(bytes) \(owner.post) \(owner.account)\n".utf8), to: descriptor)
    guard fsync(descriptor) == 0 else { throw Fault(errno) }
  }

  private func withWaiting<Value: Sendable>(
    _ body: (inout sending WaitingPhotographs) -> sending Value
  ) -> Value {
    waiting.withLock { waiting in
      if waiting.entries == nil { waiting.entries = readWaiting() }
      return body(&waiting)
    }
  }

  /// What lies there since an earlier start. One that cannot be read is nobody's.
  private func readWaiting() -> [PhotoName: WaitingPhotographs.Entry] {
    var entries: [PhotoName: WaitingPhotographs.Entry] = [:]
    _ = SystemFile.names(in: path) { file in
      guard file.hasPrefix(Self.waitingStart),
        let name = PhotoName(file.dropFirst(Self.waitingStart.utf8.count)),
        let bytes = SystemFile.bytes("\(path)/\(file)", limit: 256)
      else { return false }
      let fields = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      let owner = PhotographOwner(
        account: fields.count > 2 ? String(fields[2]) : "",
        post: fields.count > 1 ? String(fields[1]) : "")
      entries[name] = WaitingPhotographs.Entry(
        owner: owner, bytes: fields.first.flatMap { Int($0) } ?? 0)
      return false
    }
    return entries
  }
}
