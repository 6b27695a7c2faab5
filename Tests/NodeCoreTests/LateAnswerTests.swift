import Testing
import Time

@testable import NodeCore

/// What an answer says that is taken only after the way it came by was lost: the server gave it while the
/// way was there, and perhaps a full disk kept it from being taken.
@Suite struct LateAnswerTests {
  private var now = BootInstant.seconds(10_000)
  private var line = Connectivity(rules: .withServer, seed: 1)
  private var lastID: CallID = 0

  private static func failed(_ kind: ServerFailure.Kind) -> ServerReply {
    ServerReply(.failure(ServerFailure(kind, words: "as it failed")))
  }

  private mutating func begin(_ call: ServerCall) -> CallID {
    lastID += 1
    line.callBegan(lastID, call, at: now)
    return lastID
  }

  private mutating func call(_ call: ServerCall, _ reply: ServerReply) {
    line.callEnded(begin(call), reply, at: now)
  }

  private mutating func pass(_ seconds: Int64) { now = now + .seconds(seconds) }

  /// The line was away for almost as long as texts wait, came, and went with a question on its way.
  ///
  /// - Returns: since when it was away first, when it went again, and the question.
  private mutating func askAsTheLineGoes() -> (
    absent: BootInstant, wayLost: BootInstant, question: CallID
  ) {
    line.linkChanged(.up, at: now)
    call(.probe, .done)
    line.linkChanged(.down, at: now)
    let absent = now
    pass(290)
    line.linkChanged(.up, at: now)
    let question = begin(.probe)
    pass(5)
    line.linkChanged(.down, at: now)
    let wayLost = now
    pass(5)
    return (absent, wayLost, question)
  }

  @Test(arguments: [
    nil, ServerFailure.Kind.absent, .credential, .trouble(.failing),
  ])
  mutating func itEndedTheAbsenceBefore(_ failure: ServerFailure.Kind?) {
    let (_, wayLost, question) = askAsTheLineGoes()
    line.callEnded(question, failure.map { Self.failed($0) } ?? .done, at: now)
    #expect(line.offlineSince == wayLost)
    #expect(line.textsMayLeave(at: now) == .opens(at: wayLost + .seconds(300) + .nanoseconds(1)))
    #expect(
      line.state(at: now) == .offline(.outage(.noLink, words: "no network link")),
      "of the way that is there now it says nothing")
  }

  @Test mutating func whatNobodyAnsweredEndsNoAbsence() {
    let (absent, _, question) = askAsTheLineGoes()
    line.callEnded(question, Self.failed(.outage(.noAnswer)), at: now)
    #expect(line.offlineSince == absent)
  }

  @Test mutating func overALineThatIsBackItIsTheSame() {
    let (_, wayLost, question) = askAsTheLineGoes()
    line.linkChanged(.up, at: now)
    line.callEnded(question, .done, at: now)
    #expect(line.offlineSince == wayLost)
    #expect(line.state(at: now) == .unknown, "nothing came over this way")
  }

  @Test mutating func whatAnotherServerAnsweredEndsNoAbsence() {
    let (absent, _, question) = askAsTheLineGoes()
    line.changeRules(.withServer, at: now)
    line.callEnded(question, .done, at: now)
    #expect(line.offlineSince == absent)
  }

  @Test mutating func aPassageThatWasTakenTellsThatTheServerTakesThem() {
    line.linkChanged(.up, at: now)
    call(.push([]), Self.failed(.trouble(.failing)))
    pass(1_801)
    let push = begin(.push([]))
    line.linkChanged(.down, at: now)
    #expect(line.textsMayLeave(at: now) == .open)
    line.callEnded(push, ServerReply(.success(.stored([]))), at: now)
    #expect(line.serverDownSince == nil)
    #expect(line.textsMayLeave(at: now) == .opens(at: now + .seconds(300) + .nanoseconds(1)))
  }

  @Test mutating func aQuestionThatWasAnsweredRefutesOnlyWhatQuestionsMet() {
    line.linkChanged(.up, at: now)
    call(.probe, Self.failed(.trouble(.failing)))
    var question = begin(.probe)
    line.linkChanged(.down, at: now)
    line.callEnded(question, .done, at: now)
    #expect(line.serverDownSince == nil)
    line.linkChanged(.up, at: now)
    call(.push([]), Self.failed(.trouble(.failing)))
    question = begin(.probe)
    line.linkChanged(.down, at: now)
    line.callEnded(question, .done, at: now)
    #expect(line.serverDownSince != nil)
  }
}
