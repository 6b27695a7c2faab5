import Foundation
import GRDB
import GSM
import NodeCore
import NodeSQLite
import Passages
import SQLiteFile
import Storage
import TestSupport
import Testing
import Time

/// A store in a directory of its own, and a clock that is moved by hand.
final class Bench {
  let path: String
  var store: SQLiteNodeStore
  private(set) var moment = Moment(
    boot: .seconds(1_000), wall: WallTime(epochSeconds: 1_800_000_000))
  private let directory: TemporaryDirectory
  private var boot: BootInstant = .seconds(1_000)
  private var bootID = "boot-1"

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("node.db")
    store = try SQLiteNodeStore(path: path, bootID: bootID)
  }

  deinit {
    try? store.close()
  }

  /// Lets time pass on every clock.
  func pass(_ duration: Duration) {
    boot = boot + duration
    moment = Moment(boot: store.clock.time(at: boot), wall: moment.wall + duration)
  }

  /// Ends the process and starts it again, without the machine noticing.
  func reopen() throws {
    try store.close()
    store = try SQLiteNodeStore(path: path, bootID: bootID)
  }

  /// Cuts the power for a while and starts the machine again.
  func powerCut(boots after: Duration = .seconds(20)) throws {
    try store.close()
    bootID += "'"
    boot = .zero + after
    store = try SQLiteNodeStore(path: path, bootID: bootID)
    moment = Moment(boot: store.clock.time(at: boot), wall: moment.wall + .seconds(3_600))
  }

  /// A second process with the same file.
  func another() throws -> SQLiteNodeStore {
    try SQLiteNodeStore(path: path, bootID: bootID, checks: false)
  }

  /// The files as they are at this moment, as a crash would leave them, under another name.
  func crashImage(_ name: String) throws -> String {
    let copy = directory.file(name + ".db")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
      try? FileManager.default.removeItem(atPath: copy + suffix)
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    return copy
  }

  @discardableResult
  func record(_ number: Int64) throws -> Int64 {
    let outcomes = try store.record([RecordRequest(samplePassage(number))], at: moment)
    guard case .recorded(_, let queueID) = outcomes.first else {
      throw BenchError.notRecorded
    }
    return queueID
  }

  func choose() throws -> DueAnswer {
    let now = moment.boot
    return try store.transaction { transaction throws(StorageError) in
      try transaction.chooseDue(at: now)
    }
  }

  func apply(_ writes: [NodeWrite]) throws(StorageError) {
    let moment = moment
    try store.transaction { transaction throws(StorageError) in
      for write in writes {
        try transaction.apply(write, at: moment)
      }
    }
  }

  /// Begins a text for a passage and returns its number.
  @discardableResult
  func begin(_ queueID: Int64, text id: TextID) throws -> TextID {
    let item = try #require(try store.item(queueID))
    let intent = TextIntent(
      id: id, queueID: queueID, modem: ModemID(0), to: "+9779800000000",
      body: item.passage.v1Body)
    try apply([.intent(intent)])
    return id
  }

  func end(
    _ id: TextID, _ outcome: TextOutcome, _ consequence: TextConsequence
  ) throws(StorageError) {
    try apply([.outcome(id, outcome, consequence)])
  }

  @discardableResult
  func step(_ queueID: Int64, _ step: SyncStep) throws -> QueueStatus {
    let moment = moment
    let record = try #require(try store.uploads(of: queueID).first)
    try store.transaction { transaction throws(StorageError) in
      try transaction.apply(step.change(record), at: moment)
    }
    return try item(queueID).status
  }

  func item(_ queueID: Int64) throws -> QueueItem {
    try #require(try store.item(queueID))
  }

  /// What any other program could do with the file.
  func sql(_ statement: String) throws(StorageError) {
    try asStranger { try $0.execute(sql: statement) }
  }

  func strings(_ query: String) throws(StorageError) -> [String] {
    try asStranger { try String.fetchAll($0, sql: query) }
  }

  func number(_ query: String) throws(StorageError) -> Int {
    try asStranger { try Int.fetchOne($0, sql: query) ?? -1 }
  }

  private func asStranger<Value>(
    _ body: (Database) throws -> Value
  ) throws(StorageError) -> Value {
    do {
      return try DatabaseQueue(path: path).inDatabase(body)
    } catch {
      throw SQLiteFile.classify(error, path: path)
    }
  }
}

/// A step of a passage on its way to the server.
enum SyncStep {
  case claimed, synced
  /// Not taken this time; given up the fifth time.
  case missed(error: String)
  /// Never to be taken as it is; `mayBeTexted` says whether its text may go all the same.
  case refused(error: String, mayBeTexted: Bool = true)

  func change(_ record: UploadRecord) -> UploadChange {
    switch self {
    case .claimed: .claimed([record.id])
    case .synced: .synced(record.id, serverID: "server-\(record.id)")
    case .missed(let error):
      record.attempts + 1 < NodeCore.Limits.attempts
        ? .missed(record.id, error: error, next: nil)
        : .failed(record.id, error: error, isPermanent: false, mayBeTexted: true)
    case .refused(let error, let mayBeTexted):
      .failed(record.id, error: error, isPermanent: true, mayBeTexted: mayBeTexted)
    }
  }
}

enum BenchError: Error {
  case notRecorded
}

extension TextOutcome {
  static let fine = TextOutcome.accepted(references: [17])
  static let refused = TextOutcome.refused(
    Refusal(code: "CMS 38", words: "network out of order", kind: .later))
  static let unknown = TextOutcome.unknown(reason: "no answer")
}
