import Passages
import Testing
import Time

@testable import NodeCore

/// What calls other than probes say of the line.
@Suite struct EvidenceTests {
  private var now = BootInstant.seconds(10_000)
  private var line = Connectivity(rules: .withServer, seed: 1)
  private var nextID: CallID = 0

  private static let stored = ServerReply(.success(.stored([])))
  private static let done = ServerReply(.success(.done))

  private static func failed(_ kind: ServerFailure.Kind) -> ServerReply {
    ServerReply(.failure(ServerFailure(kind, words: "as it failed")))
  }

  private var state: ConnectivityState { line.state(at: now) }
  private var outage: ConnectivityState { .offline(.outage(.noAnswer, words: "as it failed")) }

  private mutating func begin(_ call: ServerCall) -> CallID {
    nextID += 1
    line.callBegan(nextID, call, at: now)
    return nextID
  }

  private mutating func call(_ call: ServerCall, _ reply: ServerReply) {
    line.callEnded(begin(call), reply, at: now)
  }

  private mutating func pass(_ seconds: Int64) { now = now + .seconds(seconds) }

  /// Lets time pass with every probe that is due answered so; returns how many there were.
  @discardableResult
  private mutating func pass(_ seconds: Int64, probes reply: ServerReply) -> Int {
    let end = now + .seconds(seconds)
    var count = 0
    while let next = line.nextDeadline, next <= end {
      now = max(now, next)
      if line.advance(at: now) {
        count += 1
        call(.probe, reply)
      }
    }
    now = end
    return count
  }

  private mutating func goOnline() {
    line.linkChanged(.up, at: now)
    pass(0, probes: Self.done)
  }

  @Test mutating func anyAnswerIsConnectivity() {
    line.linkChanged(.up, at: now)
    #expect(state == .unknown)
    #expect(!line.mayCall(at: now))
    call(.push([]), Self.stored)
    #expect(state == .online)
    #expect(line.mayCall(at: now))
  }

  @Test mutating func anOutageIsNotBelievedAfterASleep() {
    line.linkChanged(.up, at: now)
    pass(3_600, probes: Self.failed(.outage(.noAnswer)))
    #expect(state == outage)
    #expect(line.textsMayLeave(at: now) == .open)
    // The machine slept, or could not write: no probe was sent, and the line may be back.
    pass(3_600)
    #expect(line.textsMayLeave(at: now) == .closed)
    let isAsked = line.advance(at: now)
    #expect(isAsked)
    call(.probe, Self.failed(.outage(.noAnswer)))
    #expect(line.textsMayLeave(at: now) == .open, "it has been away all the time")
  }

  @Test mutating func callsTakeThePlaceOfProbes() {
    goOnline()
    for _ in 0..<60 {
      pass(10)
      call(.push([]), Self.stored)
      let isDue = line.advance(at: now)
      #expect(!isDue, "what is known need not be asked for")
    }
    #expect(state == .online)
  }

  /// It may be that one call alone: the server has just answered others.
  @Test(arguments: [ServerFailure.Outage.noAnswer, .captivePortal])
  mutating func aCallWithoutAnAnswerIsFollowedByAProbeAtOnce(_ kind: ServerFailure.Outage) {
    goOnline()
    let push = begin(.push([]))
    pass(5)
    line.callEnded(push, Self.failed(.outage(kind)), at: now)
    #expect(state == .online)
    #expect(line.isDoubted)
    #expect(line.nextDeadline == now)
    let since = now
    let isAsked = line.advance(at: now)
    #expect(isAsked)
    pass(3)
    call(.probe, Self.failed(.outage(.noAnswer)))
    #expect(state == .offline(.outage(kind, words: "as it failed")), "what was met first is told")
    #expect(line.offlineSince == since, "it was the line from then on")
    #expect(line.reach(at: now) == .none)
    #expect(!line.isDoubted)
  }

  @Test mutating func aProbeThatIsAnsweredClearsTheLine() {
    goOnline()
    call(.push([]), Self.failed(.outage(.noAnswer)))
    #expect(line.isDoubted)
    pass(2, probes: Self.done)
    #expect(!line.isDoubted)
    #expect(state == .online)
    #expect(line.offlineSince == nil)
  }

  @Test(arguments: [ServerFailure.Outage.refused, .noName, .noRoute, .untrusted])
  mutating func aConnectionThatIsNotMadeEndsConnectivityAtOnce(_ kind: ServerFailure.Outage) {
    goOnline()
    pass(5)
    call(.push([]), Self.failed(.outage(kind)))
    #expect(state == .offline(.outage(kind, words: "as it failed")))
    #expect(line.offlineSince == now)
  }

