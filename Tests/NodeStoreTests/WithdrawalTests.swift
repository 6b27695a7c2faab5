import NodeCore
import Passages
import Storage
import Testing
import Time

/// Passages that somebody keeps here: on hold, withdrawn, or recorded again in place of a wrong one.
@Suite struct WithdrawalTests {
  private let states = PassageStates(hasServer: true, awaitsReports: false)

  private func byContent(_ plate: String) throws -> Passage {
    try Passage(
      recording: try Plate(plate), vehicleType: .car, checkpost: try CheckpostCode("BNP-A"),
      recordedAt: WallTime(epochSeconds: 1_800_000_000),
      suffix: try #require(PhoneSuffix("9801")))
  }

  private func recorded(_ desk: Desk, _ plate: String) throws {
    _ = try desk.store.record([RecordRequest(try byContent(plate))], at: desk.moment)
  }

  private func due(_ desk: Desk, _ kind: UploadKind) throws -> [DueUpload] {
    try desk.run { transaction, moment throws(StorageError) in
      try transaction.dueUploads(UploadQuery(kind, limit: 10), at: moment.boot).uploads
    }
  }

  private func reason(_ desk: Desk, _ queueID: Int64) throws -> PassageReason {
    states.reason(of: try desk.item(queueID))
  }

  /// The states as the overview counts them, which have to be those of the passages one by one.
  private func counts(_ desk: Desk) throws -> [PassageState: Int] {
    let counted = states.counts(try desk.store.overview(at: desk.moment.boot))
    var walked: [PassageState: Int] = [:]
    for item in try desk.store.list(QueueQuery()) {
      walked[states.reason(of: item).state, default: 0] += 1
    }
    #expect(counted.filter { $0.value > 0 } == walked)
    return walked
  }

  private func found(_ desk: Desk, _ state: PassageState) throws -> [Int64] {
    var query = QueueQuery()
    query.among = states.subset(holding: state)
    return try desk.store.list(query).filter { states.reason(of: $0).state == state }.map(\.queueID)
  }

  @Test(arguments: StoreMaker.all) func whatIsOnHoldGoesNoWay(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try recorded(desk, "BA1PA1")
    #expect(try desk.store.park(1, reason: "to be asked about"))
    #expect(try due(desk, .passage).isEmpty)
    desk.pass(.seconds(600))
    #expect(try desk.choose().text == nil)
    #expect(try desk.choose().nextDue == nil)
    #expect(try reason(desk, 1) == .parked)
    #expect(try counts(desk) == [.stuck: 1])
    #expect(try found(desk, .stuck) == [1])
    #expect(try desk.store.retry(1, at: desk.moment) == .retried)
    #expect(try due(desk, .passage).map(\.queueID) == [1])
    #expect(try desk.choose().text?.queueID == 1)
    #expect(try counts(desk) == [.waiting: 1])
  }

  @Test(arguments: StoreMaker.all) func whatComesBackFromTheServerMeanwhileStaysOnHold(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    try recorded(desk, "BA1PA1")
    try desk.step(1, .claimed)
    #expect(try desk.store.park(1, reason: "on the way"))
    try desk.step(1, .missed(error: "no answer"))
    #expect(try due(desk, .passage).isEmpty)
    #expect(
      try desk.store.correct(1, with: PlateCorrection(plate: try Plate("BA1PA2")), at: desk.moment)
        == .queued)
    #expect(try desk.store.retry(1, at: desk.moment) == .retried)
    try desk.step(1, .claimed)
    #expect(try desk.store.park(1, reason: "again"))
    try desk.step(1, .synced)
    #expect(try due(desk, .correction).isEmpty, "what hangs on it is on hold too")
    #expect(try desk.store.retry(1, at: desk.moment) == .retried)
    #expect(try due(desk, .correction).count == 1)
  }

