import Glibc
public import Storage
import Synchronization

/// A simulated day with a database of its own.
public enum Life {
  /// Each day has its own file, also when two live the same seed.
  private static let lives = Atomic(0)

  /// Lives a day. Its database lies in memory where there is such a file system: what is looked at is
  /// the decisions, and not the disk.
  public static func live(_ settings: WorldSettings) throws(StorageError) -> WorldReport {
    let directory = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    let number = lives.wrappingAdd(1, ordering: .relaxed).newValue
    let path = "\(directory)/checkpost-simulation-\(getpid())-\(number).db"
    defer { for tail in ["", "-wal", "-shm"] { unlink(path + tail) } }
    var world = try World(settings: settings, path: path)
    return try world.run()
  }
}
