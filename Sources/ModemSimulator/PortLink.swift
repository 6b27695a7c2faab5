import EventLoop
import Glibc

/// A link to a port, under a name that stays.
enum PortLink {
  /// Makes a link, in place of an older one; anything else of that name is left alone.
  static func make(_ path: String, to target: String) throws(LinkError) {
    remove(path)
    guard symlink(target, path) == 0 else {
      throw .system(path: path, operation: "make a link to \(target)", errno: errno)
    }
  }

  /// Removes a link.
  static func remove(_ path: String) {
    var information = stat()
    if lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFLNK { unlink(path) }
  }
}
