import NodeCore
import Passages
import Testing
import Time

/// Photographs on their way to the server, beside the passages.
@Suite struct PhotographUploadTests {
  private static let photo = StoredPhoto(path: "a.jpg", count: 2 << 20, contentType: "image/jpeg")

  /// A node with one photograph on its way.
  private func sending(_ photo: StoredPhoto = PhotographUploadTests.photo) throws -> (
    bench: UploadBench, id: UploadID
  ) {
    var bench = try UploadBench.online()
    let id = try bench.record(kind: .photo) {
      $0.photo = photo
      $0.serverID = "row-1"
    }
    #expect(upload(bench) != nil)
    return (bench, id)
  }

  private func isUpload(_ call: ServerCall) -> Bool {
    if case .upload = call { true } else { false }
  }

  private func isNaming(_ call: ServerCall) -> Bool {
    if case .namePhoto = call { true } else { false }
  }

  private func isReadBack(_ call: ServerCall) -> Bool {
    if case .readBack = call { true } else { false }
  }

  private func upload(_ bench: UploadBench) -> PhotoPush? {
    bench.asked.lazy.compactMap { if case .upload(let push) = $0.call { push } else { nil } }.first
  }

  private func failures(_ bench: UploadBench) -> [String] {
    bench.effects.compactMap {
      guard case .report(.uploadFailed(.photo, _, let reason, true)) = $0 else { return nil }
      return reason
    }
  }

