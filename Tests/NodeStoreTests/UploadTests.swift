import NodeCore
import Passages
import Storage
import Testing
import Time

/// What every store of a node must do with what goes to the server.
@Suite struct UploadTests {
  private func due(
    _ desk: Desk, _ kind: UploadKind = .passage, limit: Int = 50
  ) throws -> UploadAnswer {
    try desk.run { transaction, moment throws(StorageError) in
      try transaction.dueUploads(UploadQuery(kind, limit: limit), at: moment.boot)
    }
  }

  private func apply(_ desk: Desk, _ changes: UploadChange...) throws {
    try desk.run { transaction, moment throws(StorageError) in
      for change in changes { try transaction.apply(change, at: moment) }
    }
  }

  private func photo(_ number: Int64) -> StoredPhoto {
    StoredPhoto(path: "\(number).jpg", count: 1_000, contentType: "image/jpeg")
  }

  @Test(arguments: StoreMaker.all) func theUrgentGoFirstThenTheOldest(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    #expect(try due(desk) == UploadAnswer(uploads: [], nextDue: nil, backlog: 0))
    for number in 1...4 as ClosedRange<Int64> {
      try desk.record(number, priority: number == 3 ? 2 : 1)
    }
    let answer = try due(desk, limit: 3)
    #expect(answer.uploads.map(\.queueID) == [3, 1, 2])
    #expect(answer.backlog == 4)
    #expect(answer.uploads.first?.passage == (try passage(3)))
    #expect(try due(desk, .photo).uploads.isEmpty)
  }

  @Test(arguments: StoreMaker.all) func whatFailedIsPassedOverUntilItsMoment(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    try desk.record(1)
    try desk.record(2)
    let ids = try due(desk).uploads.map(\.id)
    let next = desk.moment.boot + .seconds(30)
    try apply(desk, .claimed(ids))
    #expect(try due(desk) == UploadAnswer(uploads: [], nextDue: nil, backlog: 0))
    try apply(desk, .missed(ids[0], error: "503", next: next))
    try apply(desk, .returned(ids[1], error: nil, next: next + .seconds(5)))
    #expect(try due(desk) == UploadAnswer(uploads: [], nextDue: next, backlog: 2))
    #expect(try desk.item(1).attempts == 1)
    #expect(try desk.item(2).attempts == 0, "it was not really tried")
    desk.pass(.seconds(30))
    #expect(try due(desk).uploads.map(\.queueID) == [1])
    desk.pass(.seconds(5))
    #expect(try due(desk).uploads.map(\.queueID) == [1, 2])
    #expect(try due(desk).uploads.first?.attempts == 1)
  }

  @Test(arguments: StoreMaker.all) func whatTheServerHasIsNotTexted(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try desk.record(1)
    try desk.record(2)
    desk.pass(.seconds(301))
    let id = try #require(try due(desk).uploads.first).id
    try apply(desk, .claimed([id]), .synced(id, serverID: "s-1"))
    #expect(try desk.choose().text?.queueID == 2)
    let item = try desk.item(1)
    #expect(item.serverID == "s-1")
    #expect(item.syncedAt == desk.moment.wall)
    #expect(throws: StorageError.self) { try apply(desk, .claimed([id])) }
  }

  @Test(arguments: StoreMaker.all) func aTextOnItsWayChangesNothingOfWhatTheServerHas(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    try desk.record(1)
    desk.pass(.seconds(301))
    try desk.begin(1, text: 1)
    let id = try #require(try due(desk).uploads.first, "a text does not stop the upload").id
    try apply(desk, .claimed([id]), .synced(id, serverID: nil))
    try desk.end(
      1, .notSent(reason: "no modem"), .againAfterRefusal(at: desk.moment.boot))
    #expect(try desk.choose() == DueAnswer(text: nil, nextDue: nil))
    #expect(try desk.store.overview(at: desk.moment.boot).waitingForText == 0)
  }

