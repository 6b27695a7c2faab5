import NodeCore
import Passages
import Storage
import Testing
import Time

/// Passages that are corrected, dated, or removed after the server has them.
@Suite struct CorrectionTests {
  private func sync(_ desk: Desk, _ queueID: Int64) throws {
    try desk.step(queueID, .claimed)
    try desk.step(queueID, .synced)
  }

  private func recorded(_ desk: Desk, _ passage: Passage) throws -> RecordOutcome {
    try #require(try desk.store.record([RecordRequest(passage)], at: desk.moment).first)
  }

  /// A passage whose identity is that of its content.
  private func byContent(_ plate: String) throws -> Passage {
    try Passage(
      recording: try Plate(plate), vehicleType: .car, checkpost: try CheckpostCode("BNP-A"),
      recordedAt: WallTime(epochSeconds: 1_800_000_000),
      suffix: try #require(PhoneSuffix("9801")))
  }

  private func due(_ desk: Desk, _ kind: UploadKind) throws -> [DueUpload] {
    try desk.run { transaction, moment throws(StorageError) in
      try transaction.dueUploads(UploadQuery(kind, limit: 10), at: moment.boot).uploads
    }
  }

  @Test(arguments: StoreMaker.all) func beforeItLeftThePassageIsReplaced(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    let (wrong, right) = (try byContent("BA1PA1"), try byContent("BA1PA2"))
    _ = try recorded(desk, wrong)
    let correction = PlateCorrection(plate: right.plate)
    #expect(try desk.store.correct(9, with: correction, at: desk.moment) == .notFound)
    #expect(
      try desk.store.correct(1, with: correction, at: desk.moment) == .replaced(right.clientID))
    #expect(try desk.item(1).passage == right)
    #expect(try desk.store.correct(1, with: correction, at: desk.moment) == .unchanged)
    // The button that was pressed twice means the same vehicle, and so does its right plate.
    #expect(try recorded(desk, wrong) == .alreadyRecorded(right.clientID, queueID: 1))
    #expect(try recorded(desk, right) == .alreadyRecorded(right.clientID, queueID: 1))
    #expect(try due(desk, .passage).map(\.passage) == [right])
    desk.pass(.seconds(301))
    #expect(try desk.choose().text?.body == right.v1Body)
    // And back again.
    #expect(
      try desk.store.correct(1, with: PlateCorrection(plate: wrong.plate), at: desk.moment)
        == .replaced(wrong.clientID))
    #expect(try recorded(desk, right) == .alreadyRecorded(wrong.clientID, queueID: 1))
  }

  @Test(arguments: StoreMaker.all) func aCorrectionDoesNotTakeTheIdentityOfAnother(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    let (wrong, other) = (try byContent("BA1PA1"), try byContent("BA1PA2"))
    _ = try recorded(desk, wrong)
    _ = try recorded(desk, other)
    #expect(
      try desk.store.correct(1, with: PlateCorrection(plate: other.plate), at: desk.moment)
        == .identityTaken(other.clientID))
    #expect(try desk.item(1).passage == wrong)
  }

  @Test(arguments: StoreMaker.all) func afterItLeftTheCorrectionGoesBehindIt(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    let wrong = try byContent("BA1PA1")
    _ = try recorded(desk, wrong)
    try desk.step(1, .claimed)
    try desk.step(1, .missed(error: "no answer"))
    let first = PlateCorrection(plate: try Plate("BA1PA2"))
    let second = PlateCorrection(plate: try Plate("BA1PA3"), vehicleType: .bus)
    for correction in [first, second] {
      #expect(try desk.store.correct(1, with: correction, at: desk.moment) == .queued)
    }
    #expect(try desk.item(1).passage == wrong)
    #expect(try due(desk, .correction).isEmpty, "the server does not have the passage")
    try sync(desk, 1)
    let upload = try #require(try due(desk, .correction).first)
    #expect(upload.correction == second, "the last one counts")
    // One more while that is on its way waits for it.
    try desk.run { transaction, moment throws(StorageError) in
      try transaction.apply(.claimed([upload.id]), at: moment)
    }
    #expect(try desk.store.correct(1, with: first, at: desk.moment) == .queued)
    #expect(try due(desk, .correction).isEmpty)
    try desk.run { transaction, moment throws(StorageError) in
      try transaction.apply(
        .missed(upload.id, error: "503", next: moment.boot + .seconds(30)), at: moment)
    }
    #expect(try due(desk, .correction).isEmpty, "it does not overtake the one before it")
    desk.pass(.seconds(30))
    #expect(try due(desk, .correction).map(\.id) == [upload.id])
  }

  @Test(arguments: StoreMaker.all) func aTextOnAirKeepsThePassageAsItIs(_ maker: StoreMaker) throws
  {
    let desk = try Desk(maker)
    _ = try recorded(desk, try byContent("BA1PA1"))
    desk.pass(.seconds(301))
    try desk.begin(1, text: 1)
    let correction = PlateCorrection(plate: try Plate("BA1PA2"))
    #expect(try desk.store.correct(1, with: correction, at: desk.moment) == .queued)
  }

  @Test(arguments: StoreMaker.all) func whatTheServerRefusedForGoodMayBeMadeRight(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    _ = try recorded(desk, try byContent("BA1PA1"))
    try desk.step(1, .claimed)
    try desk.step(1, .refused(error: "22P02", mayBeTexted: false))
    let right = try byContent("BA1PA2")
    #expect(
      try desk.store.correct(1, with: PlateCorrection(plate: right.plate), at: desk.moment)
        == .replaced(right.clientID))
    #expect(try due(desk, .passage).map(\.passage) == [right])
    desk.pass(.seconds(301))
    #expect(try desk.choose().text?.body == right.v1Body)
  }

  @Test(arguments: StoreMaker.all) func aPassageGetsItsTimeOnce(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    let undated = Passage(
      undated: try Plate("BA1PA1"), vehicleType: .car, checkpost: try CheckpostCode("BNP-A"),
      recordedAt: WallTime(epochSeconds: 60), boot: "boot-1", suffix: .unknown)
    _ = try recorded(desk, undated)
    #expect(try due(desk, .passage).isEmpty)
    desk.pass(.seconds(400))
    let waiting = try desk.run { transaction, _ throws(StorageError) in
      try transaction.undated(limit: 5)
    }
    #expect(waiting.map(\.passage) == [undated])
    let dated = try Passage(
      recording: undated.plate, vehicleType: .car, checkpost: undated.checkpost,
      recordedAt: WallTime(epochSeconds: 1_800_000_000), suffix: .unknown)
    func date(_ passage: Passage) throws -> DatingOutcome {
      try desk.run { transaction, moment throws(StorageError) in
        try transaction.date(1, as: passage, at: moment)
      }
    }
    #expect(try date(undated) == .alreadyDated, "that is no time")
    #expect(try date(dated) == .dated(dated.clientID))
    #expect(try desk.item(1).passage == dated)
    #expect(try date(dated) == .alreadyDated)
    #expect(try due(desk, .passage).map(\.passage) == [dated])
    #expect(try desk.choose().text?.body == dated.v1Body)
    #expect(try recorded(desk, undated) == .alreadyRecorded(dated.clientID, queueID: 1))
    #expect(try desk.store.overview(at: desk.moment.boot).undated == 0)
  }

  @Test(arguments: StoreMaker.all) func theOldestThatTheServerHasGoFirst(_ maker: StoreMaker) throws
  {
    let desk = try Desk(maker)
    for number in 1...4 as ClosedRange<Int64> { try desk.record(number) }
    _ = try desk.store.record(
      [
        RecordRequest(
          try passage(5),
          photo: StoredPhoto(path: "5.jpg", count: 9, contentType: "image/jpeg"))
      ], at: desk.moment)
    desk.pass(.seconds(301))
    try desk.begin(1, text: 41)
    try desk.end(41, .accepted(references: [7]), .texted)
    _ = try desk.keep(report(7))
    for id in [1, 2, 3, 5] as [Int64] { try sync(desk, id) }
    desk.pass(.seconds(10))
    let early = desk.moment.boot - .seconds(10)
    #expect(try desk.store.prune(syncedBefore: early, limit: 9, at: desk.moment) == Pruned())
    let first = try desk.store.prune(syncedBefore: nil, limit: 2, at: desk.moment)
    #expect(first.passages == 2)
    #expect(try desk.store.list(QueueQuery()).map(\.queueID) == [3, 4, 5])
    #expect(try desk.store.prune(syncedBefore: nil, limit: 9, at: desk.moment).passages == 1)
    #expect(
      try desk.store.list(QueueQuery()).map(\.queueID) == [4, 5],
      "one the server does not have, and one whose photograph it does not have")
    let photo = try #require(try due(desk, .photo).first).id
    try desk.run { transaction, moment throws(StorageError) in
      try transaction.apply(.claimed([photo]), at: moment)
      try transaction.apply(.synced(photo, serverID: nil), at: moment)
    }
    #expect(
      try desk.store.prune(syncedBefore: nil, limit: 9, at: desk.moment).photos == ["5.jpg"])
    // Recording one of them again is a repetition, budgets know its text, and no number comes twice.
    #expect(
      try recorded(desk, try passage(1))
        == .alreadyRecorded(try passage(1).clientID, queueID: 1))
    let other = RecordRequest(try byContent("BA1PA9"))
    #expect(
      try desk.store.record([other], at: desk.moment)
        == [.recorded(other.passage.clientID, queueID: 6)])
    let facts = try desk.run { transaction, moment throws(StorageError) in
      try transaction.startFacts(modems: ["one"], since: moment.boot - .seconds(3_600))
    }
    #expect(facts.nextTextID == 42)
    #expect(facts.charges.count == 1)
    let overview = try desk.store.overview(at: desk.moment.boot)
    #expect(overview.synced == 0)
    #expect(overview.texted == 0)
    #expect(overview.pending == 2)
    #expect(overview.textsLastDay == 1)
  }

  @Test(arguments: StoreMaker.all) func aPersonDecidesAConflict(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try desk.record(1)
    let ours = try passage(1)
    let theirs = StoredOnServer(
      serverID: "s-1", clientID: ours.clientID.description, checkpostID: "c", plate: "BA1PA0002",
      vehicleType: "car", recordedAt: ours.recordedAt)
    let id = try #require(try due(desk, .passage).first).id
    try desk.run { transaction, moment throws(StorageError) in
      try transaction.apply(.claimed([id]), at: moment)
      try transaction.apply(.conflict(id, theirs, .manual), at: moment)
    }
    let found = try #require(try desk.store.conflicts(limit: 5, onlyOpen: true).first)
    #expect(found.ours == ours)
    #expect(found.theirs == theirs)
    #expect(found.resolution == nil)
    #expect(try !desk.store.resolve(1, as: .manual, at: desk.moment))
    #expect(try desk.store.prune(syncedBefore: nil, limit: 9, at: desk.moment).passages == 0)
    #expect(try desk.store.resolve(1, as: .clientWins, at: desk.moment))
    #expect(try !desk.store.resolve(1, as: .serverWins, at: desk.moment), "decided")
    #expect(try desk.item(1).status == .synced)
    #expect(try due(desk, .correction).first?.correction?.plate == ours.plate)
    #expect(try desk.store.conflicts(limit: 5, onlyOpen: true).isEmpty)
    #expect(
      try desk.store.conflicts(limit: 5, onlyOpen: false).map(\.resolution) == [.clientWins])
  }
}
