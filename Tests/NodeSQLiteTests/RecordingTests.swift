import NodeCore
import NodeSQLite
import Passages
import SQLiteFile
import Storage
import Testing
import Time

@Suite struct RecordingTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
  }

  @Test func aRecordedPassageIsPendingAndReadsAsItWas() throws {
    let passage = samplePassage(1)
    let id = try bench.record(1)
    let item = try bench.item(id)
    #expect(item.passage == passage)
    #expect(item.status == .pending)
    #expect(item.attempts == 0)
    #expect(!item.isTexted)
    #expect(item.createdAt == bench.moment.wall)
    #expect(item.since == bench.moment.boot)
    #expect(item.textDue == bench.moment.boot + .seconds(300) + .nanoseconds(1))
  }

  @Test func whatWasRecordedIsThereAfterARestart() throws {
    let id = try bench.record(1)
    try bench.reopen()
    #expect(try bench.item(id).passage == samplePassage(1))
  }

  @Test func theSamePassageTwiceIsOnePassage() throws {
    let first = try bench.store.record([RecordRequest(samplePassage(1))], at: bench.moment)
    bench.pass(.seconds(2))
    let second = try bench.store.record([RecordRequest(samplePassage(1))], at: bench.moment)
    #expect(
      second == [.alreadyRecorded(first[0].clientID, queueID: 1)])
    #expect(try bench.store.overview(at: bench.moment.boot).pending == 1)
  }

  @Test func theSamePassageTwiceInOneBatchIsOnePassage() throws {
    let requests = [1, 2, 1].map { RecordRequest(samplePassage($0)) }
    let outcomes = try bench.store.record(requests, at: bench.moment)
    #expect(outcomes[2] == .alreadyRecorded(samplePassage(1).clientID, queueID: 1))
    #expect(try bench.store.overview(at: bench.moment.boot).pending == 2)
  }

  @Test func aRandomIdentityDoesNotMakeAnotherPassageOfTheSameContent() throws {
    let first = withIdentity(samplePassage(1), uuid(7))
    let second = withIdentity(samplePassage(1), uuid(8))
    let outcomes = try bench.store.record(
      [RecordRequest(first), RecordRequest(second)], at: bench.moment)
    #expect(outcomes[1] == .alreadyRecorded(first.clientID, queueID: 1))
  }

  @Test func aGivenIdentityIsKeptBesideTheSameContent() throws {
    let first = withIdentity(samplePassage(1), uuid(7))
    let second = withIdentity(samplePassage(1), uuid(8))
    let outcomes = try bench.store.record(
      [
        RecordRequest(first, hasGivenIdentity: true),
        RecordRequest(second, hasGivenIdentity: true),
        RecordRequest(second, hasGivenIdentity: true),
      ], at: bench.moment)
    #expect(
      outcomes == [
        .recorded(first.clientID, queueID: 1), .recorded(second.clientID, queueID: 2),
        .alreadyRecorded(second.clientID, queueID: 2),
      ])
    #expect(try bench.item(2).passage == second)
    #expect(try bench.store.item(samplePassage(1).clientID)?.queueID == 1, "by its V1 identity")
  }

  @Test func anIdentityThatBelongsToAnotherPassageIsRefused() throws {
    let first = withIdentity(samplePassage(1), uuid(7))
    let other = withIdentity(samplePassage(2), uuid(7))
    let outcomes = try bench.store.record(
      [
        RecordRequest(first, hasGivenIdentity: true), RecordRequest(other, hasGivenIdentity: true),
      ], at: bench.moment)
    #expect(outcomes[1] == .identityTaken(first.clientID))
    #expect(try bench.item(1).passage == first)
    #expect(try bench.number("SELECT count(*) FROM passages") == 1)
  }

  @Test func everyPassageGoesToTheServer() throws {
    try bench.record(1)
    let passage = """
      INSERT INTO passages (client_id, content_client_id, plate_number, plate_number_raw,
        vehicle_type, checkpost, recorded_at_ms, ranger_phone_suffix, source, v1_body, since_t,
        created_at_ms, priority)
      VALUES ('x', 'x', 'p', 'p', 'car', 'A', 0, '0000', 'app', 'b', 0, 0, 1)
      """
    try bench.sql(passage)
    #expect(try bench.store.overview(at: bench.moment.boot).pending == 2)
    #expect(throws: StorageError.self) {
      try bench.sql("INSERT INTO uploads (passage_id, kind, priority) VALUES (99, 'passage', 1)")
    }
    #expect(throws: StorageError.self, "once") {
      try bench.sql("INSERT INTO uploads (passage_id, kind, priority) VALUES (1, 'passage', 1)")
    }
    #expect(throws: StorageError.self) { try bench.sql("DELETE FROM uploads") }
    #expect(try bench.number("SELECT count(*) FROM queue") == 2)
  }

  @Test(arguments: [
    "v1_body = 'other'", "client_id = 'other'", "plate_number = 'OTHER'", "recorded_at_ms = 1",
    "plate_number_raw = 'other'", "source = 'sms'",
  ])
  func aRecordedPassageIsFrozen(_ change: String) throws {
    try bench.record(1)
    #expect(throws: StorageError.self) { try bench.sql("UPDATE passages SET \(change)") }
    #expect(try bench.item(1).passage == samplePassage(1))
  }

  @Test func anUnsyncedPassageCannotBeRemoved() throws {
    try bench.record(1)
    #expect(throws: StorageError.self) { try bench.sql("DELETE FROM passages") }
    #expect(throws: StorageError.self) { try bench.sql("DELETE FROM uploads") }
    #expect(throws: StorageError.self) { try bench.sql("DELETE FROM text_deliveries") }
    #expect(try bench.item(1).passage == samplePassage(1))
  }

  @Test func manyProcessesRecordIntoOneFile() async throws {
    let stores = try (0..<4).map { _ in try bench.another() }
    let moment = bench.moment
    try await withThrowingTaskGroup { group in
      for (index, store) in stores.enumerated() {
        group.addTask {
          for number in 0..<25 {
            let passage = samplePassage(Int64(index * 100 + number))
            _ = try store.record([RecordRequest(passage)], at: moment)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try bench.store.overview(at: moment.boot).pending == 100)
    let places = try bench.store.list(QueueQuery()).map(\.queueID)
    #expect(places == Array(1...100))
  }

  @Test func aFullDiskIsSaidAndNothingIsHalfRecorded() throws {
    let full = try SQLiteNodeStore(path: bench.path, bootID: "boot-1", reserveBytes: .max)
    #expect(full.shortage == .diskFull(path: bench.path))
    #expect(throws: StorageError.diskFull(path: bench.path)) {
      try full.record([RecordRequest(samplePassage(1))], at: bench.moment)
    }
    #expect(try bench.store.overview(at: bench.moment.boot).pending == 0)
  }

  @Test func aBatchIsRecordedWhollyOrNotAtAll() throws {
    try bench.store.transaction { transaction throws(StorageError) in
      _ = try transaction.record([RecordRequest(samplePassage(1))], at: bench.moment)
    }
    #expect(throws: StorageError.self) {
      try bench.store.transaction { transaction throws(StorageError) in
        _ = try transaction.record(
          [RecordRequest(samplePassage(2)), RecordRequest(samplePassage(3))], at: bench.moment)
        throw StorageError.diskFull(path: "here")
      }
    }
    #expect(try bench.store.list(QueueQuery()).map(\.queueID) == [1])
  }
}