  @Test(arguments: StoreMaker.all) func whatNeverLeftStaysHereWhenItIsWithdrawn(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    try recorded(desk, "BA1PA1")
    try recorded(desk, "BA1PA2")
    #expect(try desk.store.withdraw(1, reason: "wrong key", at: desk.moment) == .keptHere)
    #expect(try desk.store.withdraw(9, reason: "wrong key", at: desk.moment) == .notFound)
    desk.pass(.seconds(600))
    #expect(try due(desk, .passage).map(\.queueID) == [2])
    #expect(try desk.choose().text?.queueID == 2)
    #expect(try desk.item(1).withdrawnReason == "wrong key")
    #expect(try reason(desk, 1) == .withdrawn)
    #expect(try counts(desk) == [.done: 1, .waiting: 1])
    #expect(try desk.store.withdraw(1, reason: "twice", at: desk.moment) == .alreadyWithdrawn)
    #expect(try desk.store.retry(1, at: desk.moment) == .withdrawn)
    #expect(try !desk.store.park(1, reason: "late"))
    #expect(
      try desk.store.correct(1, with: PlateCorrection(plate: try Plate("BA1PA9")), at: desk.moment)
        == .withdrawn)
    #expect(try due(desk, .passage).map(\.queueID) == [2], "nothing brings it back")
    // Nor does it count as a passage of that plate, nor hold up what the server is told of.
    try desk.run { transaction, _ throws(StorageError) in
      let own = try transaction.ownPassages(plate: "BA1PA1", since: WallTime(milliseconds: 0))
      #expect(own.isEmpty)
    }
  }

  /// Nothing of it goes, so that nothing waits: neither people nor the server hear otherwise.
  @Test(arguments: StoreMaker.all) func whatWasWithdrawnHereWaitsForNothing(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    let photo = StoredPhoto(path: "a.jpg", count: 9, contentType: "image/jpeg")
    for plate in ["BA1PA1", "BA1PA2", "BA1PA3"] {
      _ = try desk.store.record(
        [RecordRequest(try byContent(plate), photo: photo)], at: desk.moment)
    }
    try desk.step(1, .claimed)
    try desk.step(1, .refused(error: "400", mayBeTexted: false))
    try desk.step(3, .claimed)
    try desk.step(3, .synced)
    func standing() throws -> (open: [Int], waiting: Int, through: WallTime?) {
      let overview = try desk.store.overview(at: desk.moment.boot)
      let mark = try desk.run { transaction, moment throws(StorageError) in
        try transaction.syncMark(at: moment)
      }
      return (
        [overview.passagesOpen, overview.photosOpen, overview.correctionsOpen], mark.waiting,
        mark.through
      )
    }
    #expect(try standing().open == [2, 3, 0])
    for number in 1...3 as ClosedRange<Int64> {
      #expect(
        try desk.store.withdraw(number, reason: "wrong key", at: desk.moment)
          == (number == 3 ? .queued : .keptHere))
    }
    let withdrawn = try standing()
    #expect(withdrawn.open == [0, 0, 1], "the server is still to be told of one")
    #expect(withdrawn.waiting == 0)
    #expect(withdrawn.through == nil)
    #expect(try desk.store.overview(at: desk.moment.boot).uploadsRefused == 0)
  }

  @Test(arguments: StoreMaker.all) func whatHasLeftIsWithdrawnBehindIt(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try recorded(desk, "BA1PA1")
    try desk.step(1, .claimed)
    #expect(try desk.store.withdraw(1, reason: "wrong key", at: desk.moment) == .queued)
    try desk.step(1, .missed(error: "no answer"))
    desk.pass(.seconds(600))
    #expect(try desk.choose().text == nil, "no text goes for what never was")
    #expect(try due(desk, .passage).map(\.queueID) == [1], "the server may have it")
    #expect(try reason(desk, 1) == .withdrawalWaits)
    #expect(try counts(desk) == [.waiting: 1])
    #expect(try found(desk, .waiting) == [1])
    try desk.step(1, .claimed)
    try desk.step(1, .synced)
    let told = try #require(try due(desk, .correction).first)
    #expect(told.withdrawal == "wrong key")
    #expect(try counts(desk) == [.waiting: 1])
    try desk.run { transaction, moment throws(StorageError) in
      try transaction.apply(.claimed([told.id]), at: moment)
      try transaction.apply(
        .failed(told.id, error: "403 not yours", isPermanent: true, mayBeTexted: false), at: moment)
    }
    #expect(try reason(desk, 1) == .withdrawalRefused)
    #expect(try counts(desk) == [.stuck: 1])
    #expect(try found(desk, .stuck) == [1])
    #expect(try desk.store.retry(1, [.correction], at: desk.moment) == .retried)
    try desk.run { transaction, moment throws(StorageError) in
      try transaction.apply(.claimed([told.id]), at: moment)
      try transaction.apply(.synced(told.id, serverID: nil), at: moment)
    }
    #expect(try counts(desk) == [.done: 1])
  }

  /// Nobody waits for what never was: it goes as what the server has does, once the server was told where it had to be.
  @Test(arguments: StoreMaker.all) func whatWasWithdrawnIsRemovedInTheEnd(_ maker: StoreMaker)
    throws
  {
    let desk = try Desk(maker)
    for plate in ["BA1PA1", "BA1PA2", "BA1PA3"] { try recorded(desk, plate) }
    try desk.step(2, .claimed)
    try desk.step(2, .synced)
    func prune(_ before: BootInstant?) throws -> Int {
      try desk.store.prune(syncedBefore: before, limit: 9, at: desk.moment).passages
    }
    let start = desk.moment.boot
    desk.pass(.seconds(7_200))
    #expect(try desk.store.withdraw(1, reason: "wrong key", at: desk.moment) == .keptHere)
    #expect(try desk.store.withdraw(2, reason: "wrong key", at: desk.moment) == .queued)
    #expect(try prune(start + .seconds(3_600)) == 0, "not for as long as things are kept")
    desk.pass(.seconds(3_600))
    #expect(try prune(desk.moment.boot) == 1)
    #expect(try desk.store.list(QueueQuery()).map(\.queueID) == [2, 3], "the server is to be told")
    #expect(try prune(nil) == 0)
    let told = try #require(try due(desk, .correction).first)
    try desk.run { transaction, moment throws(StorageError) in
      try transaction.apply(.claimed([told.id]), at: moment)
      try transaction.apply(.synced(told.id, serverID: nil), at: moment)
    }
    #expect(try prune(nil) == 1)
    #expect(try desk.store.list(QueueQuery()).map(\.queueID) == [3], "what waits stays")
    #expect(try counts(desk) == [.waiting: 1])
    // Its identity stays known: the same row of a file brings it back no more.
    let again = try desk.store.record([RecordRequest(try byContent("BA1PA1"))], at: desk.moment)
    if case .recorded = again.first { Issue.record("\(again)") }
  }

  @Test(arguments: StoreMaker.all) func whatTheServerRefusesForGoodIsStuckUntilSomebodyRetriesIt(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    try recorded(desk, "BA1PA1")
    try recorded(desk, "BA1PA2")
    try recorded(desk, "BA1PA3")
    try desk.step(1, .claimed)
    try desk.step(1, .refused(error: "403 new row violates the policy", mayBeTexted: true))
    #expect(try reason(desk, 1) == .refused)
    try desk.step(2, .claimed)
    try desk.step(2, .synced)
    #expect(
      try desk.store.correct(2, with: PlateCorrection(plate: try Plate("BA1PA8")), at: desk.moment)
        == .queued)
    let correction = try #require(try due(desk, .correction).first)
    try desk.run { transaction, moment throws(StorageError) in
      try transaction.apply(.claimed([correction.id]), at: moment)
      try transaction.apply(
        .failed(correction.id, error: "403", isPermanent: true, mayBeTexted: false), at: moment)
    }
    #expect(try reason(desk, 2) == .correctionRefused)
    #expect(try counts(desk) == [.stuck: 2, .waiting: 1])
    #expect(try found(desk, .stuck) == [1, 2])
    #expect(try desk.store.retry(2, [.photo], at: desk.moment) == .alreadySynced)
    #expect(try desk.store.retry(2, at: desk.moment) == .retried)
    #expect(try due(desk, .correction).map(\.id) == [correction.id])
    #expect(try desk.store.retry(1, [.passage], at: desk.moment) == .retried)
    #expect(try due(desk, .passage).map(\.queueID) == [1, 3])
    #expect(try counts(desk) == [.done: 1, .waiting: 2])
  }

  /// Nobody is recorded as `0000` where the profile that is signed in has a number; and what was recorded before it
  /// was known is the same passage.
  @Test(arguments: StoreMaker.all) func whoIsSignedInRecordsWhereNothingElseIsSaid(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    func unnamed(_ plate: String) throws -> RecordRequest {
      RecordRequest(
        try Passage(
          recording: try Plate(plate), vehicleType: .car, checkpost: try CheckpostCode("BNP-A"),
          recordedAt: WallTime(epochSeconds: 1_800_000_000), suffix: .unknown))
    }
    _ = try desk.store.record([try unnamed("BA1PA1")], at: desk.moment)
    try desk.run { transaction, _ throws(StorageError) in
      var memory = NodeMemory()
      memory.directory = PostDirectory(
        profile: ServerProfile(
          userID: "u", fullName: "Sita", role: "ranger", isActive: true, post: nil, segment: nil,
          phone: "+9779841119801"), opposite: nil)
      try transaction.remember(memory)
    }
    let again = try desk.store.record([try unnamed("BA1PA1")], at: desk.moment).first
    guard case .alreadyRecorded? = again else {
      Issue.record("\(String(describing: again))")
      return
    }
    for _ in 1...2 { _ = try desk.store.record([try unnamed("BA1PA2")], at: desk.moment) }
    #expect(
      try desk.item(2).passage == byContent("BA1PA2"), "in its text, its identity, its upload")
    #expect(try desk.store.list(QueueQuery()).count == 2)
    try recorded(desk, "BA1PA3")
    #expect(try desk.item(3).passage.suffix.digits == "9801")
  }

  @Test(arguments: StoreMaker.all) func withoutAServerTheRightPassageGoesAsATextOfItsOwn(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    try recorded(desk, "BA1PA1")
    let right = try byContent("BA1PA2")
    desk.pass(.seconds(301))
    try desk.begin(1, text: 1)
    #expect(
      try desk.store.correct(
        1, with: PlateCorrection(plate: right.plate), hasServer: false, at: desk.moment)
        == .recordedAnew(right.clientID, queueID: 2))
    #expect(try desk.item(2).passage == right)
    #expect(try desk.item(2).corrects == 1)
    #expect(try desk.item(1).withdrawnReason == "recorded wrongly; number 2 is right")
    desk.pass(.seconds(301))
    #expect(try desk.choose().text?.body == right.v1Body)
    let alone = PassageStates(hasServer: false, awaitsReports: false)
    #expect(alone.reason(of: try desk.item(1)) == .withdrawn)
  }
}