  @Test(arguments: StoreMaker.all) func aPhotographFollowsItsPassage(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    _ = try desk.store.record(
      [RecordRequest(try passage(1), photo: photo(1))], at: desk.moment)
    #expect(try due(desk, .photo) == UploadAnswer(uploads: [], nextDue: nil, backlog: 1))
    let id = try #require(try due(desk).uploads.first).id
    try apply(desk, .claimed([id]), .synced(id, serverID: "s-1"))
    let upload = try #require(try due(desk, .photo).uploads.first)
    #expect(upload.photo == photo(1))
    #expect(upload.serverID == "s-1")
    try apply(desk, .claimed([upload.id]), .synced(upload.id, serverID: nil))
    #expect(try desk.store.uploads(of: 1).map(\.status) == [.synced, .synced])
  }

  @Test(arguments: StoreMaker.all) func whatTheServerKeepsOfAPhotographStaysKnown(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    _ = try desk.store.record(
      [RecordRequest(try passage(1), photo: photo(1))], at: desk.moment)
    let id = try #require(try due(desk).uploads.first).id
    try apply(desk, .claimed([id]), .synced(id, serverID: "s-1"))
    let upload = try #require(try due(desk, .photo).uploads.first)
    #expect(!upload.isStored)
    #expect(throws: StorageError.self) { try apply(desk, .stored(upload.id)) }
    try apply(desk, .claimed([upload.id]), .stored(upload.id))
    // The machine stops before the name is told.
    _ = try desk.store.recover(rules: NodeRules(), at: desk.moment)
    #expect(try due(desk, .photo).uploads.first?.isStored == true)
    try apply(
      desk, .claimed([upload.id]),
      .failed(upload.id, error: "not ours", isPermanent: true, mayBeTexted: false))
    #expect(try desk.store.uploads(of: 1).map(\.status) == [.synced, .failed])
  }

  /// Photographs that the server has go first, then passages that it has; what it does not have stays.
  @Test(arguments: StoreMaker.all) func whatTheServerHasMakesRoom(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    for number in 1...3 as ClosedRange<Int64> {
      var passage = try passage(number)
      passage.photoPath = photo(number).path
      _ = try desk.store.record([RecordRequest(passage, photo: photo(number))], at: desk.moment)
    }
    // The server has two of the passages, and one of the photographs.
    for id in try due(desk, limit: 2).uploads.map(\.id) {
      try apply(desk, .claimed([id]), .synced(id, serverID: "s-\(id)"))
    }
    let sent = try #require(try due(desk, .photo).uploads.first)
    try apply(desk, .claimed([sent.id]), .synced(sent.id, serverID: nil))
    let names = (1...3).map { photo($0).path }
    func used() throws -> Int64 {
      try desk.run { transaction, _ throws(StorageError) in try transaction.usedBytes() }
    }
    let before = try used()

    let first = try desk.store.makeRoom(passages: true, limit: 10, at: desk.moment)
    #expect(first.photos == [names[0]])
    #expect(first.passages == 0)
    #expect(try used() == before - 1_000)
    #expect(try desk.store.knownPhotos(among: names) == Set(names[1...]))
    #expect(try desk.store.list(QueueQuery()).count == 3)

    // Without passages there is nothing more to give; with them the oldest of the server's goes.
    #expect(try desk.store.makeRoom(passages: false, limit: 10, at: desk.moment).isEmpty)
    let second = try desk.store.makeRoom(passages: true, limit: 10, at: desk.moment)
    #expect(second.passages == 1)
    #expect(second.photos.isEmpty, "its file went before")
    #expect(try desk.store.list(QueueQuery()).map(\.queueID) == [2, 3])
    #expect(try desk.store.makeRoom(passages: true, limit: 10, at: desk.moment).isEmpty)
  }

