import Passages
import Testing
import Time

@testable import NodeCore

/// One passage that never gets through, whatever answers in the server's place, and all others.
@Suite struct PoisonTests {
  /// What happens to the one passage, alone and in each batch that it is part of.
  static let failures: [ServerFailure] = [
    .silence, .firewall, .failing,
    ServerFailure(.trouble(.failing), status: 500, code: "57014", words: "it took too long"),
    ServerFailure(.outage(.noAnswer), status: 504, words: "a gateway answers"),
  ]

  /// Lets time pass while the server takes everything but the passage of that row; returns how often that
  /// one went, alone or with others.
  private func serve(
    _ bench: inout UploadBench, for duration: Duration, but poison: UploadID = 1,
    _ failure: ServerFailure
  ) throws -> Int {
    let client = try #require(bench.rows[poison]).upload.passage.clientID
    let end = bench.now + duration
    var pushes = 0
    while true {
      while bench.push != nil {
        if bench.pushed.contains(where: { $0.clientID == client }) {
          pushes += 1
          bench.answerPush(.failure(failure))
          bench.answerProbe()
        } else {
          bench.take()
        }
      }
      guard let next = bench.core.nextDeadline, next <= end else { break }
      bench.pass(max(next - bench.now, .zero))
    }
    bench.pass(max(end - bench.now, .zero))
    return pushes
  }

  @Test(arguments: failures)
  func itStopsNoneOfThoseBehindIt(_ failure: ServerFailure) throws {
    var bench = try UploadBench.online(passages: 9)
    let pushes = try serve(&bench, for: .seconds(50), failure)
    #expect(bench.count(.synced) == 8)
    #expect(pushes <= 3)
    let more = try serve(&bench, for: .seconds(2_400), failure)
    #expect(more <= 16, "its pauses are its own and grow")
    #expect(bench.rows[1]?.status != .synced)
    #expect(bench.effects.contains { $0.isGivenUp })
  }

  /// Two that never get through, for reasons of their own, are no server that takes nothing: after the first two
  /// failures one is tried that did not fail.
  @Test(arguments: [[1, 2], [2, 5], [1, 2, 3, 4]] as [Set<UploadID>])
  func severalStopNoneOfTheOthers(_ poison: Set<UploadID>) throws {
    var bench = try UploadBench.online(passages: 9)
    var failures = Self.failures.makeIterator()
    let end = bench.now + .seconds(600)
    while bench.count(.synced) < 9 - poison.count {
      while bench.push != nil {
        let clients = bench.pushed.map(\.clientID)
        let going = bench.rows.values.filter { clients.contains($0.upload.passage.clientID) }
        if going.contains(where: { poison.contains($0.upload.id) }) {
          bench.answerPush(.failure(failures.next() ?? .failing))
          bench.answerProbe()
        } else {
          bench.take()
        }
      }
      let next = try #require(bench.core.nextDeadline)
      try #require(next <= end, "\(bench.count(.synced)) are there")
      bench.pass(max(next - bench.now, .zero))
    }
    let failed = bench.rows.values.filter { poison.contains($0.upload.id) }
    #expect(failed.allSatisfy { $0.upload.attempts <= 2 }, "\(failed.map(\.upload.attempts))")
  }

