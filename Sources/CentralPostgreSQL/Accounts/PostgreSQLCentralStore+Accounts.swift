public import Accounts
public import Storage

extension PostgreSQLCentralStore: AccountStore {
  /// Runs `body` in one transaction. Those of all processes come one after the other, by a lock of the database
  /// of their own; what is kept of messages and passages does not wait for them. It runs again when the server
  /// asks for that.
  public func accountTransaction<Value: Sendable>(
    _ body: (any AccountTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try accountTransaction(within: nil) { rows throws(StorageError) in try body(rows) }
  }

  /// The same, which may take so long at most; nil where each statement alone has a bound.
  func accountTransaction<Value: Sendable>(
    within limit: Duration?, _ body: (AccountTables) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try lend(in: accountTurn, within: limit) { connection throws(StorageError) in
      try body(AccountTables(connection: connection))
    }
  }

  /// Runs `body` on one state of the store, beside those who write.
  public func readAccounts<Value: Sendable>(
    _ body: (any AccountTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try lend(in: nil) { connection throws(StorageError) in
      try body(AccountTables(connection: connection))
    }
  }
}
