import CentralCore
import Passages
import PostgreSQL
import Storage
import Time

/// The store inside one transaction.
struct PostgreSQLTransaction: CentralTransaction {
  let connection: LentConnection

  func unprocessed(limit: Int) throws(StorageError) -> [InboxItem] { [] }

  func waitingParts(
    receivedBefore limit: WallTime, beyondNewest count: Int
  ) throws(StorageError) -> [InboxItem] { [] }

  func parts(
    ofKeys keys: [String], states: [InboxItem.State]
  ) throws(StorageError) -> [InboxItem] { [] }

  func message(_ id: Int64) throws(StorageError) -> InboxItem? { nil }

  func refused(
    after: Int64, reason: String?, limit: Int
  ) throws(StorageError) -> [InboxItem] { [] }

  func posts() throws(StorageError) -> [Post] { [] }

  func rangers() throws(StorageError) -> [Ranger] { [] }

  func numbers() throws(StorageError) -> [SenderBinding] { [] }

  func apply(
    _ facts: [InboxFact], repeated: Set<Int64>, at wall: WallTime
  ) throws(StorageError) {}

  func heartbeat(of post: CheckpostCode) throws(StorageError) -> PostHeartbeat? { nil }

  func keep(_ heartbeat: PostHeartbeat) throws(StorageError) {}

  func passages(of post: CheckpostCode) throws(StorageError) -> Int64 { 0 }
}