  @Test(arguments: failures)
  func amongABacklogItIsFoundByHalving(_ failure: ServerFailure) throws {
    var bench = try UploadBench.online(passages: 120)
    let pushes = try serve(&bench, for: .seconds(240), but: 77, failure)
    #expect(bench.count(.synced) == 119)
    #expect(pushes <= 14)
    #expect(
      bench.rows.values.allSatisfy { $0.upload.id == 77 || $0.upload.attempts == 0 },
      "a batch that fails counts against none of it")
  }

  @Test(arguments: [1, 5, 30] as [Int64])
  func aLineThatComesAndGoesChangesNothingOfIt(_ minutes: Int64) throws {
    var bench = try UploadBench.online(passages: 9)
    var pushes = 0
    for _ in 0..<(60 / minutes) {
      pushes += try serve(&bench, for: .seconds(minutes * 60), .silence)
      bench.goOffline()
      bench.pass(.seconds(20))
      bench.goOnline()
    }
    #expect(bench.count(.synced) == 8)
    #expect(pushes <= 22, "\(pushes)")
  }

  @Test func afterFiveTimesItGoesBehindTheOthers() throws {
    var bench = try UploadBench.online(passages: 1)
    for _ in 1...5 {
      bench.passUntilPush()
      bench.answerPush(.failure(.failing))
    }
    #expect(bench.rows[1]?.status == .failed)
    let again = try #require(bench.rows[1]?.again)
    bench.goOffline()
    bench.pass(again - bench.now)
    for _ in 0..<30 { try bench.record() }
    bench.goOnline()
    var order: [[UploadID]] = []
    for _ in 0..<100 {
      bench.passUntilPush()
      guard bench.push != nil else { break }
      let clients = bench.pushed.map(\.clientID)
      order.append(
        bench.rows.values.filter { clients.contains($0.upload.passage.clientID) }
          .map(\.upload.id))
      bench.take()
    }
    #expect(order.last == [1], "alone, and the last: \(order)")
    #expect(bench.count(.synced) == 31)
  }

  @Test func aServerThatFailsForAllIsNotAskedForEachOfThem() throws {
    var bench = try UploadBench.online(passages: 200)
    var pushes = 0
    let end = bench.now + .seconds(3_600)
    while bench.now < end {
      bench.passUntilPush()
      guard bench.push != nil else { break }
      pushes += 1
      bench.answerPush(.failure(.failing))
    }
    #expect(pushes < 40, "\(pushes)")
    #expect(bench.core.snapshot(at: bench.now).connectivity == .impaired(.trouble(.failing)))
  }

  @Test func whatTheLineDidIsTriedAtOnceWhenItIsBack() throws {
    var bench = try UploadBench.online(passages: 1)
    bench.pass(.seconds(5))
    bench.answerPush(.failure(.silence))
    bench.answer(where: { $0 == .probe }, .failure(.silence))
    #expect(bench.push == nil)
    #expect(bench.rows[1]?.upload.attempts == 1)
    bench.pass(.seconds(8))
    #expect(bench.pushed.count == 1, "the probe was answered, and nothing is waited for besides")
  }

  @Test func whileItIsFoundOutNothingElseGoes() throws {
    var bench = try UploadBench.online(passages: 3)
    bench.pass(.seconds(5))
    bench.answerPush(.failure(.silence))
    bench.tell(.timePassed)
    #expect(bench.push == nil)
    #expect(bench.rows[1]?.status == .inFlight)
    bench.answerProbe()
    #expect(bench.rows[1]?.status == .pending)
    #expect(bench.rows[1]?.next != nil)
  }
}

/// What the server does not let in, and under which names it was handed over.
@Suite struct RefusedPassageTests {
  private static func directory(segment: String, post: String = "post-a") -> PostDirectory {
    var directory = UploadBench.directory
    directory.profile.segment?.id = segment
    directory.profile.post?.id = post
    return directory
  }

  private func tell(_ directory: PostDirectory, to bench: inout UploadBench) {
    bench.pass(.seconds(3))
    let isAsked = bench.answer(
      where: { if case .profile = $0 { true } else { false } },
      .success(.profile(directory.profile)))
    #expect(isAsked, "the directory is asked first")
    guard directory.profile.segment != nil, directory.profile.post != nil else { return }
    bench.answer(
      where: { if case .posts = $0 { true } else { false } },
      .success(.posts([directory.opposite].compactMap { $0 })))
  }

  private func place(_ call: ServerCall?) -> ServerPlace? {
    if case .push(let pushes) = call { pushes.first?.place } else { nil }
  }

  @Test(arguments: [ServerFailure.denied, .reference])
  func underNewNamesItGoesAgain(_ failure: ServerFailure) throws {
    var bench = try UploadBench.online(passages: 3)
    bench.pass(.seconds(60))
    bench.answerPush(.failure(failure))
    #expect(bench.count(.failed) == 0, "nothing is final while the directory is older")
    tell(Self.directory(segment: "moved"), to: &bench)
    bench.passUntilPush()
    #expect(place(bench.push)?.segmentID == "moved")
    while bench.push != nil {
      bench.take()
      bench.passUntilPush()
    }
    #expect(bench.count(.synced) == 3)
    #expect(bench.rows.values.allSatisfy { $0.upload.attempts == 0 })
  }

