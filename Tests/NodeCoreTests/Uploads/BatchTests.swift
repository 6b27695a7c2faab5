import NodeCore
import Passages
import Testing
import Time

/// A backlog that is drained.
@Suite struct BatchTests {
  /// Answers every push until nothing is asked any more, and returns how many passages went with each.
  private func drain(
    _ bench: inout UploadBench, for duration: Duration,
    _ answer: (inout UploadBench) -> Void = { $0.take() }
  ) -> [Int] {
    var sizes: [Int] = []
    let end = bench.now + duration
    for _ in 0..<10_000 where bench.now < end {
      for _ in 0..<1_000 where bench.push != nil {
        if !bench.pushed.isEmpty { sizes.append(bench.pushed.count) }
        answer(&bench)
      }
      guard let deadline = bench.core.nextDeadline, deadline <= end else { break }
      bench.pass(max(deadline - bench.now, .zero))
    }
    return sizes
  }

  @Test func afterTheFirstPassageABacklogWaitsItsTurn() throws {
    var bench = try UploadBench.online(passages: 200)
    let returned = bench.now
    bench.take()
    #expect(bench.push == nil, "all posts come back at once, so each waits for a time of its own")
    bench.passUntilPush()
    #expect(bench.pushed.count == 50)
    #expect(bench.now - returned <= .seconds(31))
  }

  /// Moves the clock from deadline to deadline, with nobody else waking the core and no passage answered;
  /// returns when it was told how far the sync is.
  private func progressTold(
    by bench: inout UploadBench, within duration: Duration
  ) -> [BootInstant] {
    let end = bench.now + duration
    var told: [BootInstant] = []
    for _ in 0..<1_000 {
      guard let deadline = bench.core.nextDeadline, deadline <= end else { break }
      bench.now = max(bench.now, deadline)
      let facts = bench.tell(.timePassed).facts
      if facts.contains(where: { if case .syncProgress = $0 { true } else { false } }) {
        told.append(bench.now)
      }
      bench.answerProbe()
    }
    return told
  }

  @Test func howFarItIsIsToldEveryFiveSecondsWhileOneAnswerIsAwaited() throws {
    var bench = try UploadBench.online(passages: 1)
    let begun = bench.now
    #expect(bench.pushed.count == 1)
    let told = progressTold(by: &bench, within: .seconds(60))
    #expect(told == (1...12).map { begun + .seconds(5 * $0) })
    #expect(bench.pushed.count == 1, "it is still awaited")
    bench.take()
    #expect(progressTold(by: &bench, within: .seconds(60)).isEmpty, "it is over")
  }

  @Test func howFarItIsIsToldWhileABacklogWaitsItsTurn() throws {
    var bench = try UploadBench.online(passages: 200)
    bench.take()
    let begun = bench.now
    #expect(bench.push == nil)
    let told = progressTold(by: &bench, within: .seconds(30))
    #expect(told == (1...6).map { begun + .seconds(5 * $0) })
  }

  @Test func whileItWaitsAfterAFailureNothingIsRunning() throws {
    var bench = try UploadBench.online(passages: 3)
    bench.answerPush(
      .failure(
        ServerFailure(.trouble(.busy), status: 429, words: "HTTP 429", retryAfter: .seconds(600))))
    #expect(progressTold(by: &bench, within: .seconds(500)).isEmpty)
    bench.passUntilPush()
    #expect(!bench.pushed.isEmpty)
    #expect(!progressTold(by: &bench, within: .seconds(20)).isEmpty, "it goes on")
  }

  @Test func differentPostsWaitForDifferentTimes() throws {
    let waits = try (0..<20).map { seed in
      var bench = UploadBench(seed: UInt64(seed))
      for _ in 0..<50 { try bench.record() }
      bench.goOnline()
      bench.take()
      let since = bench.now
      bench.passUntilPush()
      return (bench.now - since).wholeSeconds
    }
    #expect(Set(waits).count > 8, "\(waits)")
  }

  @Test func aBatchIsSortedByPlateWhateverItsOrder() throws {
    var bench = try UploadBench.online(passages: 25)
    bench.rows[3]?.upload.passage = try Passage(
      recording: Plate("ZZ 9 ZZ 9999"), vehicleType: .bus, checkpost: CheckpostCode("BNP-A"),
      recordedAt: WallTime(epochSeconds: 1_790_000_003), suffix: #require(PhoneSuffix("4567")))
    bench.take()
    bench.pass(.seconds(31))
    let plates = bench.pushed.map(\.plate.compact)
    #expect(plates.count == 24)
    #expect(plates == plates.sorted())
    #expect(plates.last == "ZZ9ZZ9999")
  }

  @Test func everythingArrivesOnce() throws {
    var bench = try UploadBench.online(passages: 333)
    let sizes = drain(&bench, for: .seconds(120))
    #expect(sizes.reduce(0, +) == 333)
    #expect(sizes.allSatisfy { $0 <= 50 })
    #expect(bench.count(.synced) == 333)
  }

  @Test func aHundredPassagesTakeNotAMinute() throws {
    var bench = try UploadBench.online(passages: 100)
    let since = bench.now
    _ = drain(&bench, for: .seconds(60)) { bench in
      // The server takes a second over each.
      bench.now = bench.now + .seconds(1)
      bench.take()
    }
    #expect(bench.count(.synced) == 100)
    #expect(bench.now - since <= .seconds(60))
  }

  @Test func onePassageThatTheServerRefusesHoldsNoOtherUp() throws {
    var bench = try UploadBench.online(passages: 120)
    let poison = try #require(bench.rows[77]).upload.passage.clientID
    let sizes = drain(&bench, for: .seconds(600)) { bench in
      if bench.pushed.contains(where: { $0.clientID == poison }) {
        bench.answerPush(.failure(.rejected))
      } else {
        bench.take()
      }
    }
    #expect(bench.count(.synced) == 119)
    #expect(bench.rows[77]?.status == .failed)
    #expect(bench.rows[77]?.isPermanent == true)
    #expect(
      bench.rows.values.allSatisfy { $0.upload.id == 77 || $0.upload.attempts == 0 },
      "a batch that was refused for one of them counts against none")
    #expect(sizes.count < 40, "\(sizes)")
  }

  @Test func anIdentityThatIsTakenSaysNothingOfTheOthersOfItsBatch() throws {
    var bench = try UploadBench.online(passages: 30)
    bench.take()
    bench.pass(.seconds(31))
    let batch = bench.pushed
    #expect(batch.count == 29)
    bench.answerPush(.failure(.duplicate))
    #expect(bench.push == .readBack(batch.map(\.clientID)))
    // One of them is there, the others are not.
    bench.answerPush(.success(.stored([UploadBench.stored(batch[4])])))
    #expect(bench.count(.synced) == 2)
    #expect(bench.count(.pending) == 28)
  }

  @Test func aServerThatIsSlowIsAskedLessOften() throws {
    func requests(took: Duration) throws -> Int {
      var bench = try UploadBench.online(passages: 3_000)
      return drain(&bench, for: .seconds(90)) { bench in
        bench.now = bench.now + took
        bench.take()
      }.count
    }
    #expect(try requests(took: .seconds(3)) * 3 < (try requests(took: .milliseconds(10))))
  }

  @Test func settingsMayLowerWhatGoesAtOnce() throws {
    var rules = UploadBench.rules
    rules.sync.batchSize = 10
    rules.sync.batchOver = 3
    var bench = try UploadBench.online(rules, passages: 40)
    #expect(drain(&bench, for: .seconds(120)).max() == 10)
    #expect(bench.count(.synced) == 40)
  }
}