  private func stored(_ bench: UploadBench, _ id: UploadID, at path: String?) throws
    -> StoredOnServer
  {
    var row = UploadBench.stored(try #require(bench.rows[id]).upload.passage)
    row.photoPath = path
    return row
  }

  @Test(arguments: [ServerFailure.failing, .silence, .readOnly, .expired])
  func whatTheServerKeepsIsNotSentAgainForItsName(_ failure: ServerFailure) throws {
    var (bench, id) = try sending()
    bench.answer(where: isUpload, .success(.done))
    #expect(bench.rows[id]?.upload.isStored == true, "it is on disk before it is named")
    let isAsked = bench.answer(where: isNaming, .failure(failure))
    #expect(isAsked)
    #expect(bench.rows[id]?.status == .pending)
    for _ in 0..<300 where !bench.asked.contains(where: { isNaming($0.call) }) {
      bench.pass(.seconds(10))
      #expect(upload(bench) == nil)
    }
    let isNamed = bench.answer(
      where: isNaming, .success(.stored([try stored(bench, id, at: "row-1.jpg")])))
    #expect(isNamed)
    #expect(bench.rows[id]?.status == .synced)
  }

  private func isFinding(_ call: ServerCall) -> Bool {
    if case .findPhoto = call { true } else { false }
  }

  /// A proxy dropped what the storage said: the server is asked whether it keeps the photograph, and only what it
  /// does not keep is sent once more.
  @Test func aPhotographThatIsNotNamedIsLookedFor() throws {
    var (bench, id) = try sending()
    bench.answer(where: isUpload, .success(.unshown))
    #expect(bench.rows[id]?.upload.isStored == false, "nothing proves it yet")
    #expect(bench.rows[id]?.status == .inFlight)
    bench.answer(where: isFinding, .success(.done))
    #expect(bench.rows[id]?.upload.isStored == true)
    bench.answer(where: isNaming, .success(.stored([try stored(bench, id, at: "row-1.jpg")])))
    #expect(bench.rows[id]?.status == .synced)
    #expect(failures(bench).isEmpty)
  }

  @Test(arguments: [ServerFailure.failing, .silence, .expired])
  func beforeItIsSentOnceMoreTheServerIsAsked(_ failure: ServerFailure) throws {
    var (bench, id) = try sending()
    bench.answer(where: isUpload, .success(.unshown))
    bench.answer(where: isFinding, .failure(failure))
    #expect(bench.rows[id]?.status == .pending)
    for _ in 0..<300 where !bench.asked.contains(where: { isFinding($0.call) }) {
      bench.pass(.seconds(10))
      #expect(upload(bench) == nil)
    }
    let absent = ServerFailure(.absent, status: 404, words: "the server does not have it")
    let isAsked = bench.answer(where: isFinding, .failure(absent))
    #expect(isAsked)
    #expect(bench.rows[id]?.status == .pending)
    for _ in 0..<300 where upload(bench) == nil { bench.pass(.seconds(10)) }
    #expect(upload(bench) != nil, "it is not there")
    bench.answer(where: isUpload, .success(.done))
    bench.answer(where: isNaming, .success(.stored([try stored(bench, id, at: "row-1.jpg")])))
    #expect(bench.rows[id]?.status == .synced)
  }

  /// The next start knows of it from the disk.
  @Test func afterAStartOnlyTheNameIsTold() throws {
    var bench = try UploadBench.online()
    try bench.record(kind: .photo) {
      $0.photo = Self.photo
      $0.serverID = "row-1"
      $0.isStored = true
    }
    #expect(upload(bench) == nil)
    #expect(bench.asked.contains { isNaming($0.call) })
  }

  /// It came by text under another ranger: the passage there is not this user's to change.
  @Test func aNameThatNobodyMayGiveIsFinalAndTold() throws {
    var (bench, id) = try sending()
    bench.answer(where: isUpload, .success(.done))
    bench.answer(where: isNaming, .success(.stored([])))
    #expect(bench.rows[id]?.status == .failed)
    #expect(bench.rows[id]?.isPermanent == true)
    #expect(failures(bench).count == 1)
    bench.pass(.seconds(7_200))
    #expect(!bench.asked.contains { isNaming($0.call) || isUpload($0.call) })
  }

  @Test(arguments: ["row-1.jpg", nil, "row-2.jpg"])
  func aNameThatIsNotShownIsReadBackOnce(_ path: String?) throws {
    var (bench, id) = try sending()
    bench.answer(where: isUpload, .success(.done))
    bench.answer(where: isNaming, .success(.done))
    #expect(bench.rows[id]?.status == .inFlight)
    let isAsked = bench.answer(
      where: isReadBack, .success(.stored([try stored(bench, id, at: path)])))
    #expect(isAsked)
    #expect(bench.rows[id]?.status == (path == "row-1.jpg" ? .synced : .failed))
    #expect(failures(bench).isEmpty == (path == "row-1.jpg"))
    #expect(!bench.asked.contains { isReadBack($0.call) })
  }

  /// One that never gets through, by a guard on the way or the storage's own failure, does not keep the others
  /// from the server, and is tried again all the same.
  @Test(arguments: [ServerFailure.failing, .silence, .firewall])
  func aPhotographThatNeverGoesKeepsNoOtherBack(_ failure: ServerFailure) throws {
    var (bench, poisoned) = try sending()
    var others: [UploadID] = []
    for number in 2...6 {
      others.append(
        try bench.record(kind: .photo) {
          $0.photo = StoredPhoto(
            path: "\(number).jpg", count: 40 << 10, contentType: "image/jpeg")
          $0.serverID = "row-\(number)"
        })
    }
    var tries = 0
    let end = bench.now + .seconds(600)
    while bench.now < end {
      if let push = upload(bench) {
        let isPoisoned = push.path == Self.photo.path
        tries += isPoisoned ? 1 : 0
        bench.answer(where: isUpload, isPoisoned ? .failure(failure) : .success(.done))
        if let id = others.first(where: { bench.rows[$0]?.status == .inFlight }) {
          bench.answer(where: isNaming, .success(.stored([try stored(bench, id, at: "x")])))
        }
      }
      bench.pass(.seconds(1))
    }
    #expect(others.allSatisfy { bench.rows[$0]?.status == .synced })
    #expect(bench.rows[poisoned]?.status == .pending)
    #expect(bench.rows[poisoned]?.upload.attempts == tries, "attempts are its own")
    #expect((3...8).contains(tries), "\(tries) times in ten minutes")
  }

  /// The storage's rules may be mended: one is tried again daily, and where that goes, all the others do.
  @Test func photographsThatPolicyRefusedComeBackWithOne() throws {
    var (bench, first) = try sending()
    bench.answer(where: isUpload, .failure(.denied))
    let second = try bench.record(kind: .photo) {
      $0.photo = Self.photo
      $0.serverID = "row-2"
    }
    bench.pass(.seconds(1))
    bench.answer(where: isUpload, .failure(.denied))
    #expect([first, second].allSatisfy { bench.rows[$0]?.status == .failed })
    bench.pass(.seconds(7_200))
    #expect(upload(bench) == nil)
    bench.pass(.seconds(80_000))
    #expect(upload(bench) != nil, "one of them a day")
    bench.answer(where: isUpload, .success(.done))
    bench.answer(where: isNaming, .success(.stored([try stored(bench, first, at: "row-1.jpg")])))
    #expect(bench.rows[first]?.status == .synced)
    bench.pass(.seconds(5))
    #expect(bench.rows[second]?.status == .inFlight)
  }

  /// 2 MB need eleven minutes at 26 kbit/s, and an answer that never comes is given up all the same.
  @Test func aPhotographHasTheTimeThatAThinLineNeeds() throws {
    let push = PhotoPush(name: "a", path: "a", count: 2 << 20, contentType: "image/jpeg")
    #expect(push.within >= .seconds((2 << 20) / (26_000 / 8)) * 2)
    var (bench, id) = try sending()
    bench.pass(.seconds(1_800))
    #expect(bench.rows[id]?.status == .inFlight)
    #expect(bench.asked.filter { isUpload($0.call) }.count == 1)
    bench.pass(.seconds(3_600))
    #expect(bench.asked.filter { isUpload($0.call) }.count == 2, "it is sent again")
  }

  @Test(arguments: [false, true]) func aPhotographHoldsNoStop(_ isStored: Bool) throws {
    var (bench, id) = try sending()
    if isStored { bench.answer(where: isUpload, .success(.done)) }
    bench.tell(.stopping)
    #expect(!bench.core.isSending)
    #expect(bench.rows[id]?.status == .pending)
    #expect(bench.rows[id]?.upload.attempts == 0)
    // Its answer comes too late to say anything.
    bench.answer(where: { isUpload($0) || isNaming($0) }, .success(.done))
    #expect(bench.rows[id]?.status == .pending)
  }

  @Test func aPassageThatHangsHoldsAStopForTenSeconds() throws {
    var bench = try UploadBench.online()
    let id = try bench.record()
    #expect(bench.push != nil)
    bench.tell(.stopping)
    #expect(bench.core.isSending)
    let deadline = try #require(bench.core.nextDeadline)
    #expect(deadline <= bench.now + .seconds(10))
    bench.pass(.seconds(10))
    #expect(!bench.core.isSending)
    #expect(bench.rows[id]?.status == .pending)
    #expect(bench.rows[id]?.upload.attempts == 0)
  }

  /// Vehicles pass while a backlog goes.
  @Test func moreThanThereWereIsNeverTold() throws {
    var bench = try UploadBench.online(passages: 1)
    for _ in 0..<40 {
      try bench.record()
      bench.take()
      if case .syncing(let done, let total) = bench.core.snapshot(at: bench.now).sync {
        #expect(done <= total)
      }
      bench.pass(.seconds(6))
    }
    bench.passUntilPush()
    bench.take()
    var told = 0
    for case .report(.syncProgress(let done, let total)) in bench.effects {
      told += 1
      #expect(done <= total)
    }
    #expect(told > 0)
  }

  /// What is said to be done and is not shown is asked for once.
  @Test func passagesThatAreNotShownAreReadBackOnce() throws {
    var bench = try UploadBench.online()
    let id = try bench.record()
    let passage = try #require(bench.rows[id]).upload.passage
    bench.answerPush(.success(.done))
    #expect(bench.push == .readBack([passage.clientID]))
    bench.answerPush(.success(.stored([UploadBench.stored(passage)])))
    #expect(bench.rows[id]?.status == .synced)
  }

  @Test(arguments: [true, false]) func aCorrectionThatIsNotShownIsReadBackOnce(_ isThere: Bool)
    throws
  {
    var bench = try UploadBench.online()
    let plate = try Plate("BA9PA9999")
    let id = try bench.record(kind: .correction) {
      $0.correction = PlateCorrection(plate: plate)
    }
    let passage = try #require(bench.rows[id]).upload.passage
    bench.answerPush(.success(.done))
    #expect(bench.push == .readBack([passage.clientID]))
    let there = UploadBench.stored(passage, plate: isThere ? plate.compact : nil)
    bench.answerPush(.success(.stored([there])))
    #expect(bench.rows[id]?.status == (isThere ? .synced : .failed))
  }
}
