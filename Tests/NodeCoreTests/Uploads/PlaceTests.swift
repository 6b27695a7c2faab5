import Events
import NodeCore
import Passages
import Testing
import Time

/// A server that answers and does not know this node at this post: it takes nothing.
@Suite struct PlaceTests {
  private static func isProfile(_ call: ServerCall) -> Bool {
    if case .profile = call { true } else { false }
  }

  private static func isPosts(_ call: ServerCall) -> Bool {
    if case .posts = call { true } else { false }
  }

  /// What the server can have wrong about the user of BNP-A.
  enum Wrong: CaseIterable {
    case noPost, otherPost, inactive

    var profile: ServerProfile {
      var profile = UploadBench.directory.profile
      switch self {
      case .noPost: (profile.post, profile.segment) = (nil, nil)
      case .otherPost: profile.post = UploadBench.directory.opposite
      case .inactive: profile.isActive = false
      }
      return profile
    }

    func fault() throws -> DirectoryFault {
      switch self {
      case .noPost: .noPost
      case .otherPost: .otherPost(theirs: "BNP-B", ours: try CheckpostCode("BNP-A"))
      case .inactive: .inactive
      }
    }
  }

  private static func rules() throws -> NodeRules {
    var rules = UploadBench.rules
    rules.checkpost = try CheckpostCode("BNP-A")
    return rules
  }

  /// A node with a passage, whose server answered the probe, and the question about the user not yet.
  private func asking(
    _ rules: NodeRules? = nil, memory: NodeMemory = NodeMemory()
  ) throws -> UploadBench {
    var bench = UploadBench(try rules ?? Self.rules(), memory: memory)
    try bench.record()
    bench.tell(.linkChanged(.up))
    bench.answerProbe()
    return bench
  }

  private func tell(_ profile: ServerProfile, to bench: inout UploadBench) {
    bench.answer(where: Self.isProfile, .success(.profile(profile)))
    bench.answer(
      where: Self.isPosts, .success(.posts([UploadBench.directory.opposite].compactMap { $0 })))
  }

  private func told(_ wrong: Wrong, _ rules: NodeRules? = nil) throws -> UploadBench {
    var bench = try asking(rules)
    tell(wrong.profile, to: &bench)
    return bench
  }

  private func opens(_ after: Duration, _ since: BootInstant) -> TextGate {
    .opens(at: since + after + .nanoseconds(1))
  }

  @Test(arguments: Wrong.allCases)
  func itCountsAsAServerThatTakesNothing(_ wrong: Wrong) throws {
    var bench = try told(wrong)
    let begun = bench.now
    let state = ConnectivityState.impaired(.place(try wrong.fault()))
    #expect(bench.core.snapshot(at: bench.now).connectivity == state)
    #expect(Impairment.place(try wrong.fault()).name == "place")
    #expect(bench.effects.facts.contains(.connectivityChanged(state)))
    bench.pass(.seconds(1_700))
    let snapshot = bench.core.snapshot(at: bench.now)
    #expect(snapshot.connectivity == state, "that it answers questions changes nothing")
    #expect(snapshot.serverDownSince == begun)
    #expect(snapshot.offlineSince == nil)
    #expect(snapshot.textGate == opens(.seconds(1_800), begun))
    #expect(snapshot.level == .coreOffline)
    bench.pass(.seconds(101))
    #expect(bench.core.snapshot(at: bench.now).textGate == .open)
    #expect(bench.push == nil)
    #expect(bench.rows[1]?.upload.attempts == 0)
  }

  @Test func textsMayBeAskedForAtOnce() throws {
    var rules = try Self.rules()
    rules.textsWhenServerDown = true
    let bench = try told(.noPost, rules)
    #expect(bench.core.snapshot(at: bench.now).textGate == opens(rules.offlineFor, bench.now))
  }

  @Test(arguments: Wrong.allCases)
  func itEndsAtOnceWhenItIsPutRight(_ wrong: Wrong) throws {
    var bench = try told(wrong)
    bench.pass(.seconds(30))
    bench.tell(.syncNow)
    bench.answerDirectory()
    let snapshot = bench.core.snapshot(at: bench.now)
    #expect(snapshot.connectivity == .online)
    #expect(snapshot.textGate == .closed)
    #expect(snapshot.serverDownSince == nil)
    #expect(bench.pushed.count == 1, "what waited goes")
  }

  @Test func itIsAskedAgainByItself() throws {
    var bench = try told(.inactive)
    bench.pass(.seconds(121))
    bench.answerDirectory()
    #expect(bench.core.snapshot(at: bench.now).connectivity == .online)
    #expect(bench.pushed.count == 1)
  }

  @Test func aFailureMeanwhileDoesNotPutItRight() throws {
    var bench = try told(.noPost)
    let begun = bench.now
    bench.pass(.seconds(121))
    bench.answer(where: Self.isProfile, .failure(.failing))
    let snapshot = bench.core.snapshot(at: bench.now)
    #expect(snapshot.connectivity == .impaired(.place(.noPost)))
    #expect(snapshot.serverDownSince == begun)
  }

  /// Who fails when asked says nothing of the post. Without its names no passage can go, all the same.
  @Test func aServerThatFailsWhenAskedIsNotOneThatDoesNotKnowThePost() throws {
    var bench = try asking()
    bench.answer(where: Self.isProfile, .failure(.failing))
    let begun = bench.now
    let snapshot = bench.core.snapshot(at: bench.now)
    #expect(snapshot.connectivity == .impaired(.trouble(.failing)))
    #expect(snapshot.textGate == opens(.seconds(1_800), begun))
    bench.pass(.seconds(121))
    bench.answerDirectory()
    #expect(bench.core.snapshot(at: bench.now).connectivity == .online)
    #expect(bench.pushed.count == 1)
  }

