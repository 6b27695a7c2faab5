import NodeCore
import Passages
import Testing
import Time

/// How passages go to the server.
@Suite struct UploadTests {
  @Test func theFirstPassageGoesWithTheLineAlone() throws {
    let bench = try UploadBench.online(passages: 30)
    #expect(bench.pushed.count == 1, "one passage, and no wait, whatever the backlog")
    #expect(bench.count(.inFlight) == 1)
  }

  @Test func theyGoOneByOneInTheirOrder() throws {
    var bench = try UploadBench.online(passages: 5)
    var order: [ClientID] = []
    for _ in 0..<9 {
      guard let first = bench.pushed.first else { break }
      #expect(bench.pushed.count == 1)
      order.append(first.clientID)
      bench.take()
    }
    #expect(
      order
        == bench.rows.values.sorted { $0.upload.id < $1.upload.id }.map(\.upload.passage.clientID))
    #expect(bench.count(.synced) == 5)
    #expect(bench.rows[1]?.serverID == "row-\(order[0])")
  }

  @Test func aPassageThatIsRecordedWhileThereIsALineGoesAtOnce() throws {
    var bench = try UploadBench.online()
    bench.pass(.seconds(7))
    try bench.record()
    #expect(bench.pushed.count == 1)
  }

  @Test func withoutALineNothingIsAttempted() throws {
    var bench = UploadBench()
    try bench.record()
    bench.pass(.seconds(3_600))
    #expect(bench.asked.isEmpty)
    #expect(bench.rows[1]?.upload.attempts == 0)
  }

  @Test func anIdentityThatTheServerHasIsLookedAtBeforeItCounts() throws {
    var bench = try UploadBench.online(passages: 1)
    let passage = bench.pushed[0]
    bench.answerPush(.failure(.duplicate))
    #expect(bench.count(.synced) == 0, "that the identity is taken does not say by what")
    #expect(bench.push == .readBack([passage.clientID]))
    bench.answerPush(.success(.stored([UploadBench.stored(passage)])))
    #expect(bench.count(.synced) == 1)
    #expect(bench.effects.facts.contains(.uploaded(.passage, passage.clientID, isNew: false)))
  }

  @Test func anotherContentUnderTheSameIdentityIsAConflict() throws {
    var bench = try UploadBench.online(passages: 1)
    let passage = bench.pushed[0]
    bench.answerPush(.failure(.duplicate))
    let other = UploadBench.stored(passage, plate: "BA9PA9999")
    bench.answerPush(.success(.stored([other])))
    #expect(bench.rows[1]?.conflict == other)
    #expect(bench.effects.facts.contains(.conflictFound(passage.clientID, .serverWins)))
  }

  @Test(arguments: ["BA 1 PA 1001", "ba-1-pa-1001"])
  func anotherSpellingOfThePlateIsTheSame(_ plate: String) throws {
    var bench = try UploadBench.online(passages: 1)
    let passage = bench.pushed[0]
    bench.answerPush(.failure(.duplicate))
    bench.answerPush(.success(.stored([UploadBench.stored(passage, plate: plate)])))
    #expect(bench.rows[1]?.conflict == nil)
    #expect(bench.count(.synced) == 1)
  }

  @Test func aServerThatSaysYesAndKeepsNothingIsNotBelieved() throws {
    var bench = try UploadBench.online(passages: 1)
    let passage = bench.pushed[0]
    bench.answerPush(.success(.stored([])))
    #expect(bench.push == .readBack([passage.clientID]))
    bench.answerPush(.success(.stored([])))
    #expect(bench.count(.synced) == 0)
    #expect(bench.rows[1]?.status == .pending)
    #expect(bench.rows[1]?.upload.attempts == 1)
  }

  @Test func afterFiveAttemptsItIsGivenUpForAWhile() throws {
    var bench = try UploadBench.online(passages: 1)
    for attempt in 1...5 {
      #expect(bench.push != nil, "attempt \(attempt)")
      bench.answerPush(.failure(.failing))
      if attempt < 5 { bench.passUntilPush() }
    }
    #expect(bench.rows[1]?.status == .failed)
    bench.pass(.seconds(800))
    #expect(bench.push == nil)
    bench.goOffline()
    bench.pass(.seconds(30))
    bench.goOnline()
    bench.pass(.seconds(30))
    #expect(bench.push == nil, "its pause is its own, whatever the line does")
    bench.pass(.seconds(60))
    #expect(bench.pushed.count == 1)
    #expect(bench.rows[1]?.upload.isBehind == true)
  }

  @Test func aServerThatWorksAgainGetsWhatWasGivenUp() throws {
    var bench = try UploadBench.online(passages: 1)
    for _ in 0..<5 {
      bench.answerPush(.failure(.readOnly))
      if bench.rows[1]?.status != .failed { bench.passUntilPush() }
    }
    #expect(bench.rows[1]?.status == .failed)
    try bench.record()
    bench.passUntilPush()
    for _ in 0..<9 where bench.push != nil { bench.take() }
    #expect(bench.count(.synced) == 2, "the server took nothing, and takes passages again")
  }

  /// The line may well never go: other requests are answered all the time.
  @Test func whatWasGivenUpIsTriedAgainInTimeWithoutTheLineEverGoing() throws {
    var bench = try UploadBench.online(passages: 1)
    for _ in 1...5 {
      bench.answerPush(.failure(.failing))
      bench.passUntilPush()
    }
    #expect(bench.rows[1]?.status == .inFlight)
    #expect(
      bench.effects.contains {
        if case .report(.uploadFailed(.passage, _, _, isPermanent: false)) = $0 {
          true
        } else {
          false
        }
      })
    bench.take()
    #expect(bench.rows[1]?.status == .synced)
  }

  /// An answer may give rise to a question that the line is no longer there for.
  @Test func whatAnAnswerGivesRiseToIsNotAskedWithoutALine() throws {
    var bench = try UploadBench.online(passages: 1)
    let pushed = bench.pushed
    #expect(pushed.count == 1)
    bench.goOffline()
    bench.answerPush(.success(.stored([])))
    #expect(bench.push == nil)
    #expect(bench.rows[1]?.status == .pending)
    #expect(bench.rows[1]?.upload.attempts == 0)
    bench.goOnline()
    bench.passUntilPush()
    #expect(bench.pushed == pushed)
  }

  @Test func failuresAreSpacedOutFurtherAndFurther() throws {
    var rules = UploadBench.rules
    rules.sync.attempts = 20
    var bench = try UploadBench.online(rules, passages: 1)
    var pauses: [Int64] = []
    for _ in 0..<8 {
      bench.answerPush(.failure(.failing))
      let since = bench.now
      bench.passUntilPush()
      pauses.append((bench.now - since).wholeSeconds)
    }
    #expect((20...40).contains(pauses[0]))
    #expect(pauses[3] > pauses[0] * 3)
    #expect(pauses.allSatisfy { $0 <= 900 }, "\(pauses)")
    #expect(try #require(pauses.last) >= 600)
  }

  @Test func theServersOwnWordOnWhenToAskAgainIsKept() throws {
    var bench = try UploadBench.online(passages: 1)
    bench.answerPush(
      .failure(
        ServerFailure(
          .trouble(.busy), status: 429, words: "too many requests", retryAfter: .seconds(1_200))))
    bench.pass(.seconds(1_199))
    #expect(bench.push == nil)
    bench.pass(.seconds(300))
    #expect(bench.push != nil)
  }

  @Test func whatTheServerWillNeverTakeIsSetAsideAndTheRestGoes() throws {
    var bench = try UploadBench.online(passages: 2)
    bench.answerPush(.failure(.rejected))
    #expect(bench.rows[1]?.status == .failed)
    #expect(bench.rows[1]?.isPermanent == true)
    #expect(bench.pushed.map(\.clientID) == [bench.rows[2]?.upload.passage.clientID])
    bench.take()
    bench.goOffline()
    bench.goOnline()
    #expect(bench.push == nil, "only a person takes it up again")
  }

  @Test func whatRefersToSomethingUnknownWaitsAndTheRestGoes() throws {
    var bench = try UploadBench.online(passages: 2)
    bench.answerPush(.failure(.reference))
    bench.pass(.seconds(3))
    #expect(bench.rows[1]?.status == .inFlight, "the server is asked for its names first")
    bench.answerDirectory()
    #expect(bench.rows[1]?.status == .pending)
    bench.pass(.seconds(3))
    #expect(bench.pushed.map(\.clientID) == [bench.rows[2]?.upload.passage.clientID])
    bench.take()
    bench.pass(.seconds(600))
    #expect(bench.pushed.map(\.clientID) == [bench.rows[1]?.upload.passage.clientID])
  }

  @Test func aPhotographGoesWhenNoPassageIsDue() throws {
    var bench = UploadBench()
    let passage = try bench.record()
    let photo = try bench.record(kind: .photo, of: bench.rows[passage]?.upload.passage)
    bench.rows[photo]?.upload.serverID = "row"
    bench.rows[photo]?.upload.photo = StoredPhoto(
      path: "p.jpg", count: 9, contentType: "image/jpeg")
    bench.goOnline()
    let isPhoto: (ServerCall) -> Bool = { if case .upload = $0 { true } else { false } }
    #expect(!bench.asked.contains { isPhoto($0.call) })
    bench.take()
    #expect(bench.asked.contains { isPhoto($0.call) })
    try bench.record()
    #expect(bench.pushed.count == 1, "a photograph on its way keeps no passage back")
    bench.answer(where: isPhoto, .success(.done))
    let client = try #require(bench.rows[passage]?.upload.passage.clientID)
    bench.answer(
      where: { $0 == .namePhoto(client, path: "row.jpg") },
      .success(.stored([UploadBench.stored(try #require(bench.rows[passage]).upload.passage)])))
    #expect(bench.rows[photo]?.status == .synced)
  }
}

/// The end of the service.
@Suite struct UploadStopTests {
  @Test func whatIsDueStillGoesBeforeTheEnd() throws {
    var bench = try UploadBench.online(passages: 3)
    bench.tell(.stopping)
    #expect(bench.core.isSending)
    for _ in 0..<5 where bench.push != nil { bench.take() }
    #expect(bench.count(.synced) == 3)
    #expect(!bench.core.isSending, "nothing is left to wait for")
  }

  @Test func withoutALineItEndsAtOnce() throws {
    var bench = UploadBench()
    try bench.record()
    bench.tell(.stopping)
    #expect(!bench.core.isSending)
  }

  @Test func aServerThatDoesNotAnswerHoldsTheEndUpForAMomentOnly() throws {
    var bench = try UploadBench.online(passages: 3)
    bench.tell(.stopping)
    bench.pass(.seconds(11))
    bench.answerPush(.failure(.silence))
    #expect(bench.push == nil, "nothing new is begun")
    #expect(!bench.core.isSending)
    try bench.record()
    #expect(bench.push == nil)
  }
}
