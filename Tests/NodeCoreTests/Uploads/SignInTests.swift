import NodeCore
import Passages
import Testing
import Time

/// The session of a node with its server.
@Suite struct SignInTests {
  private var rules: NodeRules {
    var rules = UploadBench.rules
    rules.sync.signsIn = true
    rules.sync.userID = nil
    return rules
  }

  private func session(_ number: Int, lasts: Duration = .seconds(3_600)) -> ServerResult {
    .session(
      GrantedSession(
        accessToken: Token("access \(number)"), refreshToken: Token("refresh \(number)"),
        lasts: lasts, userID: "ranger"))
  }

  private func isSignIn(_ call: ServerCall) -> Bool {
    if case .signIn = call { true } else { false }
  }

  private func grant(_ bench: UploadBench) -> ServerCall.Grant? {
    bench.asked.lazy.compactMap { question in
      if case .signIn(let grant) = question.call { grant } else { nil }
    }.first
  }

  /// A node that is signed in, with passages that wait.
  private func signedIn(passages: Int = 0, lasts: Duration = .seconds(3_600)) throws -> UploadBench
  {
    var bench = UploadBench(rules)
    for _ in 0..<passages { try bench.record() }
    bench.tell(.linkChanged(.up))
    bench.answerProbe()
    bench.answer(where: isSignIn, .success(session(1, lasts: lasts)))
    bench.answerDirectory()
    return bench
  }

  @Test func thePasswordIsShownFirstAndTheSessionAfterIt() throws {
    var bench = UploadBench(rules)
    try bench.record()
    bench.tell(.linkChanged(.up))
    bench.answerProbe()
    #expect(grant(bench) == .password)
    #expect(bench.push == nil, "nothing goes before there is a session")
    bench.answer(where: isSignIn, .success(session(1)))
    #expect(bench.asked.allSatisfy { $0.call == .probe || $0.token == Token("access 1") })
    bench.answerDirectory()
    #expect(bench.asked.first { $0.call == bench.push }?.token == Token("access 1"))
  }

  /// A server that wants a session for every question answers the first probe so: it is there, and nothing was
  /// refused that was shown.
  @Test func aProbeBeforeTheSignInThatIsRefusedTellsOnlyThatTheServerIsThere() throws {
    var bench = UploadBench(rules)
    try bench.record()
    bench.tell(.linkChanged(.up))
    let refused = ServerFailure(.credential, status: 401, words: "401")
    bench.answer(where: { $0 == .probe }, .failure(refused))
    #expect(bench.core.snapshot(at: bench.now).connectivity == .online)
    #expect(!bench.effects.facts.contains(.connectivityChanged(.impaired(.credential))))
    bench.answer(where: isSignIn, .success(session(1)))
    bench.answerDirectory()
    #expect(bench.asked.first { $0.call == bench.push }?.token == Token("access 1"))
    // With a session shown, the same answer is a refusal.
    let push = try #require(bench.push)
    bench.answer(where: { $0 == push }, .failure(refused))
    #expect(bench.core.snapshot(at: bench.now).connectivity == .impaired(.credential))
  }

  /// The server asked to be left alone: neither a line that comes and goes nor a start changes that.
  @Test(arguments: [ServerFailure.Kind.trouble(.busy), .outage(.noAnswer), .credential])
  func whatTheServerAsksForIsKept(_ kind: ServerFailure.Kind) throws {
    var bench = UploadBench(rules)
    bench.tell(.linkChanged(.up))
    bench.answerProbe()
    let asked = ServerFailure(kind, status: 429, words: "429", retryAfter: .seconds(600))
    bench.answer(where: isSignIn, .failure(asked))
    let until = bench.now + .seconds(600)
    for _ in 0..<5 {
      bench.goOffline()
      bench.pass(.seconds(20))
      bench.tell(.linkChanged(.up))
      bench.answerProbe()
      bench.tell(.syncNow)
      #expect(grant(bench) == nil)
    }
    var next = UploadBench(rules, memory: bench.remembered)
    next.now = bench.now
    next.tell(.linkChanged(.up))
    next.answerProbe()
    next.pass(until - next.now - .seconds(1))
    #expect(grant(next) == nil)
    next.pass(.seconds(200))
    #expect(grant(next) != nil)
  }