  @Test func aQuestionWithoutAnAnswerIsNoWordOfThePost() throws {
    var bench = try asking()
    bench.answer(where: Self.isProfile, .failure(.silence))
    bench.pass(.seconds(121))
    bench.answerProbe()
    #expect(bench.core.snapshot(at: bench.now).connectivity == .online)
    // Others are answered, and this one never is.
    let isAskedAgain = bench.answer(where: Self.isProfile, .failure(.silence))
    #expect(isAskedAgain)
    bench.pass(.seconds(60))
    #expect(bench.core.snapshot(at: bench.now).connectivity == .impaired(.unanswered))
  }

  @Test func whatItToldBeforeHoldsWhileItFails() throws {
    var memory = NodeMemory()
    memory.directory = UploadBench.directory
    var bench = try asking(memory: memory)
    bench.answer(where: Self.isProfile, .failure(.failing))
    #expect(bench.core.snapshot(at: bench.now).connectivity == .online)
    #expect(bench.pushed.count == 1)
  }

  @Test(arguments: [ServerFailure.Kind.absent, .denied, .rejected])
  func aServerWithoutThatUserDoesNotKnowThePost(_ kind: ServerFailure.Kind) throws {
    var bench = try asking()
    bench.answer(
      where: Self.isProfile, .failure(ServerFailure(kind, words: "it has no such user")))
    let state = bench.core.snapshot(at: bench.now).connectivity
    #expect(state == .impaired(.place(.notTold(words: "it has no such user"))))
  }

  /// A restart neither forgets since when it is so, nor pays for a text before the server was asked again.
  @Test func aRestartKeepsSinceWhen() throws {
    var before = try told(.noPost)
    let begun = before.now
    before.pass(.seconds(600))
    var memory = before.remembered
    #expect(memory.serverDownSince == begun)
    memory.serverDownSince = BootInstant.seconds(1_000) - .seconds(900)
    var bench = try asking(memory: memory)
    bench.pass(.seconds(60))
    bench.answerProbe()
    var snapshot = bench.core.snapshot(at: bench.now)
    #expect(snapshot.connectivity == .online)
    #expect(snapshot.textGate == .closed)
    tell(Wrong.noPost.profile, to: &bench)
    snapshot = bench.core.snapshot(at: bench.now)
    #expect(snapshot.connectivity == .impaired(.place(.noPost)))
    #expect(snapshot.serverDownSince == memory.serverDownSince)
  }

  /// A node whose server tells, while that passage is on its way, that the user has no post any more.
  private func withdrawn(_ answer: (inout UploadBench) -> Void = { _ in }) throws -> UploadBench {
    var bench = UploadBench(try Self.rules())
    bench.goOnline()
    bench.pass(.seconds(6 * 3_600 - 60))
    try bench.record()
    answer(&bench)
    bench.pass(.seconds(120))
    tell(Wrong.noPost.profile, to: &bench)
    return bench
  }

  @Test func aPassageThatWasOnItsWayDoesNotRefuteIt() throws {
    var bench = try withdrawn()
    bench.pass(.seconds(1))
    bench.take()
    #expect(bench.count(.synced) == 1)
    let since = bench.now
    bench.pass(.seconds(100))
    let snapshot = bench.core.snapshot(at: bench.now)
    #expect(snapshot.connectivity == .impaired(.place(.noPost)))
    #expect(snapshot.serverDownSince == since)
    #expect(snapshot.textGate == opens(.seconds(1_800), since))
  }

  @Test func whatAPassageMetOutlivesIt() throws {
    var since = BootInstant.zero
    var bench = try withdrawn { bench in
      since = bench.now
      bench.answerPush(
        .failure(
          ServerFailure(
            .trouble(.readOnly), status: 405, words: "read-only", retryAfter: .seconds(3_600))))
    }
    for _ in 0..<72 {
      bench.pass(.seconds(100))
      tell(Wrong.noPost.profile, to: &bench)
    }
    var snapshot = bench.core.snapshot(at: bench.now)
    #expect(snapshot.connectivity == .impaired(.place(.noPost)))
    #expect(snapshot.textGate == .open, "an hour without a passage forgets nothing")
    bench.tell(.syncNow)
    bench.answerDirectory()
    snapshot = bench.core.snapshot(at: bench.now)
    #expect(snapshot.connectivity == .impaired(.trouble(.readOnly)), "until a passage is taken")
    #expect(snapshot.serverDownSince == since)
    bench.take()
    #expect(bench.core.snapshot(at: bench.now).serverDownSince == nil)
  }

  @Test func itIsAProblemWithWhatHelps() throws {
    let bench = try told(.noPost)
    var facts = NodeFacts(reserveBytes: 0)
    facts.node = bench.core.snapshot(at: bench.now)
    let moment = Moment(boot: bench.now + .seconds(60), wall: WallTime(epochSeconds: 1_795_000_000))
    let problem = NodeProblems(facts, at: moment).ofTheService.first { $0.name == "place_fault" }
    #expect(problem?.what.contains("assigned to no post on the server") == true)
    #expect(problem?.remedy?.contains("assign the user to this post") == true)
    #expect(problem?.since == moment.wall - .seconds(60))
  }
}
