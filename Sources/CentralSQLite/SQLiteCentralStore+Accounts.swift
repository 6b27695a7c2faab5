public import Accounts
import GRDB
import SQLiteFile
public import Storage

extension SQLiteCentralStore: AccountStore {
  /// Runs `body` in one transaction, one after the other with those of all others.
  public func accountTransaction<Value: Sendable>(
    _ body: (any AccountTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try file.write { database in
      try body(AccountRows(database: database, path: path))
    }
  }

  /// Runs `body` on one state of the store, beside those who write.
  public func readAccounts<Value: Sendable>(
    _ body: (any AccountTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try file.concurrentRead { database in
      try body(AccountRows(database: database, path: path))
    }
  }
}