  @Test func theNextRefreshTokenIsOnDiskBeforeItsSessionIsUsed() throws {
    var bench = UploadBench(rules)
    try bench.record()
    bench.tell(.linkChanged(.up))
    bench.answerProbe()
    bench.effects = []
    bench.answer(where: isSignIn, .success(session(1)))
    let kept = try #require(
      bench.effects.firstIndex { effect in
        if case .remember(let memory) = effect {
          memory.refreshToken == Token("refresh 1")
        } else {
          false
        }
      })
    // Calls of one event go out when all that it writes is on disk.
    #expect(kept >= 0)
    #expect(bench.remembered.userID == "ranger")
  }

  @Test func aSessionIsRenewedAfterFourFifthsOfItsLife() throws {
    var bench = try signedIn(lasts: .seconds(1_000))
    bench.pass(.seconds(799))
    #expect(grant(bench) == nil)
    bench.pass(.seconds(2))
    #expect(grant(bench) == .refresh(Token("refresh 1")))
    try bench.record()
    #expect(bench.push != nil, "what is shown is good until its end")
    bench.answer(where: isSignIn, .success(session(2)))
    #expect(bench.remembered.refreshToken == Token("refresh 2"))
  }

  @Test func aRestartGoesOnWithTheLastRefreshToken() throws {
    let before = try signedIn()
    var bench = UploadBench(rules, memory: before.remembered)
    bench.goOnline()
    #expect(grant(bench) == .refresh(Token("refresh 1")))
  }

  @Test func anExpiredTokenIsRenewedAndCountsNoAttempt() throws {
    var bench = try signedIn(passages: 1)
    bench.answerPush(.failure(.expired))
    #expect(bench.rows[1]?.upload.attempts == 0)
    #expect(bench.rows[1]?.status == .pending)
    #expect(grant(bench) == .refresh(Token("refresh 1")))
    bench.answer(where: isSignIn, .success(session(2)))
    bench.answerProbe()
    #expect(bench.asked.first { $0.call == bench.push }?.token == Token("access 2"))
    bench.take()
    #expect(bench.count(.synced) == 1)
  }

  @Test func aRefreshTokenThatIsRefusedIsFollowedByThePassword() throws {
    var bench = try signedIn(passages: 1)
    bench.answerPush(.failure(.expired))
    bench.answer(
      where: isSignIn,
      .failure(
        ServerFailure(
          .rejected, status: 400, code: "refresh_token_already_used", words: "already used")))
    #expect(grant(bench) == .password)
  }

  @Test func aWrongPasswordIsToldOnceAndTriedRarely() throws {
    var bench = UploadBench(rules)
    bench.tell(.linkChanged(.up))
    bench.answerProbe()
    var tries = 0
    for _ in 0..<2_000 {
      if grant(bench) != nil {
        tries += 1
        bench.answer(
          where: isSignIn,
          .failure(
            ServerFailure(
              .credential, status: 400, code: "invalid_credentials", words: "wrong password")))
      }
      bench.pass(.seconds(10))
    }
    #expect((10...60).contains(tries), "\(tries) in five hours and a half")
    let told = bench.effects.facts.filter { $0 == .credentialRefused(reason: "wrong password") }
    #expect(told.count == 1)
  }

  /// Without a session no passage goes, though every question is answered: texts have to.
  @Test(arguments: [
    (
      ServerFailure(.credential, status: 400, code: "invalid_credentials", words: "wrong password"),
      Impairment.credential
    ), (.failing, .trouble(.failing)),
  ])
  func aServerThatGivesNoSessionTakesNothing(
    _ failure: ServerFailure, _ impairment: Impairment
  ) throws {
    var bench = UploadBench(rules)
    try bench.record()
    bench.tell(.linkChanged(.up))
    bench.answerProbe()
    bench.answer(where: isSignIn, .failure(failure))
    let since = bench.now
    for _ in 0..<170 {
      bench.pass(.seconds(10))
      bench.answer(where: isSignIn, .failure(failure))
    }
    var snapshot = bench.core.snapshot(at: bench.now)
    #expect(snapshot.connectivity == .impaired(impairment))
    #expect(snapshot.serverDownSince == since)
    #expect(snapshot.textGate == .opens(at: since + .seconds(1_800) + .nanoseconds(1)))
    for _ in 0..<200 where grant(bench) == nil { bench.pass(.seconds(10)) }
    bench.answer(where: isSignIn, .success(session(1)))
    bench.answerDirectory()
    snapshot = bench.core.snapshot(at: bench.now)
    #expect(snapshot.connectivity == .online)
    #expect(snapshot.serverDownSince == nil)
    #expect(bench.pushed.count == 1, "at once")
  }

  @Test func aServerThatRefusesEveryTokenIsNotAskedInALoop() throws {
    var bench = try signedIn(passages: 1)
    var number = 1
    var asked = 0
    for _ in 0..<360 {
      if bench.push != nil { bench.answerPush(.failure(.expired)) }
      if grant(bench) != nil {
        number += 1
        asked += 1
        bench.answer(where: isSignIn, .success(session(number)))
      }
      bench.pass(.seconds(10))
    }
    #expect(asked < 40, "\(asked) sessions in an hour")
    #expect(bench.rows[1]?.upload.attempts == 0)
  }

  @Test func oneQuestionForASessionIsOutAtATime() throws {
    var bench = try signedIn(passages: 1, lasts: .seconds(1_000))
    bench.pass(.seconds(801))
    bench.answerPush(.failure(.expired))
    bench.pass(.seconds(30))
    #expect(bench.asked.filter { isSignIn($0.call) }.count == 1)
  }
}
