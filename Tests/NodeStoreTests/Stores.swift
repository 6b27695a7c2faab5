import NodeCore
import NodeSQLite
import Passages
import Storage
import TestSupport
import Testing
import Time

/// A store to be tested: how one is made, and how a second process opens the same one.
///
/// A further driver is one more value in ``all``; every test of this target then runs against it.
struct StoreMaker: Sendable, CustomTestStringConvertible {
  var testDescription: String
  /// Opens what is kept in a directory, in the boot of the machine that is named.
  var open: @Sendable (_ directory: String, _ bootID: String) throws -> any NodeStore

  static let all = [
    StoreMaker(testDescription: "SQLite, a file") { directory, bootID in
      try SQLiteNodeStore(path: directory + "/node.db", bootID: bootID)
    }
  ]
}

/// A store in a directory of its own, and a clock that is moved by hand.
final class Desk {
  let store: any NodeStore
  private(set) var moment = Moment(
    boot: .seconds(1_000), wall: WallTime(epochSeconds: 1_800_000_000))
  private let maker: StoreMaker
  private let directory: TemporaryDirectory

  init(_ maker: StoreMaker) throws {
    self.maker = maker
    directory = try TemporaryDirectory()
    store = try maker.open(directory.path, "boot-1")
  }

  /// The same store as another process, or the next start of the machine, has it.
  func another(bootID: String = "boot-1") throws -> any NodeStore {
    try maker.open(directory.path, bootID)
  }

  func pass(_ duration: Duration) {
    moment = Moment(boot: moment.boot + duration, wall: moment.wall + duration)
  }

  /// Runs `body` in a transaction of its own, at this moment.
  @discardableResult
  func run<Value>(
    _ body: (any NodeTransaction, Moment) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    let moment = moment
    return try store.transaction { transaction throws(StorageError) in
      try body(transaction, moment)
    }
  }

  @discardableResult
  func record(_ number: Int64, priority: Int = 1) throws -> Int64 {
    let request = RecordRequest(try passage(number), priority: priority)
    guard case .recorded(_, let queueID) = try store.record([request], at: moment).first else {
      throw NotRecorded()
    }
    return queueID
  }

  func choose() throws(StorageError) -> DueAnswer {
    try run { transaction, moment throws(StorageError) in
      try transaction.chooseDue(at: moment.boot)
    }
  }

  func begin(_ queueID: Int64?, text id: TextID, by modem: String = "one") throws {
    let body = try queueID.flatMap { try store.item($0)?.passage.v1Body } ?? "b"
    let intent = TextIntent(
      id: id, queueID: queueID, modem: ModemID(0), to: "+9779800000000", body: body,
      modemName: modem)
    try run { transaction, moment throws(StorageError) in
      try transaction.apply(.intent(intent), at: moment)
    }
  }

  func end(
    _ id: TextID, _ outcome: TextOutcome, _ consequence: TextConsequence
  ) throws(StorageError) {
    try run { transaction, moment throws(StorageError) in
      try transaction.apply(.outcome(id, outcome, consequence), at: moment)
    }
  }

  @discardableResult
  func step(_ queueID: Int64, _ step: SyncStep) throws -> QueueStatus {
    let record = try #require(try store.uploads(of: queueID).first)
    try run { transaction, moment throws(StorageError) in
      try transaction.apply(step.change(record), at: moment)
    }
    return try item(queueID).status
  }

  func keep(_ entry: InboxEntry) throws(StorageError) -> KeepOutcome {
    try run { transaction, moment throws(StorageError) in try transaction.keep(entry, at: moment) }
  }

  func item(_ queueID: Int64) throws -> QueueItem {
    try #require(try store.item(queueID))
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

struct NotRecorded: Error {}

func passage(_ number: Int64) throws -> Passage {
  let digits = String(number)
  let plate = "BA1PA" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  return Passage(
    clientID: try #require(ClientID("00000000-0000-4000-8000-" + tail(number))),
    contentClientID: nil, plate: try Plate(plate), vehicleType: .car,
    checkpost: try CheckpostCode("BNP-A"), segment: "north",
    recordedAt: WallTime(epochSeconds: 1_800_000_000),
    suffix: try #require(PhoneSuffix("9801")), ranger: "ranger-1", photoPath: nil, source: .app,
    v1Body: "V1|BNP-A|\(plate)|CAR|1800000000|9801")
}

private func tail(_ number: Int64) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: 12 - digits.utf8.count) + digits
}

func report(_ reference: UInt8, _ delivery: Delivery = .delivered) -> InboxEntry {
  InboxEntry(
    pdu: "report \(reference) \(delivery)", modem: "one",
    content: .statusReport(
      StatusReport(
        reference: reference, recipient: "+9779800000000", delivery: delivery, status: 0)))
}
