import EventLoop
import NodeCore
public import NodeSQLite
public import Settings
import Storage

/// The node's store as a command opens it that writes beside the service.
public enum NodeDatabase {
  /// Opens it. Beside a running service it is not looked through: the service did that when it started.
  /// Without one it is, as the service would: what is put into a damaged database never leaves.
  ///
  /// - Throws: `StorageError` when it cannot be used.
  public static func open(_ loaded: LoadedSettings) throws -> SQLiteNodeStore {
    let settings = loaded.settings
    let isLookedAfter =
      settings.roles.node && RunningService.isThere(socket: settings.control.socket)
    return try SQLiteNodeStore(
      path: settings.node.database, bootID: SystemClocks.bootIdentity(), checks: !isLookedAfter)
  }
}
