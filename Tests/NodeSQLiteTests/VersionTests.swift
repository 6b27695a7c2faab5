import GRDB
import NodeCore
import Passages
import SQLiteFile
import Storage
import TestSupport
import Testing
import Time

@testable import NodeSQLite

/// A file of each earlier version loses nothing when today's program opens it, nor when it does so again.
@Suite struct VersionTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Opens the file twice, as today's program does, and looks at it each time.
  private func open(_ old: OldFile, _ look: (SQLiteNodeStore) throws -> Void) throws {
    let path = directory.file("node.db")
    try old.write(to: path)
    for _ in 1...2 {
      let store = try SQLiteNodeStore(path: path, bootID: "boot-0")
      defer { try? store.close() }
      try look(store)
    }
  }

  private static let statuses: [QueueStatus] = [
    .pending, .synced, .failed, .pending, .pending, .pending, .pending, .inFlight, .pending,
    .synced, .synced, .failed,
  ]

  /// Whoever adds a migration adds the version before it here, where it is not.
  @Test func everyEarlierVersionHasAFile() {
    let migrations = NodeSchema.migrations.migrations
    #expect(OldFile.versions.count >= migrations.count - 1)
    #expect(
      OldFile.versions.map(\.migration) == Array(migrations.prefix(OldFile.versions.count)))
  }

  @Test(arguments: OldFile.versions) func everyTableHasRows(_ old: OldFile) throws {
    let path = directory.file("node.db")
    try old.write(to: path)
    let queue = try DatabaseQueue(path: path)
    let empty = try queue.read { database in
      try String.fetchAll(
        database,
        sql: """
          SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
            AND name <> 'grdb_migrations'
          """
      ).filter { try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") == 0 }
    }
    try queue.close()
    #expect(empty.isEmpty)
  }

  @Test(arguments: OldFile.versions) func everyStateIsKept(_ old: OldFile) throws {
    try open(old) { store in
      let items = try store.list(QueueQuery())
      #expect(items.map { Int($0.queueID) } == Array(old.passages))
      for item in items { try look(at: item, of: old, in: store) }
    }
  }

  private func look(at item: QueueItem, of old: OldFile, in store: SQLiteNodeStore) throws {
    let (id, version) = (Int(item.queueID), old.version)
    #expect(item.status == VersionTests.statuses[id - 1], "\(id)")
    let passage = item.passage
    #expect(passage.clientID == ClientID(OldFile.identity(id)))
    #expect(passage.contentClientID == ClientID(OldFile.identity(id, of: 5)))
    #expect(passage.plate == (try Plate("ba 1 pa \(id)")))
    #expect(passage.vehicleType == .bus)
    #expect(passage.checkpost.code == "BNP-A")
    #expect(passage.segment == "north")
    #expect(passage.recordedAt == WallTime(milliseconds: 1_800_000_000_000 + Int64(id)))
    #expect(passage.suffix.digits == "9801")
    #expect(passage.ranger == "ranger")
    #expect(passage.photoPath == "p\(id).jpg")
    #expect(passage.source == .app)
    #expect(passage.v1Body == "body \(id)")
    #expect(passage.isUndated == (id == 9))
    #expect(item.createdAt == WallTime(milliseconds: 1_800_000_005_000 + Int64(id)))
    #expect(item.since == BootInstant(nanoseconds: 7_000_000_000 + Int64(id)))
    #expect(item.clockSource == (old.hasDeliveries ? .battery : nil))
    #expect(item.clockSkewSeconds == (old.hasDeliveries ? 90 : nil))
    let isDue = [1, 4, 8].contains(id) || (id == 3 && version < 7)
    let due = BootInstant(nanoseconds: 307_000_000_001 + Int64(id))
    #expect(item.textDue == (isDue ? due : nil), "\(id)")
    #expect(item.priority == (id == 1 && version >= 3 ? 2 : 1))
    #expect(item.isOutdated == (id == 1 && version >= 3))
    #expect(item.handedOnAt == (id == 3 && version >= 7 ? WallTime(milliseconds: 99) : nil))
    #expect(item.isTexted == (id == 6))
    #expect(item.isUndelivered == (id == 6 && version >= 4))
    #expect(item.textAttempts == (id == 6 || id == 7 ? 1 : 0))
    #expect(item.refusals == (id == 7 ? 1 : 0))
    #expect(item.parkedReason == (id == 5 ? "bad plate" : nil))
    #expect(item.attempts == (id == 3 ? 5 : id == 12 ? 1 : 0))
    #expect(item.requeues == (id == 4 ? 1 : 0))
    #expect(item.lastError == [3: "503", 4: "22P02", 12: "something else"][id])
    let isOnServer = [2, 10, 11].contains(id)
    let wasTried = isOnServer || id == 12
    #expect(item.serverID == (wasTried && old.hasDeliveries ? "server-\(id)" : nil))
    #expect(item.syncedAt == (isOnServer ? WallTime(milliseconds: 11) : nil))
    let uploads = try store.uploads(of: item.queueID)
    #expect(
      uploads.map(\.kind)
        == (id == 10 ? [.passage, .photo] : id == 11 ? [.passage, .correction] : [.passage]))
    let waits = item.status == .pending && id != 9
    #expect(uploads.first?.next == (waits ? item.since : nil), "\(id)")
    #expect(uploads.first?.isPermanent == (id == 4 || id == 12))
    #expect(uploads.first?.lastAttemptAt == (wasTried ? WallTime(milliseconds: 11) : nil))
  }

  @Test(arguments: OldFile.versions) func everyTextIsKept(_ old: OldFile) throws {
    try open(old) { store in
      let accepted = try #require(try store.texts(of: 6).first)
      #expect(accepted.id == 1)
      #expect(accepted.outcome == "accepted")
      #expect(accepted.references == [17])
      #expect(accepted.delivery == .trying)
      #expect(accepted.body == "body 6")
      #expect(accepted.recipient == "+9779800000000")
      #expect(accepted.modemName == (old.version >= 3 ? "modem" : nil))
      #expect(accepted.begunAt == WallTime(milliseconds: 5))
      #expect(accepted.outcomeAt == WallTime(milliseconds: 7))
      #expect(accepted.error == "why")
      #expect(try store.texts(of: 7).map(\.outcome) == ["unknown", "refused"])
      let own = try store.texts(of: nil)
      #expect(own.map(\.body) == (old.version >= 9 ? ["hello", "alive"] : ["hello"]))
      #expect(own.map(\.isHeartbeat) == (old.version >= 9 ? [false, true] : [false]))
      #expect(try store.inbox().map(\.kind) == ["deliver", "status_report"])
      #expect(try store.inbox().map(\.text) == ["credit low", nil])
      let columns = try store.file.read { database in
        try Row.fetchOne(
          database,
          sql: """
            SELECT allowance, last_text_t,
              (SELECT text_id FROM inbox WHERE kind = 'status_report'),
              (SELECT worth_t FROM text_deliveries WHERE passage_id = 1 AND recipient = 'centre')
            FROM text_deliveries WHERE passage_id = 7 AND recipient = 'centre'
            """)
      }
      #expect(columns?[0] == 1)
      #expect(columns?[1] == 9_000_000_003)
      #expect(columns?[2] == 1)
      // Of one that said nothing of it, that counts from when the vehicle passed: five seconds before.
      #expect(columns?[3] == (old.version >= 3 ? 5 : 2_000_000_001))
    }
  }

  /// Photographs, corrections, conflicts, what the server told, the other end of the way, and the
  /// identities of passages that were removed.
  @Test(arguments: OldFile.versions.filter(\.hasDeliveries)) func whatHangsOnPassagesIsKept(
    _ old: OldFile
  ) throws {
    let moment = Moment(boot: .seconds(20), wall: WallTime(epochSeconds: 1_800_000_000))
    try open(old) { store in
      let photo = try #require(try store.uploads(of: 10).last)
      #expect(
        photo.photo == StoredPhoto(path: "p10.jpg", count: 1_234, contentType: "image/jpeg"))
      #expect(photo.status == .pending && photo.next == .seconds(8))
      let correction = try #require(try store.uploads(of: 11).last?.correction)
      #expect(correction == PlateCorrection(plate: try Plate("ba 1 pa 99"), vehicleType: .car))
      let conflict = try #require(try store.conflicts(limit: 10, onlyOpen: true).first)
      #expect(conflict.queueID == 12)
      #expect(conflict.ours.plate == (try Plate("ba 1 pa 12")))
      #expect(conflict.theirs.plate == "BA1PA98" && conflict.theirs.serverID == "server-12")
      #expect(conflict.foundAt == WallTime(milliseconds: 13))
      try store.transaction { transaction throws(StorageError) in
        let memory = try transaction.memory()
        #expect(memory.refreshToken == Token("token-1") && memory.userID == "user-1")
        #expect(memory.directory?.place?.segmentID == "segment-1")
        #expect(memory.lastSyncedAt == WallTime(milliseconds: 11))
        #expect(memory.lastPulledAt == WallTime(milliseconds: 12))
        let remote = try transaction.remotePassages(limit: 10)
        #expect(remote.map(\.plate) == ["BA1PA71", "BA1PA72"])
        #expect(remote.map(\.origin) == [.server, .text])
        for (kind, queueID) in [(UploadKind.photo, Int64(10)), (.correction, 11)] {
          let due = try transaction.dueUploads(UploadQuery(kind, limit: 9), at: moment.boot)
          #expect(due.uploads.map(\.queueID) == [queueID])
        }
      }
      // One that was removed is not recorded again, and the same is known of one that is there.
      for (id, queueID) in [(13, Int64(13)), (1, 1)] {
        let client = try #require(ClientID(OldFile.identity(id)))
        let passage = withIdentity(
          withIdentity(
            samplePassage(1), try #require(ClientID(OldFile.identity(id, of: 5)))), client)
        #expect(
          try store.record([RecordRequest(passage)], at: moment)
            == [.alreadyRecorded(client, queueID: queueID)])
      }
      // The opposite post is still told, after the centre.
      let recipients = try store.file.read {
        try String.fetchAll(
          $0, sql: "SELECT recipient FROM text_deliveries WHERE passage_id = 1 ORDER BY id")
      }
      #expect(recipients == (old.version >= 10 ? ["centre", "opposite"] : ["centre"]))
    }
  }

  /// What is counted is what is there, nothing points nowhere, and the numbers go on.
  @Test(arguments: OldFile.versions) func theCountsAreTrue(_ old: OldFile) throws {
    let version = old.version
    let moment = Moment(boot: .seconds(20), wall: WallTime(epochSeconds: 1_800_000_000))
    try open(old) { store in
      let (astray, integrity) = try store.file.read { database in
        (
          try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").count,
          try String.fetchAll(database, sql: "PRAGMA integrity_check")
        )
      }
      #expect(astray == 0)
      #expect(integrity == ["ok"])
      #expect(store.clock.offset == .zero)
      #expect(
        try store.bootMoment(of: .seconds(7)) == BootMoment(bootID: "boot-0", time: .seconds(7)))
      let overview = try store.overview(at: moment.boot)
      #expect(overview.pending == (version >= 5 ? 6 : 5))
      #expect(overview.inFlight == 1)
      #expect(overview.synced == (old.hasDeliveries ? 3 : 1))
      #expect(overview.failed == (old.hasDeliveries ? 2 : 1))
      #expect(overview.texted == 1)
      #expect(overview.textedLive == (version >= 4 ? 0 : 1))
      #expect(overview.undelivered == (version >= 4 ? 1 : 0))
      #expect(overview.unknownTexts == 1)
      #expect(overview.undated == (version >= 5 ? 1 : 0))
      #expect(overview.parked == 1)
      #expect(overview.handedOn == (version >= 7 ? 1 : 0))
      #expect(overview.waitingForText == (version >= 7 ? 3 : 4))
      let answer = try store.transaction { transaction throws(StorageError) in
        try transaction.dueUploads(UploadQuery(.passage, limit: 50), at: moment.boot)
      }
      #expect(answer.uploads.map(\.queueID) == [1, 4, 5, 6, 7])
      #expect(answer.backlog == 5)
      let heartbeat = try store.transaction { transaction throws(StorageError) in
        try transaction.heartbeatFacts(at: moment)
      }
      #expect(heartbeat.texted == 1)
      #expect(heartbeat.lastNumber == Int64(old.lastPassage))
    }
  }

  /// A start goes on where the last one ended: no number is given twice, and what was paid for counts.
  @Test(arguments: OldFile.versions) func aStartGoesOn(_ old: OldFile) throws {
    let moment = Moment(boot: .seconds(20), wall: WallTime(epochSeconds: 1_800_000_000))
    let path = directory.file("node.db")
    try old.write(to: path)
    let store = try SQLiteNodeStore(path: path, bootID: "boot-0")
    defer { try? store.close() }
    let facts = try store.recover(rules: NodeRules(), at: moment)
    // Texts of two parts cost two.
    let texts: [Int64] =
      switch old.version {
      case ..<3: [1, 2, 3, 4]
      case ..<8: [1, 2, 3, 4, 4]
      case 8: [1, 2, 3, 4, 4, 5, 5]
      default: [1, 2, 3, 4, 4, 5, 5, 6]
      }
    #expect(facts.charges.map { $0.at.nanoseconds - 9_000_000_000 } == texts)
    #expect(facts.charges.allSatisfy { $0.modem == ModemID(0) })
    #expect(facts.nextTextID == texts.max().map { $0 + 1 })
    #expect(facts.inFlight == 1)
    #expect(facts.intents == 1)
    #expect(facts.lastQueueID == Int64(old.lastPassage))
    let new = try store.record([RecordRequest(samplePassage(1))], at: moment)
    #expect(
      new == [.recorded(samplePassage(1).clientID, queueID: Int64(old.lastPassage) + 1)])
    #expect(try store.item(8)?.status == .pending)
    #expect(try store.retry(7, at: moment) == .retried)
    #expect(try store.texts(of: nil).first?.outcome == "unknown")
  }
}