  @Test(arguments: [ServerFailure.denied, .reference])
  func aUserWithoutThisPostHoldsAllOfThem(_ failure: ServerFailure) throws {
    var rules = UploadBench.rules
    rules.checkpost = try CheckpostCode("BNP-A")
    var bench = try UploadBench.online(rules, passages: 3)
    bench.answerPush(.failure(failure))
    var other = UploadBench.directory
    other.profile.post = ServerPost(id: "post-b", code: "BNP-B", name: "West", position: 1)
    tell(other, to: &bench)
    #expect(bench.push == nil)
    #expect(bench.count(.pending) == 3)
    let snapshot = bench.core.snapshot(at: bench.now)
    guard case .impaired(.place(.otherPost)) = snapshot.connectivity else {
      Issue.record("it is \(snapshot.connectivity)")
      return
    }
    // The user is back at its post.
    bench.pass(.seconds(130))
    bench.answerDirectory()
    bench.passUntilPush()
    for _ in 0..<3 { bench.take() }
    #expect(bench.count(.synced) == 3)
  }

  @Test func aDirectoryThatIsNotToldMakesNothingFinal() throws {
    var bench = try UploadBench.online(passages: 2)
    bench.answerPush(.failure(.denied))
    bench.pass(.seconds(3))
    bench.answer(
      where: { if case .profile = $0 { true } else { false } }, .failure(.failing))
    #expect(bench.count(.pending) == 2)
    #expect(bench.rows[1]?.upload.attempts == 0)
    bench.goOffline()
    bench.goOnline()
    bench.passUntilPush()
    #expect(bench.pushed.count == 1)
  }

  @Test func aLineThatGoesMeanwhileMakesNothingFinal() throws {
    var bench = try UploadBench.online(passages: 2)
    bench.answerPush(.failure(.denied))
    bench.goOffline()
    #expect(bench.count(.pending) == 2)
    bench.goOnline()
    bench.passUntilPush()
    #expect(bench.pushed.count == 1)
  }

  @Test func theTextOfWhatIsNotTakenIsToldAtItsOwnMoment() throws {
    var bench = try UploadBench.online(passages: 2)
    let due = bench.now + .seconds(900)
    bench.untakenDue = due
    bench.tell(.modemChanged(ModemID(0), canSend: true, reason: ""))
    let node = bench.core.snapshot(at: bench.now)
    #expect(node.outlook == TextOutlook(.online))
    #expect(node.nextText(due: bench.now, at: bench.now) == TextOutlook(.notTaken, until: due))
    #expect(node.nextText(due: due + .seconds(1), at: due) == TextOutlook(.online))
    // Without a line all of them wait for the same.
    bench.goOffline()
    let gone = bench.core.snapshot(at: bench.now)
    #expect(gone.nextText(due: bench.now, at: bench.now).obstacle == .offlineLately)
  }

  private func refuse(_ bench: inout UploadBench) {
    bench.answerPush(.failure(.denied))
    bench.pass(.seconds(3))
    bench.answerDirectory()
  }

  @Test func underNamesThatAreRightItIsStuckAndTheRestGoes() throws {
    var bench = try UploadBench.online(passages: 2)
    refuse(&bench)
    #expect(bench.rows[1]?.refusal == .policy)
    #expect(bench.rows[1]?.mayBeTexted == true)
    bench.passUntilPush()
    bench.take()
    #expect(bench.count(.synced) == 1)
    #expect(bench.core.snapshot(at: bench.now).connectivity == .online)
  }

  @Test func oneOfThoseThatWereRefusedIsTriedAgainEachDay() throws {
    var bench = try UploadBench.online(passages: 2)
    refuse(&bench)
    bench.passUntilPush()
    bench.take()
    var tries = 0
    let end = bench.now + .seconds(90_000)
    while bench.now < end {
      bench.pass(.seconds(600))
      bench.answerDirectory()
      guard bench.push != nil else { continue }
      tries += 1
      refuse(&bench)
    }
    #expect(tries == 1)
    #expect(bench.count(.failed) == 1)
  }

  @Test func aPolicyThatIsMendedFreesTheQueue() throws {
    var bench = try UploadBench.online(passages: 5)
    for _ in 0..<5 {
      bench.passUntilPush()
      refuse(&bench)
    }
    #expect(bench.count(.failed) == 5)
    #expect(bench.core.snapshot(at: bench.now).connectivity == .impaired(.takesNothing))
    bench.pass(.seconds(900))
    #expect(bench.pushed.count == 1, "a server that answers is asked with one of them")
    bench.take()
    for _ in 0..<9 {
      bench.passUntilPush()
      bench.take()
    }
    #expect(bench.count(.synced) == 5)
    #expect(bench.core.snapshot(at: bench.now).connectivity == .online)
  }

