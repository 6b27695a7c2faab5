public import CentralCore
public import Passages
import PostgreSQL
public import Storage

/// Segments, posts, rangers and numbers.
extension PostgreSQLCentralStore {
  /// Puts posts, segments, rangers and numbers in, in one transaction.
  public func put(_ entries: [DirectoryEntry]) throws(StorageError) -> [DirectoryRefusal?] { [] }

  /// Every segment, by name.
  public func segments() throws(StorageError) -> [Segment] { [] }

  /// Every post, by code.
  public func posts() throws(StorageError) -> [Post] { [] }

  /// Every ranger, by number.
  public func rangers() throws(StorageError) -> [Ranger] { [] }

  /// Every further number that may speak for a post, or might, by number and post.
  public func numbers() throws(StorageError) -> [SenderBinding] { [] }
}
