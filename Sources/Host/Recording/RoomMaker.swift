import NodeCore
public import NodeSQLite
public import PhotoFiles
import Storage
public import Time

/// Makes room for what is to be recorded, where the disk or the settings leave none: what the server has goes.
public struct RoomMaker: Sendable {
  private let store: SQLiteNodeStore
  private let directory: PhotoDirectory
  private let clocks: any Clocks

  /// Room in that store, and in the directory of its photographs.
  public init(_ store: SQLiteNodeStore, _ directory: PhotoDirectory, clocks: any Clocks) {
    self.store = store
    self.directory = directory
    self.clocks = clocks
  }

  /// Gives up photographs that the server has, and where it helps passages.
  ///
  /// - Returns: Whether anything went; then it is worth another try.
  public func makeRoom(passages: Bool) -> Bool {
    let moment = Moment(boot: store.clock.time(at: clocks.boot()), wall: clocks.wall())
    let given = try? store.makeRoom(
      passages: passages, limit: Limits.givenUpAtOnce, at: moment)
    guard let given, !given.isEmpty else { return false }
    for name in given.photos { try? directory.remove(name) }
    return true
  }

  /// Bytes that the database and the photographs take; nil when that cannot be told.
  public var usedBytes: Int64? {
    try? store.transaction { transaction throws(StorageError) in try transaction.usedBytes() }
  }

  /// Finds room for a photograph, and makes some where there is none.
  ///
  /// - Throws: Why there is none, once nothing more can be spared.
  public func demandRoom(for photograph: Photograph) throws(PhotoStorageError) {
    while true {
      do throws(PhotoStorageError) {
        return try directory.demandRoom(for: photograph, used: usedBytes)
      } catch {
        guard makeRoom(passages: error.capacity != nil) else { throw error }
      }
    }
  }
}
