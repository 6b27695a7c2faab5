import EventLoop
import Glibc
import Synchronization

/// A socket in the file system at which the server listens, for a proxy on the same machine.
public struct SocketPlace: Hashable, Sendable {
  /// The path, of 107 bytes at most.
  public var path: String
  /// Who may connect: the bits of a file's mode, of which the right to write counts.
  public var permissions: UInt32
  /// Bytes of a path that a socket's address has room for, without the zero at its end (unix(7)).
  static let longestPath = 107

  /// The group of the socket, which the service's user has to be in; nil for the user's own.
  public var group: String?

  /// A place; by default for the service's own group.
  public init(path: String, permissions: UInt32 = 0o660, group: String? = nil) {
    self.path = path
    self.permissions = permissions
    self.group = group
  }
}

/// The name of a listening socket.
///
/// It listens under a name that nobody knows, and gets its own one once whoever may connect is settled:
/// so nobody connects who may not, and a socket at which another service listens stays.
final class SocketName: Sendable {
  private let place: SocketPlace
  private let isTaken = Mutex(false)

  init(_ place: SocketPlace) {
    self.place = place
  }

  /// Where it listens before it has its name.
  var unfinished: String {
    let slash = place.path.lastIndex(of: "/") ?? place.path.startIndex
    return place.path[...slash] + ".h\(getpid())"
  }

  /// Gives the listening socket its name; a socket that an ended process left there is removed.
  func take() throws(HTTPServerError) {
    defer { unlink(unfinished) }
    // A file may have such a name, but nobody could connect to it.
    guard place.path.utf8.count <= SocketPlace.longestPath else {
      throw .socket(path: place.path, errno: ENAMETOOLONG)
    }
    if let group = place.group {
      guard let entry = getgrnam(group) else { throw .noGroup(path: place.path, group: group) }
      guard chown(unfinished, uid_t.max, entry.pointee.gr_gid) == 0 else {
        throw .notInGroup(path: place.path, group: group)
      }
    }
    guard chmod(unfinished, place.permissions) == 0 else {
      throw .socket(path: place.path, errno: errno)
    }
    if link(unfinished, place.path) != 0 {
      guard errno == EEXIST else { throw .socket(path: place.path, errno: errno) }
      try removeStale()
      guard link(unfinished, place.path) == 0 else {
        throw errno == EEXIST
          ? .socketInUse(path: place.path) : .socket(path: place.path, errno: errno)
      }
    }
    isTaken.withLock { $0 = true }
  }

  /// Takes the name away once nothing listens any more, unless another service does by now.
  func release() {
    unlink(unfinished)
    guard isTaken.withLock({ $0 }) else { return }
    _ = try? UnixSocket.removeStale(place.path)
  }

  private func removeStale() throws(HTTPServerError) {
    do throws(UnixSocket.Failure) {
      if try UnixSocket.removeStale(place.path) { return }
    } catch {
      switch error {
      case .notASocket: throw .notASocket(path: place.path)
      case .pathTooLong: throw .socket(path: place.path, errno: ENAMETOOLONG)
      case .system(_, let number): throw .socket(path: place.path, errno: number)
      }
    }
    throw .socketInUse(path: place.path)
  }
}
