import GSM
import Glibc
import NodeCore
import NodeSQLite
import Passages
import SimulatedDisk
import Storage
import Testing
import Time

/// What a node does with its store, one transaction after another: records, sends texts, syncs, prunes.
struct StoreLife {
  static let bootID = "boot-1"

  var store: SQLiteNodeStore
  /// After each transaction: how many changes the disk had made, and what stood in the store.
  private(set) var settledAt: [(changes: Int, facts: [String])] = []
  private let disk: SimulatedDisk
  private var moment = Moment(boot: .seconds(1_000), wall: WallTime(epochSeconds: 1_800_000_000))
  private var texts: TextID = 0
  private var recorded: Int64 = 0

  init(on disk: SimulatedDisk) throws {
    self.disk = disk
    store = try SQLiteNodeStore(path: disk.path, bootID: StoreLife.bootID, reserveBytes: 0)
    try settle()
  }

  /// Everything that the store tells, in words that can be compared.
  static func facts(of store: SQLiteNodeStore) throws(StorageError) -> [String] {
    var query = QueueQuery()
    query.limit = 1_000
    let items = try store.list(query).map { item in
      "\(item.queueID) \(item.passage.clientID) \(item.status) \(item.attempts)"
        + " \(item.isTexted) \(item.textAttempts) \(item.refusals)"
    }
    var texts: [String] = []
    for item in try store.list(query) {
      texts += try store.texts(of: item.queueID).map { "text \($0.id) \($0.outcome)" }
    }
    let moment = Moment(boot: .zero, wall: WallTime(epochSeconds: 0))
    let facts = try store.transaction { transaction throws(StorageError) in
      try transaction.startFacts(modems: ["one"], since: moment.boot)
    }
    return items + texts + ["charges \(facts.charges.count), last \(facts.lastQueueID)"]
  }

  /// Lays the database that the store began with at the image's name, for the cuts before the first
  /// change.
  func standIn(for image: SimulatedDisk) throws {
    guard let from = fopen(disk.path, "r"), let to = fopen(image.path, "w") else {
      throw Unreadable()
    }
    var page = [UInt8](repeating: 0, count: 4_096)
    let count = fread(&page, 1, page.count, from)
    fwrite(page, 1, count, to)
    fclose(from)
    fclose(to)
  }

  /// Days of work: passages, texts with each outcome, the server's answers, a restart and pruning.
  mutating func live(days: Int) throws {
    for day in 1...days as ClosedRange<Int> {
      for _ in 1...6 { try record() }
      pass(.seconds(400))
      let first = recorded - 5
      try text(first, .accepted(references: [17]), .texted)
      try text(
        first + 1,
        .refused(Refusal(code: "CMS 38", words: "network out of order", kind: .later)),
        .againAfterRefusal(at: moment.boot + .seconds(60)))
      try text(first + 2, .unknown(reason: "no answer"), .leftUnknown)
      for id in first...first + 4 { try upload(id) }
      if day == 1 { try restart() }
      try settle { store, moment throws(StorageError) in
        _ = try store.prune(syncedBefore: nil, limit: 2, at: moment)
      }
    }
  }

  /// The process ends and begins again: the log is brought into the file and removed.
  private mutating func restart() throws {
    try store.close()
    store = try SQLiteNodeStore(path: disk.path, bootID: StoreLife.bootID, reserveBytes: 0)
    try settle()
  }

  private mutating func record() throws {
    recorded += 1
    let passage = try Passage(
      recording: try Plate("BA 1 PA \(1_000 + recorded)"), vehicleType: .truck,
      checkpost: try CheckpostCode("BNP-A"), recordedAt: moment.wall, suffix: .unknown)
    try settle { store, moment throws(StorageError) in
      _ = try store.record([RecordRequest(passage)], at: moment)
    }
    pass(.seconds(5))
  }

  private mutating func text(
    _ queueID: Int64, _ outcome: TextOutcome, _ consequence: TextConsequence
  ) throws {
    texts += 1
    let id = texts
    let intent = TextIntent(
      id: id, queueID: queueID, modem: ModemID(0), to: "+9779800000000",
      body: try #require(try store.item(queueID)).passage.v1Body, modemName: "one")
    try settle { store, moment throws(StorageError) in
      try store.transaction { transaction throws(StorageError) in
        try transaction.apply(.intent(intent), at: moment)
      }
    }
    try settle { store, moment throws(StorageError) in
      try store.transaction { transaction throws(StorageError) in
        try transaction.apply(.outcome(id, outcome, consequence), at: moment)
      }
    }
  }

  private mutating func upload(_ queueID: Int64) throws {
    let id = try #require(try store.uploads(of: queueID).first).id
    for change in [UploadChange.claimed([id]), .synced(id, serverID: "server-\(id)")] {
      try settle { store, moment throws(StorageError) in
        try store.transaction { transaction throws(StorageError) in
          try transaction.apply(change, at: moment)
        }
      }
    }
  }

  private mutating func pass(_ duration: Duration) {
    moment = Moment(boot: moment.boot + duration, wall: moment.wall + duration)
  }

  private mutating func settle(
    _ work: (SQLiteNodeStore, Moment) throws(StorageError) -> Void = { _, _ in }
  ) throws {
    try work(store, moment)
    settledAt.append((disk.changes, try StoreLife.facts(of: store)))
  }
}

struct Unreadable: Error {}
