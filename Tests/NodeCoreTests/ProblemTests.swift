import Events
import GSM
import NodeCore
import Storage
import Testing
import Time

/// What is told of a node: from facts, and since when.
@Suite struct NodeProblemTests {
  private let moment = Moment(
    boot: BootInstant(nanoseconds: 5_000_000_000_000), wall: WallTime(epochSeconds: 1_795_000_000))

  private func overview(
    free: Int64? = 1 << 30, isReadOnly: Bool = false, undelivered: Int = 0, unknown: Int = 0,
    undated: Int = 0
  ) -> StoreOverview {
    let since = moment.boot - .seconds(600)
    return StoreOverview(
      pending: 0, inFlight: 0, synced: 0, failed: 0, waitingForText: 0, texted: 0,
      undelivered: undelivered, undeliveredSince: undelivered > 0 ? since : nil,
      unknownTexts: unknown, unknownSince: unknown > 0 ? since : nil, parked: 0, undated: undated,
      undatedSince: undated > 0 ? since : nil, textsLastDay: 0, databaseBytes: 3 << 20,
      freeBytes: free, isReadOnly: isReadOnly)
  }

  private func ofTheQueue(_ overview: StoreOverview) -> [Problem] {
    NodeProblems(NodeFacts(overview: overview, reserveBytes: 4 << 20), at: moment).ofTheQueue
  }

