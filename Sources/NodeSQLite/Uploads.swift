import GRDB
import NodeCore
import Passages
import SQLiteFile
import Storage
import Time

// What the store knows of uploads, of the server and of the opposite post.
extension StoreTransaction {
  func dueUploads(_ query: UploadQuery, at now: BootInstant) throws(StorageError) -> UploadAnswer {
    UploadAnswer(uploads: [], nextDue: nil, backlog: 0)
  }

  func apply(_ change: UploadChange, at moment: Moment) throws(StorageError) {
    throw .refusedChange(path: path, detail: "uploads are not kept yet")
  }

  func memory() throws(StorageError) -> NodeMemory { NodeMemory() }

  func remember(_ memory: NodeMemory) throws(StorageError) {}

  func syncedThrough() throws(StorageError) -> WallTime? { nil }

  func keep(_ passages: [RemotePassage], at moment: Moment) throws(StorageError) {}

  func remotePassages(plate: String) throws(StorageError) -> [RemotePassage] { [] }

  func remotePassages(limit: Int) throws(StorageError) -> [RemotePassage] { [] }

  func forgetRemote(_ identities: [ClientID]) throws(StorageError) {}

  func forgetRemote(before: WallTime, most: Int) throws(StorageError) {}

  func ownPassages(plate: String, since: WallTime) throws(StorageError) -> [Passage] { [] }
}
