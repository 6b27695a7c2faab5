public import Storage
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The right to be the service of a store: one process at a time has it, and it ends with the
/// process, however that ends.
///
/// Commands that record or look do not need it. Without it two services would each take the texts of
/// the other for the remains of a crash, and send them again.
public final class ServiceLock: Sendable {
  private let descriptor: Mutex<Int32?>

  /// Takes the lock of the store at `path`, held in a file beside it.
  public init(forStoreAt path: String) throws(StorageError) {
    let lockPath = ServiceLock.resolved(path) + ".service"
    let opened = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
    guard opened >= 0 else {
      switch errno {
      case EACCES, EPERM: throw .noPermission(path: lockPath)
      case EROFS: throw .readOnlyFileSystem(path: path)
      case ENOENT, ENOTDIR: throw .missingDirectory(path: lockPath)
      case ENOSPC, EDQUOT: throw .diskFull(path: path)
      case let other: throw .other(path: lockPath, detail: String(cString: strerror(other)))
      }
    }
    guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
      close(opened)
      throw .inUse(path: path)
    }
    descriptor = Mutex(opened)
  }

  /// The path behind links, so that one store has one lock under whatever name.
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Gives the lock up.
  public func release() {
    descriptor.withLock { held in
      if let opened = held {
        // A child that is being started has a copy of every descriptor until it runs its own program,
        // and a lock lasts as long as any copy does, unless it is given back.
        flock(opened, LOCK_UN)
        close(opened)
      }
      held = nil
    }
  }

  deinit {
    release()
  }
}