  @Test func aFullDiskIsAProblem() {
    let problems = ofTheQueue(overview(free: 1 << 20))
    #expect(problems.map(\.name) == ["disk_full"])
    #expect(
      problems.first?.sentence
        == "1 MiB are free where the node's database lies, so passages may be refused; make room on"
        + " that disk")
    #expect(ofTheQueue(overview(free: 4 << 20)).map(\.name) == ["storage_filling"])
    #expect(ofTheQueue(overview(free: 100 << 20)).isEmpty)
    #expect(ofTheQueue(overview(free: nil)).isEmpty, "a database in memory has no disk")
  }

  @Test func aReadOnlyDiskIsAProblemBeforeAnythingIsWritten() {
    let problems = ofTheQueue(overview(free: 0, isReadOnly: true))
    #expect(problems.map(\.name) == ["disk_read_only"])
    #expect(problems.first?.severity == .critical)
  }

  @Test func textsThatAreLostAreProblemsSinceTheyWent() {
    let problems = ofTheQueue(overview(undelivered: 2, unknown: 1))
    #expect(problems.map(\.name) == ["text_undelivered", "text_unknown"])
    #expect(problems.allSatisfy { $0.since == moment.wall - .seconds(600) })
    #expect(
      problems.first?.sentence
        == "2 passages whose text was, as the network reports, not delivered: nothing more is sent by"
        + " itself; see `checkpost queue list --status undelivered`, and queue retry or queue park each"
    )
    #expect(problems.last?.what.hasPrefix("1 passage whose") == true)
    #expect(problems.last?.remedy?.contains("queue list --status unknown") == true)
  }

  /// Three megabytes of passages, and photographs beside them.
  @Test func whatTheNodeMayKeepIsToldOfAtFourFifths() {
    func problem(_ photos: Int64, of capacity: Int64?) -> Problem? {
      var facts = NodeFacts(overview: overview(), reserveBytes: 4 << 20)
      facts.photoBytes = photos
      facts.capacityBytes = capacity
      return NodeProblems(facts, at: moment).ofTheQueue.first
    }
    #expect(problem(5 << 20, of: nil) == nil)
    #expect(problem((5 << 20) - 1, of: 10 << 20) == nil)
    let near = problem(5 << 20, of: 10 << 20)
    #expect(near?.name == "storage_filling")
    #expect(near?.severity == .warning)
    #expect(near?.what.contains("takes 3 MiB and its photographs 5 MiB, of 10 MiB") == true)
    let full = problem(7 << 20, of: 10 << 20)
    #expect(full?.severity == .critical)
    #expect(full?.what.hasSuffix("photographs are refused") == true)
  }

  /// Something else fills the disk: 64 MB of it are kept for passages.
  @Test func whatTheDiskAllowsIsToldOf() {
    let near = ofTheQueue(overview(free: (64 << 20) + (700 << 10))).first
    #expect(near?.name == "storage_filling")
    #expect(near?.severity == .warning)
    let short = ofTheQueue(overview(free: 60 << 20)).first
    #expect(short?.severity == .critical)
    #expect(short?.what.contains("that the disk has for them: photographs are refused") == true)
    // What was freed in the database is no use of the disk that counts.
    var freed = overview(free: 65 << 20)
    freed.unusedBytes = 3 << 20
    #expect(ofTheQueue(freed).isEmpty)
  }

  @Test func photographsThatWereLeftOutAreTold() {
    var some = overview()
    some.photosLeftOut = 2
    some.photosLeftOutSince = moment.boot - .seconds(600)
    some.photoLeftOutReason = "is a ZIP archive"
    let problem = ofTheQueue(some).first
    #expect(problem?.name == "photos_left_out")
    #expect(problem?.since == moment.wall - .seconds(600))
    #expect(
      problem?.what
        == "2 passages were recorded without their photographs in the last day; the last one: is a ZIP"
        + " archive")
  }

  /// What has a problem of its own is not told once more as something that nobody wants to text.
  @Test func whatIsRefusedIsToldOnce() {
    let states = PassageStates(hasServer: true, awaitsReports: false)
    func told(_ facts: PassageFacts, _ change: (inout StoreOverview) -> Void) -> [String] {
      var some = overview()
      some.decided = [facts: 2]
      change(&some)
      #expect(states.counts(some)[.stuck] == 2)
      var node = NodeFacts(overview: some, reserveBytes: 4 << 20)
      node.states = states
      return NodeProblems(node, at: moment).ofTheQueue.map(\.name)
    }
    var photo = PassageFacts(.synced)
    photo.isPhotoRefused = true
    let refused = RefusedUploads(count: 2, since: moment.boot - .seconds(600), error: "HTTP 413")
    #expect(told(photo) { ($0.synced, $0.refused[.photo]) = (2, refused) } == ["photos_refused"])
    var correction = PassageFacts(.synced)
    correction.isCorrectionRefused = true
    #expect(
      told(correction) { ($0.synced, $0.refused[.correction]) = (2, refused) }
        == ["corrections_refused"])
    var conflict = PassageFacts(.failed)
    (conflict.isRefused, conflict.hasOpenConflict) = (true, true)
    #expect(told(conflict) { ($0.failed, $0.conflictsOpen) = (2, 2) } == ["conflicts_open"])
    var passage = PassageFacts(.failed)
    passage.isRefused = true
    #expect(
      told(passage) { ($0.failed, $0.refused[.passage]) = (2, refused) } == ["uploads_refused"])
  }

  @Test func whatWasRefusedIsToldWithTheLastReasonSinceTheFirst() {
    func problem(_ count: Int) -> Problem? {
      var some = overview()
      some.refused[.passage] = RefusedUploads(
        count: count, since: moment.boot - .seconds(600), error: "HTTP 400")
      return ofTheQueue(some).first
    }
    #expect(problem(1)?.what == "the server refused 1 passage for good: HTTP 400")
    #expect(problem(3)?.what == "the server refused 3 passages for good; the last one: HTTP 400")
    #expect(problem(3)?.since == moment.wall - .seconds(600))
    #expect(problem(3)?.remedy?.contains("queue list --status stuck") == true)
  }

  @Test func passagesWithoutATimeAreAWarning() {
    let problems = ofTheQueue(overview(undated: 3))
    #expect(problems.map(\.name) == ["passages_undated"])
    #expect(problems.first?.severity == .warning)
    #expect(problems.first?.since == moment.wall - .seconds(600))
  }

  @Test func aStoreThatFailsIsToldWithWhatHelps() {
    var facts = NodeFacts(overview: overview(), reserveBytes: 0)
    let error = StorageError(
      .full, of: "n.sqlite", problem: "n.sqlite: no space left", remedy: "Make room")
    facts.failure = NodeFacts.StoreFailure(error, since: moment.boot - .seconds(60))
    let told = NodeProblems(facts, at: moment).ofTheService
    #expect(told.map(\.name) == ["store_failing"])
    #expect(told.first?.what == "nothing is stored or texted: n.sqlite: no space left.")
    #expect(told.first?.remedy == "Make room.")
    #expect(told.first?.sentence == "nothing is stored or texted: \(error.message)")
    #expect(told.first?.since == moment.wall - .seconds(60))

    facts.failure?.savedCopy = "n.sqlite.saved"
    facts.unreadable = error
    let lost = NodeProblems(facts, at: moment).ofTheService
    #expect(lost.map(\.name) == ["store_unreadable"])
    #expect(
      lost.first?.sentence
        == "the node's database cannot be used: \(error.message) All that it held is in"
        + " n.sqlite.saved: `checkpost queue export` with CHECKPOST_NODE_DATABASE set to that hands it"
        + " on.")
  }

  @Test func aNodeThatHasNothingToSendWithIsAProblem() {
    #expect(NodeSetup(modems: 1, gateways: 1).problems.isEmpty)
    #expect(NodeSetup(modems: 1, gateways: 0).problems.map(\.name) == ["no_gateway"])
    let problems = NodeSetup(modems: 0, gateways: 0).problems
    #expect(problems.map(\.name) == ["no_modem", "no_gateway"])
    #expect(problems.allSatisfy { $0.remedy != nil && $0.severity == .critical })
  }
}

/// Problems that a modem's texts make, by what the core itself decides.
@Suite struct TextProblemTests {
  private let wall = WallTime(epochSeconds: 1_795_000_000)

  private func problems(_ bench: Bench) -> [Problem] {
    var facts = NodeFacts(reserveBytes: 0)
    facts.node = bench.core.snapshot(at: bench.now)
    return NodeProblems(facts, at: Moment(boot: bench.now, wall: wall)).ofTheService
  }