  @Test(arguments: StoreMaker.all) func aPhotographThatIsLeftOutIsAFact(_ maker: StoreMaker) throws
  {
    let desk = try Desk(maker)
    try desk.record(1)
    for number in 2...3 as ClosedRange<Int64> {
      var request = RecordRequest(try passage(number))
      request.photoLeftOut = "is a ZIP archive"
      // Twice: the second time it is known.
      for _ in 0..<2 { _ = try desk.store.record([request], at: desk.moment) }
      desk.pass(.seconds(60))
    }
    #expect(
      try desk.store.photosLeftOut(after: 0) == [2: "is a ZIP archive", 3: "is a ZIP archive"])
    #expect(try desk.store.photosLeftOut(after: 2) == [3: "is a ZIP archive"])
    let overview = try desk.store.overview(at: desk.moment.boot)
    #expect(overview.photosLeftOut == 2)
    #expect(overview.photosLeftOutSince == desk.moment.boot - .seconds(120))
    #expect(overview.photoLeftOutReason == "is a ZIP archive")
    desk.pass(.seconds(86_400 - 90))
    #expect(try desk.store.overview(at: desk.moment.boot).photosLeftOut == 1)
  }

  @Test(arguments: StoreMaker.all) func onlyWhatFailedForNowIsTriedAgainByItself(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    for number in 1...2 as ClosedRange<Int64> { try desk.record(number) }
    let ids = try due(desk).uploads.map(\.id)
    try apply(
      desk, .claimed(ids), .failed(ids[0], error: "503", isPermanent: false, mayBeTexted: true),
      .failed(
        ids[1], error: "22P02", isPermanent: true, mayBeTexted: false, refusal: .value))
    try apply(desk, .requeuedFailed)
    #expect(try due(desk).uploads.map(\.queueID) == [1])
    #expect(try desk.item(1).requeues == 1)
    #expect(try desk.item(2).status == .failed)
    #expect(try desk.item(2).textDue == nil)
    #expect(try desk.store.retry(2, at: desk.moment) == .retried)
    #expect(
      try due(desk).uploads.map(\.queueID) == [2, 1],
      "what was given up by itself goes behind the others")
  }

  @Test(arguments: StoreMaker.all) func whatWasHandedOnIsNotUploaded(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try desk.record(1)
    try desk.record(2)
    #expect(try desk.store.handOn([1], at: desk.moment).marked == 1)
    #expect(try due(desk).uploads.map(\.queueID) == [2])
    #expect(try due(desk).backlog == 1)
    #expect(try desk.store.retry(1, at: desk.moment) == .retried)
    #expect(try due(desk).uploads.map(\.queueID) == [1, 2])
  }

  @Test(arguments: StoreMaker.all) func aStartTakesBackWhatWasOnItsWay(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    try desk.record(1)
    let id = try #require(try due(desk).uploads.first).id
    try apply(desk, .claimed([id]))
    let facts = try desk.store.recover(rules: NodeRules(), at: desk.moment)
    #expect(facts.inFlight == 1)
    #expect(try due(desk).uploads.map(\.id) == [id])
  }

  @Test(arguments: StoreMaker.all) func theServerHasAllUpToTheOldestThatWaits(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    func through() throws -> WallTime? {
      try desk.run { transaction, _ throws(StorageError) in try transaction.syncedThrough() }
    }
    #expect(try through() == nil)
    try desk.record(1)
    let recorded = try passage(1).recordedAt
    #expect(try through() == recorded - .milliseconds(1))
    let id = try #require(try due(desk).uploads.first).id
    try apply(desk, .claimed([id]), .synced(id, serverID: nil))
    #expect(try through() == nil)
  }

  @Test(arguments: StoreMaker.all) func bothSidesOfAConflictAreKept(_ maker: StoreMaker) throws {
    for resolution in ConflictResolution.allCases {
      let desk = try Desk(maker)
      try desk.record(1)
      let id = try #require(try due(desk).uploads.first).id
      let ours = try passage(1)
      let theirs = StoredOnServer(
        serverID: "s-1", clientID: ours.clientID.description, checkpostID: "c", plate: "BA1PA0002",
        vehicleType: nil, recordedAt: ours.recordedAt + .seconds(5))
      try apply(desk, .claimed([id]), .conflict(id, theirs, resolution))
      let item = try desk.item(1)
      #expect(item.passage == ours)
      #expect(item.serverID == "s-1")
      #expect(item.status == (resolution == .manual ? .failed : .synced), "\(resolution)")
      let correction = try due(desk, .correction).uploads.first?.correction
      switch resolution {
      case .clientWins:
        #expect(correction == PlateCorrection(plate: ours.plate, vehicleType: .car))
      case .merge:
        #expect(
          correction == PlateCorrection(plate: try Plate("BA1PA0002"), vehicleType: .car))
      case .serverWins, .lastWriteWins, .manual: #expect(correction == nil, "\(resolution)")
      }
    }
  }

  @Test(arguments: StoreMaker.all) func whatTheNodeKnowsOfItsServerIsThereAfterARestart(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    #expect(try self.memory(of: desk.store) == NodeMemory())
    var memory = NodeMemory()
    memory.refreshToken = Token("r-1")
    memory.userID = "u-1"
    let post = ServerPost(id: "p-1", code: "BNP-A", name: "North", position: 0)
    memory.directory = PostDirectory(
      profile: ServerProfile(
        userID: "u-1", fullName: "Ranger", role: "ranger", isActive: true, post: post,
        segment: ServerSegment(
          id: "s-1", name: "Road", distanceKilometres: 12.5, minimumKilometresPerHour: 10,
          maximumKilometresPerHour: 40)), opposite: nil)
    memory.offlineSince = .seconds(7)
    memory.serverDownSince = .seconds(6)
    memory.pushFailedAt = .seconds(9)
    memory.pushImpairment = .trouble(.readOnly)
    memory.lastSyncedAt = desk.moment.wall
    memory.lastPulledAt = desk.moment.wall
    memory.serverTime = KnownTime(
      .server, WallTime(milliseconds: 1_790_000_123_000), at: .seconds(8))
    let known = memory
    try desk.run { transaction, _ throws(StorageError) in try transaction.remember(known) }
    #expect(try self.memory(of: try desk.another()) == known)
    try desk.run { transaction, _ throws(StorageError) in
      try transaction.remember(NodeMemory())
    }
    #expect(try self.memory(of: desk.store) == NodeMemory())
  }

  private func memory(of store: any NodeStore) throws -> NodeMemory {
    try store.transaction { transaction throws(StorageError) in try transaction.memory() }
  }

  @Test(arguments: StoreMaker.all) func theOppositePostIsRemembered(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    func remote(
      _ number: Int64, server: String? = nil, type: VehicleType? = .bus
    ) throws -> RemotePassage {
      RemotePassage(
        clientID: try passage(number).clientID, serverID: server, plate: "BA1PA000\(number)",
        vehicleType: type, checkpost: nil,
        recordedAt: WallTime(epochSeconds: 1_800_000_000 + number),
        origin: server == nil ? .text : .server)
    }
    func all() throws -> [RemotePassage] {
      try desk.run { transaction, _ throws(StorageError) in
        try transaction.remotePassages(limit: 10)
      }
    }
    let (first, second, third) = (
      try remote(1), try remote(2, server: "s-2"), try remote(3)
    )
    let told = try remote(1, server: "s-1", type: nil)
    try desk.run { transaction, moment throws(StorageError) in
      try transaction.keep([third, second, first], at: moment)
      try transaction.keep([told], at: moment)
    }
    let known = try remote(1, server: "s-1")
    #expect(try all() == [known, second, third])
    #expect(
      try desk.run { transaction, _ throws(StorageError) in
        try transaction.remotePassages(plate: "BA1PA0001")
      } == [known])
    try desk.run { transaction, _ throws(StorageError) in
      try transaction.forgetRemote([second.clientID])
    }
    #expect(try all() == [known, third])
    try desk.run { transaction, _ throws(StorageError) in
      try transaction.forgetRemote(before: WallTime(epochSeconds: 0), most: 1)
    }
    #expect(try all() == [third], "the newest stays")
    try desk.run { transaction, _ throws(StorageError) in
      try transaction.forgetRemote(before: .init(epochSeconds: 1_900_000_000), most: 9)
    }
    #expect(try all().isEmpty)
  }

  @Test(arguments: StoreMaker.all) func ownPassagesAreFoundByPlate(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    for number in 1...2 as ClosedRange<Int64> { try desk.record(number) }
    let (plate, at) = (try passage(1).plate.compact, try passage(1).recordedAt)
    func own(since: WallTime) throws -> [Passage] {
      try desk.run { transaction, _ throws(StorageError) in
        try transaction.ownPassages(plate: plate, since: since)
      }
    }
    #expect(try own(since: at) == [try passage(1)])
    #expect(try own(since: at + .seconds(1)).isEmpty)
  }

  /// A passage that was refused for good is counted, and does not hold the mark of what came after it.
  @Test(arguments: StoreMaker.all) func aRefusedPassageNeitherFreezesTheMarkNorHides(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    func mark() throws -> SyncStanding {
      try desk.run { transaction, moment throws(StorageError) in
        try transaction.syncMark(at: moment)
      }
    }
    #expect(try mark() == SyncStanding(through: nil, waiting: 0))
    try desk.record(1)
    try desk.record(2)
    #expect(try mark().through == (try passage(1).recordedAt) - .milliseconds(1))
    #expect(try mark().waiting == 2)
    let ids = try due(desk).uploads.map(\.id)
    try apply(
      desk, .claimed(ids),
      .failed(ids[0], error: "HTTP 403", isPermanent: true, mayBeTexted: false))
    #expect(try mark().through == (try passage(2).recordedAt) - .milliseconds(1))
    #expect(try mark().waiting == 2)
    try apply(desk, .synced(ids[1], serverID: nil))
    #expect(try mark() == SyncStanding(through: nil, waiting: 1), "refused, and not hidden")
    let strict = try desk.run { transaction, _ throws(StorageError) in
      try transaction.syncedThrough()
    }
    #expect(strict == (try passage(1).recordedAt) - .milliseconds(1), "a heartbeat claims no more")
  }

  /// Up to when everything is there is in doubt for as long as the time of something recorded lately is, whether the
  /// server has that or not: three days by the node's clock.
  @Test(arguments: StoreMaker.all) func aTimeInDoubtPutsTheMarkInDoubt(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    func doubt() throws -> Int64? {
      try desk.run { transaction, moment throws(StorageError) in
        try transaction.syncMark(at: moment).clockDoubt
      }
    }
    func record(_ number: Int64, _ clock: ClockSource?, ahead: Int64? = nil) throws {
      var request = RecordRequest(try passage(number), clock: clock)
      request.clockAhead = ahead
      _ = try desk.store.record([request], at: desk.moment)
    }
    try record(1, .ntp)
    try record(2, nil)
    try record(3, .battery)
    #expect(try doubt() == nil)
    try record(4, .ntp, ahead: -90)
    #expect(try doubt() == 90)
    try record(5, ClockSource.none)
    #expect(try doubt() == ClockSource.anyDoubt)
    let ids = try due(desk).uploads.map(\.id)
    try apply(desk, .claimed(ids))
    for id in ids { try apply(desk, .synced(id, serverID: nil)) }
    desk.pass(.seconds(71 * 3_600))
    #expect(try doubt() == ClockSource.anyDoubt, "it may stand elsewhere than it was")
    desk.pass(.seconds(2 * 3_600))
    #expect(try doubt() == nil)
  }

  /// What the store says of what hinders uploads is what a restart finds too.
  @Test(arguments: StoreMaker.all) func whatHindersUploadsIsKept(_ maker: StoreMaker) throws {
    let desk = try Desk(maker)
    for number in 1...3 as ClosedRange<Int64> { try desk.record(number) }
    let ids = try due(desk).uploads.map(\.id)
    try apply(
      desk, .claimed(ids),
      .failed(ids[0], error: "HTTP 400", isPermanent: true, mayBeTexted: false),
      .failed(ids[1], error: "HTTP 503", isPermanent: false, mayBeTexted: true),
      .missed(ids[2], error: "HTTP 504", next: nil))
    let first = desk.moment
    desk.pass(.seconds(7_200))
    for store in [desk.store, try desk.another()] {
      let overview = try store.overview(at: desk.moment.boot)
      #expect(
        overview.refused == [
          .passage: RefusedUploads(count: 1, since: first.boot, error: "HTTP 400")
        ])
      #expect(overview.lastUploadError?.at == first.wall)
      #expect(overview.oldestOpenAge[.passage] == .seconds(7_200))
      #expect(overview.passagesOpen == 3)
      #expect(overview.uploadsRefused == 1)
    }
  }

  @Test(arguments: StoreMaker.all) func anOpenConflictIsCountedAndIsNoRefusal(
    _ maker: StoreMaker
  ) throws {
    let desk = try Desk(maker)
    try desk.record(1)
    let id = try #require(try due(desk).uploads.first).id
    let theirs = StoredOnServer(
      serverID: "s-1", clientID: try passage(1).clientID.description, checkpostID: "c",
      plate: "BA1PA0002", vehicleType: nil, recordedAt: try passage(1).recordedAt)
    try apply(desk, .claimed([id]), .conflict(id, theirs, .manual))
    let overview = try desk.store.overview(at: desk.moment.boot)
    #expect(overview.conflictsOpen == 1)
    #expect(overview.conflictsSince == desk.moment.wall)
    #expect(overview.refused.isEmpty)
  }
}