  @Test mutating func whatAnOlderCallMetSaysNothingAfterAnAnswer() {
    goOnline()
    let photo = begin(.namePhoto(id, path: "a.jpg"))
    pass(30, probes: Self.done)
    line.callEnded(photo, Self.failed(.outage(.noAnswer)), at: now)
    #expect(state == .online, "small questions get through while a photograph hangs")
    #expect(line.offlineSince == nil)
  }

  @Test mutating func severalCallsThatFailTogetherAreOneFailure() {
    goOnline()
    let calls = (0..<4).map { _ in begin(.readBack([])) }
    pass(2)
    for id in calls { line.callEnded(id, Self.failed(.outage(.refused)), at: now) }
    let probe = line.nextDeadline.map { $0 - now } ?? .zero
    #expect(probe >= .seconds(4) && probe <= .seconds(6))
  }

  @Test(arguments: [
    ServerFailure.Outage.noLink, .noRoute, .noName, .untrusted, .captivePortal, .refused, .noAnswer,
    .cannotAsk,
  ])
  mutating func everyOutageIsOne(_ kind: ServerFailure.Outage) {
    goOnline()
    pass(1)
    call(.probe, Self.failed(.outage(kind)))
    #expect(state == .offline(.outage(kind, words: "as it failed")))
    #expect(
      line.textsMayLeave(at: now) == .opens(at: now + .seconds(300) + .nanoseconds(1)))
  }

  @Test(arguments: [
    ServerFailure.Kind.duplicate, .reference, .denied, .rejected, .absent,
  ])
  mutating func anAnswerAboutWhatWasAskedIsConnectivity(_ kind: ServerFailure.Kind) {
    line.linkChanged(.up, at: now)
    call(.push([]), Self.failed(kind))
    #expect(state == .online)
    #expect(line.serverDownSince == nil)
  }

  @Test mutating func aCredentialToRenewIsNoOutage() {
    goOnline()
    call(.push([]), Self.failed(.credential))
    #expect(state == .impaired(.credential))
    #expect(line.offlineSince == nil)
    #expect(line.reach(at: now) == .impaired, "a session may be asked for")
    let session = GrantedSession(
      accessToken: Token("a"), refreshToken: Token("r"), lasts: .seconds(3_600), userID: "u")
    call(.signIn(.password), ServerReply(.success(.session(session))))
    #expect(state == .online)
  }

  /// Without a session no answer says that what is shown is right again but that of a passage: once the server answers
  /// other calls, one is tried, whether a file was written anew or not.
  @Test(arguments: [false, true])
  mutating func whatIsShownIsTriedAgainOnceTheServerAnswers(_ isWrittenAnew: Bool) {
    goOnline()
    call(.push([]), Self.failed(.credential))
    #expect(!line.mayCall(at: now))
    pass(60, probes: Self.failed(.credential))
    #expect(!line.mayCall(at: now))
    if isWrittenAnew { line.changeRules(.withServer, at: now) }
    pass(60, probes: Self.done)
    #expect(line.mayCall(at: now))
    call(.push([]), Self.stored)
    #expect(state == .online)
    #expect(line.serverDownSince == nil)
  }

  @Test(arguments: ServerFailure.Trouble.allCases)
  mutating func aServerThatIsThereAndTakesNothingIsNoOutage(_ trouble: ServerFailure.Trouble) {
    goOnline()
    call(.push([]), Self.failed(.trouble(trouble)))
    #expect(state == .impaired(.trouble(trouble)))
    #expect(
      line.textsMayLeave(at: now) == .opens(at: now + .seconds(1_800) + .nanoseconds(1)))
  }

  @Test mutating func textsMayBeAskedForWhileTheServerIsDown() {
    var rules = NodeRules.withServer
    rules.textsWhenServerDown = true
    line.changeRules(rules, at: now)
    goOnline()
    call(.push([]), Self.failed(.trouble(.failing)))
    #expect(
      line.textsMayLeave(at: now) == .opens(at: now + .seconds(300) + .nanoseconds(1)))
  }

  @Test mutating func aQuestionThatIsAnsweredDoesNotRefuteWhatAPassageMet() {
    goOnline()
    call(.push([]), Self.failed(.trouble(.readOnly)))
    let since = now
    pass(200, probes: Self.done)
    #expect(state == .impaired(.trouble(.readOnly)), "reading works in a read-only database")
    #expect(line.reach(at: now) == .online, "only a passage can tell that it is over")
    #expect(line.serverDownSince == since)
    call(.push([]), Self.stored)
    #expect(state == .online)
    #expect(line.serverDownSince == nil)
  }

  @Test mutating func nothingButAPassageThatIsTakenRefutesIt() {
    goOnline()
    call(.push([]), Self.failed(.trouble(.failing)))
    let since = now
    pass(400, probes: Self.done)
    #expect(state == .impaired(.trouble(.failing)))
    #expect(line.reach(at: now) == .online, "passages may be tried")
    line.linkChanged(.down, at: now)
    line.linkChanged(.up, at: now)
    pass(3, probes: Self.failed(.outage(.noAnswer)))
    pass(60, probes: Self.done)
    #expect(state == .impaired(.trouble(.failing)), "whatever the line does")
    pass(7_200, probes: Self.done)
    #expect(state == .impaired(.trouble(.failing)), "and however long it lasts")
    #expect(line.serverDownSince == since)
    #expect(line.textsMayLeave(at: now) == .open)
    now = since + .seconds(400)
    call(.push([]), Self.failed(.trouble(.failing)))
    #expect(
      line.serverDownSince == now - .seconds(400), "it is the same trouble, and goes on")
  }

  @Test mutating func aServerThatFailsForAllIsAskedForNothing() {
    goOnline()
    call(.push([]), Self.failed(.trouble(.failing)))
    #expect(line.reach(at: now) == .online)
    pass(30, probes: Self.failed(.trouble(.failing)))
    #expect(line.reach(at: now) == .impaired)
    pass(60, probes: Self.done)
    #expect(line.reach(at: now) == .online)
  }

  @Test mutating func photographsAndFunctionsAreServicesOfTheirOwn() {
    goOnline()
    call(
      .upload(PhotoPush(name: "a.jpg", path: "a.jpg", count: 3, contentType: "image/jpeg")),
      Self.failed(.trouble(.failing)))
    call(.match(entry: "a", exit: "b"), Self.failed(.trouble(.failing)))
    #expect(state == .online)
    #expect(line.serverDownSince == nil)
  }

  @Test mutating func passagesThatNeverGetAnAnswerAreToldApartFromTheLine() {
    goOnline()
    for _ in 0..<2 {
      let push = begin(.push([]))
      pass(20)
      line.callEnded(push, Self.failed(.outage(.noAnswer)), at: now)
      #expect(state == .online)
      pass(10, probes: Self.done)
    }
    #expect(state == .impaired(.unanswered))
    // The reports must get through.
    let opens = line.textsMayLeave(at: now)
    #expect(opens == .opens(at: now - .seconds(40) + .seconds(1_800) + .nanoseconds(1)))
  }

  @Test mutating func anOutageDoesNotMakeAServerThatTookNothingANewOne() {
    goOnline()
    call(.push([]), Self.failed(.trouble(.failing)))
    pass(1_700)
    line.linkChanged(.down, at: now)
    #expect(
      line.textsMayLeave(at: now) == .opens(at: now + .seconds(100) + .nanoseconds(1)),
      "sooner than after five minutes without a link")
  }

  /// Nothing was asked of it for an hour: it may have worked again for as long.
  @Test mutating func aServerThatTookNothingLongAgoHurriesNoText() {
    goOnline()
    call(.push([]), Self.failed(.trouble(.failing)))
    var memory = NodeMemory()
    memory.serverDownSince = line.serverDownSince
    memory.pushFailedAt = line.pushFailedAt
    memory.pushImpairment = line.pushImpairment
    // It was off meanwhile.
    pass(3_601)
    line = Connectivity(rules: .withServer, seed: 1)
    line.start(memory, at: now)
    line.linkChanged(.down, at: now)
    #expect(line.textsMayLeave(at: now) == .opens(at: now + .seconds(300) + .nanoseconds(1)))
  }

  @Test mutating func aRestartForgetsNothingOfIt() throws {
    goOnline()
    let pushes = try one()
    for _ in 0..<2 { call(pushes, Self.failed(.denied)) }
    var memory = NodeMemory()
    memory.serverDownSince = line.serverDownSince
    memory.pushFailedAt = line.pushFailedAt
    memory.pushImpairment = line.pushImpairment
    line = Connectivity(rules: .withServer, seed: 1)
    line.start(memory, at: now)
    #expect(state == .unknown)
    goOnline()
    #expect(state == .impaired(.takesNothing))
    call(pushes, Self.stored)
    #expect(state == .online)
    #expect(line.pushImpairment == nil)
  }

  private func one() throws -> ServerCall {
    let passage = try Passage(
      recording: Plate("BA 1 PA 1234"), vehicleType: .car, checkpost: CheckpostCode("BNP-A"),
      recordedAt: WallTime(epochSeconds: 1_790_000_000), suffix: try #require(PhoneSuffix("4567")))
    return .push([
      PassagePush(
        passage, at: ServerPlace(checkpostID: "a", segmentID: "s", rangerID: "r"))
    ])
  }

  /// One that is refused may be to blame itself; a server that refuses one after the other takes nothing.
  @Test(arguments: [ServerFailure.Kind.denied, .reference, .rejected])
  mutating func aServerThatRefusesEveryPassageIsImpaired(_ kind: ServerFailure.Kind) throws {
    goOnline()
    let pushes = try one()
    call(pushes, Self.failed(kind))
    let since = now
    #expect(state == .online)
    #expect(line.serverDownSince == nil)
    pass(90, probes: Self.done)
    call(pushes, Self.failed(kind))
    #expect(state == .impaired(.takesNothing))
    #expect(line.serverDownSince == since)
    #expect(line.reach(at: now) == .online)
    pass(1_801, probes: Self.done)
    #expect(state == .impaired(.takesNothing))
    #expect(line.textsMayLeave(at: now) == .open)
    call(pushes, Self.stored)
    #expect(state == .online)
    #expect(line.textsMayLeave(at: now) == .closed)
  }

  @Test mutating func theFirstAnswerEndsAnOutage() {
    goOnline()
    line.linkChanged(.down, at: now)
    pass(1_000)
    #expect(line.textsMayLeave(at: now) == .open)
    line.linkChanged(.up, at: now)
    #expect(line.textsMayLeave(at: now) == .closed, "the question is out")
    let asked = pass(0, probes: Self.done)
    #expect(asked == 1)
    #expect(state == .online)
    #expect(line.offlineSince == nil)
  }

  @Test mutating func aLinkThatComesBackToNothingGoesOnBeingAnOutage() {
    goOnline()
    line.linkChanged(.down, at: now)
    let since = now
    pass(200)
    line.linkChanged(.up, at: now)
    pass(200, probes: Self.failed(.outage(.noName)))
    #expect(line.offlineSince == since)
    #expect(line.textsMayLeave(at: now) == .open)
  }

  @Test mutating func anotherInterfaceIsAnotherWay() {
    line.linkChanged(LinkState(interface: "eth0"), at: now)
    pass(0, probes: Self.done)
    let push = begin(.push([]))
    pass(10)
    line.linkChanged(LinkState(interface: "wwan0"), at: now)
    #expect(state == .unknown)
    line.callEnded(push, Self.failed(.outage(.noAnswer)), at: now)
    #expect(state == .unknown, "what went over the old way says nothing of this one")
    let asked = pass(0, probes: Self.done)
    #expect(asked == 1, "it is asked over at once")
    #expect(state == .online)
  }

  @Test mutating func whatElseIsKnownOfTheWayAsksNothing() {
    line.linkChanged(LinkState(interface: "wwan0"), at: now)
    pass(0, probes: Self.done)
    var metered = LinkState(interface: "wwan0")
    metered.isMetered = true
    line.linkChanged(metered, at: now)
    #expect(state == .online)
    #expect(line.link?.isMetered == true)
  }

  @Test func photographsWaitForABetterWay() {
    var rules = SyncRules()
    var link = LinkState(interface: "wwan0")
    link.isMetered = true
    #expect(rules.takesPhotos(over: link))
    rules.photosWhenMetered = false
    #expect(!rules.takesPhotos(over: link))
    link.isMetered = false
    link.batteryPercent = 20
    #expect(rules.takesPhotos(over: link))
    link.batteryPercent = 15
    #expect(!rules.takesPhotos(over: link))
  }

  @Test mutating func noRouteAndNoLinkAreToldApart() {
    line.linkChanged(LinkState(lack: .route), at: now)
    #expect(state == .offline(.outage(.noRoute, words: "no network route")))
    line.linkChanged(.down, at: now)
    #expect(state == .offline(.outage(.noLink, words: "no network link")))
  }

  @Test(arguments: [1, 3, 10, 100])
  mutating func aLinkThatComesAndGoesMakesNoBusyLoop(_ milliseconds: Int64) {
    let end = now + .seconds(600)
    var probes: [BootInstant] = []
    var isUp = false
    var flips = 0
    while now < end, flips < 100_000 {
      isUp.toggle()
      flips += 1
      line.linkChanged(isUp ? .up : .down, at: now)
      let until = now + .milliseconds(milliseconds * 10)
      while let next = line.nextDeadline, next <= until {
        now = max(now, next)
        if line.advance(at: now) {
          probes.append(now)
          call(.probe, Self.failed(.outage(.noRoute)))
        }
      }
      now = until
    }
    let pauses = zip(probes.dropFirst(), probes).map { $0 - $1 }
    #expect(pauses.allSatisfy { $0 >= .seconds(1) })
    #expect(probes.count < 200)
    #expect(line.offlineSince == .seconds(10_000))
  }

  @Test mutating func aServerThatAsksForAPauseIsNotProbedBeforeItsEnd() {
    goOnline()
    let failure = ServerFailure(
      .trouble(.busy), words: "HTTP 429", retryAfter: .seconds(120))
    call(.push([]), ServerReply(.failure(failure)))
    let begun = now
    while let next = line.nextDeadline {
      now = next
      if line.advance(at: now) { break }
    }
    #expect(now - begun >= .seconds(120))
  }

  private var id: ClientID {
    ClientID(random: 1, 2)
  }
}