  @Test func aModemThatIsHeldIsToldSinceItsFirstFailure() {
    var bench = Bench.ready()
    bench.record()
    bench.pass(.seconds(301))
    #expect(problems(bench).isEmpty)
    let missing = TextOutcome.refused(
      Refusal(code: "CMS 310", words: "no SIM", kind: .alert, triesFirst: 1))
    bench.finish(missing)
    let first = problems(bench)
    #expect(first.map(\.name) == ["modem_held"])
    #expect(first.first?.severity == .warning, "it may pass by itself")
    #expect(first.first?.remedy == "it goes on by itself")
    #expect(first.first?.since == wall)
    bench.pass(.seconds(60))
    bench.finish(missing)
    let second = problems(bench)
    #expect(second.first?.severity == .critical)
    #expect(second.first?.since == wall - .seconds(60))
    #expect(
      second.first?.sentence.hasSuffix(
        "; look at the modem, its card or its account")
        == true)
    #expect(second.first?.what.hasPrefix("the modem: sending paused for 3600 s: CMS 310") == true)
  }

  @Test func anEmptyAccountIsToldUntilATextGoes() {
    var bench = Bench.ready()
    bench.record(9)
    bench.pass(.seconds(301))
    func isSuspected() -> Bool { problems(bench).contains { $0.name == "no_credit_suspected" } }
    func end(_ outcome: TextOutcome) {
      bench.finish(outcome)
      while bench.flying.isEmpty, let deadline = bench.core.nextDeadline {
        bench.pass(deadline - bench.now)
      }
    }
    end(.fine)
    for _ in 0..<2 { end(.broke()) }
    #expect(!isSuspected())
    bench.finish(.broke())
    #expect(isSuspected())
    #expect(problems(bench).last?.since == wall)
    while bench.flying.isEmpty, let deadline = bench.core.nextDeadline {
      bench.pass(deadline - bench.now)
    }
    end(.fine)
    #expect(!isSuspected())
  }
}

/// What the way to the server is doing, by what the store has: never from memory alone.
@Suite struct SyncStateTests {
  private func overview(_ change: (inout StoreOverview) -> Void) -> StoreOverview {
    var overview = StoreOverview(
      pending: 0, inFlight: 0, synced: 5, failed: 0, waitingForText: 0, texted: 0, undelivered: 0,
      unknownTexts: 0, parked: 0, undated: 0, textsLastDay: 0, databaseBytes: 0, isReadOnly: false)
    change(&overview)
    return overview
  }

  private func state(
    _ connectivity: ConnectivityState = .online, _ change: (inout StoreOverview) -> Void
  ) -> SyncState {
    var node = NodeCore(rules: .withServer, seed: 1).snapshot(at: .seconds(1))
    node.sync = .idle
    node.connectivity = connectivity
    return node.sync(overview(change))
  }

  @Test func allIsThereOnlyWhenNothingIsLeft() {
    #expect(state { _ in } == .idle)
    #expect(state { $0.pending = 1 } == .retrying(reason: "it goes at the next look", until: nil))
    #expect(state { $0.failed = 1 }.name == "retrying")
    #expect(state { $0.photosOpen = 1 }.name == "retrying")
    #expect(state { $0.correctionsOpen = 1 }.name == "retrying")
    #expect(state { ($0.pending, $0.handedOn) = (1, 1) } == .idle, "somebody brought it there")
    #expect(state { $0.conflictsOpen = 1 }.name == "error")
  }

  /// What waits for people is not said to go at the next look, nor to wait for the line.
  @Test(arguments: [ConnectivityState.online, .offline(.noServer)])
  func whatPeopleKeepHereIsSaidToBeKept(_ line: ConnectivityState) {
    var held = PassageFacts(.pending)
    held.isOnHold = true
    let undated = state(line) { ($0.pending, $0.undated) = (2, 2) }
    #expect(
      undated == .retrying(reason: "the time is not known yet at which it was", until: nil))
    let onHold = state(line) { ($0.pending, $0.decided) = (2, [held: 2]) }
    #expect(onHold == .retrying(reason: "on hold", until: nil))
    let one = state(line) { ($0.pending, $0.undated, $0.decided) = (3, 1, [held: 1]) }
    #expect(one.reason != "on hold, or without a time", "one can go")
  }

  @Test func offlineItSaysWhy() {
    let offline = ConnectivityState.offline(.outage(.noLink, words: "no link"))
    #expect(state(offline) { $0.pending = 3 } == .retrying(reason: "no link", until: nil))
  }

  /// After a restart nothing is in memory.
  @Test func aRestartForgetsNoError() {
    let refused = state {
      $0.failed = 2
      $0.refused[.passage] = RefusedUploads(count: 2, error: "HTTP 403 42501")
    }
    #expect(refused == .error(reason: "the server refused 2 for good: HTTP 403 42501"))
    let missed = state {
      $0.pending = 1
      $0.lastUploadError = UploadTrouble("HTTP 504", at: WallTime(epochSeconds: 1_795_000_000))
    }
    #expect(missed == .retrying(reason: "HTTP 504", until: nil))
  }
}