  @Test func aSignInTriesOneOfThem() throws {
    var rules = UploadBench.rules
    rules.sync.signsIn = true
    rules.sync.userID = nil
    var memory = NodeMemory()
    memory.directory = UploadBench.directory
    memory.userID = "ranger"
    var bench = UploadBench(rules, memory: memory)
    func signIn(_ bench: inout UploadBench) {
      bench.answer(
        where: { if case .signIn = $0 { true } else { false } },
        .success(
          .session(
            GrantedSession(
              accessToken: Token("a"), refreshToken: Token("r"), lasts: .seconds(86_400 * 7),
              userID: "ranger"))))
    }
    try bench.record()
    bench.tell(.linkChanged(.up))
    bench.answerProbe()
    signIn(&bench)
    bench.answerDirectory()
    bench.passUntilPush()
    refuse(&bench)
    #expect(bench.count(.failed) == 1)
    bench.answer(where: { $0 == .probe }, .failure(.expired))
    bench.tell(.rulesChanged(rules))
    bench.core.server.memory.refreshToken = nil
    bench.core.server.signIn = SignIn(isNeeded: true)
    bench.tell(.timePassed)
    bench.answerProbe()
    signIn(&bench)
    bench.answerDirectory()
    bench.passUntilPush()
    #expect(bench.pushed.count == 1)
  }

  /// With the preset of the mobile app, given up is stuck; a server that is well again is seen all the same.
  @Test func withTheCorePresetAHealthyServerIsAskedWithOne() throws {
    var rules = UploadBench.rules
    rules.sync.retry = .core
    var bench = try UploadBench.online(rules, passages: 2)
    while bench.count(.failed) < 2 {
      bench.passUntilPush()
      guard bench.push != nil else { break }
      bench.answerPush(.failure(.failing))
    }
    #expect(bench.count(.failed) == 2)
    #expect(bench.rows.values.allSatisfy { $0.refusal == .attempts && $0.mayBeTexted })
    #expect(bench.core.snapshot(at: bench.now).connectivity == .impaired(.trouble(.failing)))
    bench.pass(.seconds(1_000))
    #expect(bench.pushed.count == 1)
    bench.take()
    #expect(bench.core.snapshot(at: bench.now).connectivity == .online)
    #expect(bench.count(.failed) == 1, "that is a person's")
    bench.pass(.seconds(5_000))
    #expect(bench.push == nil)
    bench.tell(.syncNow)
    bench.passUntilPush()
    bench.take()
    #expect(bench.count(.synced) == 2)
  }

  @Test func syncNowTakesUpEverythingWhateverItWasGivenUpFor() throws {
    var bench = try UploadBench.online(passages: 4)
    bench.answerPush(.failure(.rejected))
    refuse(&bench)
    bench.passUntilPush()
    bench.answerPush(.failure(.failing))
    bench.passUntilPush()
    bench.answerPush(.failure(.reference))
    bench.pass(.seconds(3))
    bench.answerDirectory()
    #expect(bench.count(.failed) == 2)
    #expect(bench.count(.pending) == 2)
    bench.tell(.syncNow)
    bench.answerDirectory()
    for _ in 0..<4 { bench.take() }
    #expect(bench.count(.synced) == 4, "at once")
  }

  /// Nobody but a text tells of them then.
  @Test func aServerThatRejectsEverythingLetsThemBeTexted() throws {
    var bench = try UploadBench.online(passages: 4)
    bench.answerPush(.failure(.rejected))
    #expect(bench.rows[1]?.mayBeTexted == false)
    for _ in 0..<3 {
      bench.passUntilPush()
      bench.answerPush(.failure(.rejected))
    }
    #expect(bench.count(.failed) == 4)
    #expect(bench.rows.values.allSatisfy { $0.mayBeTexted })
    #expect(bench.core.snapshot(at: bench.now).connectivity == .impaired(.takesNothing))
  }
}

extension NodeEffect {
  fileprivate var isGivenUp: Bool {
    if case .upload(.failed(_, _, isPermanent: false, _, _, _)) = self { true } else { false }
  }
}
