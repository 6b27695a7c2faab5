#if canImport(Glibc)
  import Glibc
#endif

/// A mark beside a database in which something damaged was met: the next start looks through all of it. What a
/// start does otherwise, with a large file, finds the damage of few pages.
struct Suspicion {
  private let mark: String

  init(of path: String) {
    mark = path + "-damaged"
  }

  var isThere: Bool { access(mark, F_OK) == 0 }

  func raise() {
    let file = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0o640)
    if file >= 0 { close(file) }
  }

  func drop() {
    if isThere { unlink(mark) }
  }
}
