public import CentralCore
import PostgreSQL
public import Storage

/// What came in.
extension PostgreSQLCentralStore {
  /// Keeps messages as they came, in one transaction.
  public func keep(_ messages: [InboundMessage]) throws(StorageError) -> [InboxReceipt] { [] }

  /// Messages of the inbox, newest first.
  public func inbox(_ query: InboxQuery) throws(StorageError) -> [InboxItem] { [] }

  /// The message of that number.
  public func inboxItem(_ id: Int64) throws(StorageError) -> InboxItem? { nil }

  /// The store in numbers.
  public func overview() throws(StorageError) -> CentralOverview {
    CentralOverview(
      posts: 0, segments: 0, rangers: 0, passages: 0, received: 0, undecodable: 0, duplicates: 0,
      heard: [])
  }

  /// Proves that something can be written, down to the server's disk.
  ///
  /// - Throws: Why it cannot.
  public func proveWritable() throws(StorageError) {}
}
