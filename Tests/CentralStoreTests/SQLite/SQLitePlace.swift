import CentralCore
import CentralSQLite
import Foundation
import GRDB
import TestSupport

/// A database in a directory of its own.
final class SQLitePlace: SQLPlace {
  let path: String
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("central.db")
  }

  func open() throws -> any CentralStore { try SQLiteCentralStore(path: path) }

  /// Runs SQL beside the store, as another program could.
  func execute(_ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// Runs SQL as a program does that does not look at references, which is SQLite's default.
  func executeUnchecked(_ sql: String) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// The files as they are at this moment, as a crash would leave them.
  func crashImage() throws -> SQLiteCentralStore {
    let copy = directory.file("image-" + UUID().uuidString + ".db")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    return try SQLiteCentralStore(path: copy)
  }
}
