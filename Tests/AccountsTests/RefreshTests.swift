import Accounts
import SeededRandom
import Testing
import Time

@Suite("A refresh token")
struct RefreshTests {
  private let rules = SessionRules()
  private let nonce: [UInt8] = [1, 2, 3]

  private func decide(
    _ session: Session?, _ generation: Int, account: Account?, after: Duration = .seconds(60)
  ) -> RefreshDecision {
    RefreshDecision(
      session: session, generation: generation, account: account, nonce: nonce, rules: rules,
      at: Example.now + after)
  }

  @Test("that is active gives the next one, by new random bytes")
  func rotates() throws {
    var next = Example.session(generation: 4)
    let decision = decide(next, 4, account: try Example.account())
    next.generation = 5
    next.nonce = nonce
    next.refreshedAt = Example.now + .seconds(60)
    #expect(decision == .rotate(next))
  }

  /// Another program wrote them.
  @Test("of the last number that there is, or far from the session's, is refused")
  func numbersOfOthers() throws {
    let last = Example.session(generation: .max)
    #expect(decide(last, .max, account: try Example.account()) == .refuse(.sessionExpired))
    guard case .end = decide(last, .min, account: try Example.account()) else {
      Issue.record("it is not an old one")
      return
    }
  }

  @Test("whose answer was lost gives the active one again, however often")
  func again() throws {
    var session = Example.session(generation: 4)
    session.nonce = [9]
    for times in 1...3 {
      let decision = decide(session, 3, account: try Example.account(), after: .seconds(times))
      guard case .again(let kept) = decision else {
        Issue.record("it gave \(decision)")
        return
      }
      #expect(kept.generation == 4)
      #expect(kept.nonce == [9])
      session = kept
    }
  }

  @Test("whose child was used ends the whole session: its owner has the next")
  func lockStep() throws {
    var session = Example.session(generation: 4)
    session.nonce = [9]
    // One that came with an older token, or of which nobody knows with which, says nothing.
    for generation in [nil, 3, 5] {
      let isNew = session.wasUsed(generation)
      #expect(!isNew)
    }
    guard case .again = decide(session, 3, account: try Example.account()) else {
      Issue.record("it does not count")
      return
    }
    let isNew = session.wasUsed(4)
    #expect(isNew)
    let isNewAgain = session.wasUsed(4)
    #expect(!isNewAgain)
    guard case .end(let ended, .tokenUsed) = decide(session, 3, account: try Example.account())
    else {
      Issue.record("it counts")
      return
    }
    #expect(ended.end == .replayed)
    // The active one goes on.
    guard case .rotate(let next) = decide(session, 4, account: try Example.account()) else {
      Issue.record("the active one does not count")
      return
    }
    #expect(next.nonce == nonce)
  }

  @Test("that was used up before that ends the whole session", arguments: [0, 1, 2, 5, -1])
  func replay(generation: Int) throws {
    let decision = decide(
      Example.session(generation: 4), generation, account: try Example.account())
    var ended = Example.session(generation: 4, end: .replayed)
    ended.endedAt = Example.now + .seconds(60)
    #expect(decision == .end(ended, .tokenUsed))
  }

  @Test(
    "that was used up ends the session also of an account that is disabled, and of one that ran out"
  )
  func replayOfNothing() throws {
    for (account, after) in [
      (try Example.account(isActive: false), Duration.seconds(60)),
      (try Example.account(), .seconds(400 * 86_400)),
    ] {
      let decision = decide(Example.session(generation: 4), 1, account: account, after: after)
      guard case .end(let session, .tokenUsed) = decision else {
        Issue.record("it gave \(decision)")
        return
      }
      #expect(session.end == .replayed)
    }
  }

  @Test("of an ended session gives nothing, and says no more than that")
  func ended() throws {
    let account = try Example.account()
    for end in Session.End.allCases {
      let decision = decide(Example.session(generation: 4, end: end), 4, account: account)
      #expect(decision == .refuse(end == .replayed ? .tokenUsed : .tokenNotFound))
    }
    #expect(decide(nil, 0, account: account) == .refuse(.tokenNotFound))
    #expect(decide(Example.session(), 0, account: nil) == .refuse(.tokenNotFound))
    var other = account
    other.id = AccountID(random: 2, 2)
    #expect(decide(Example.session(), 0, account: other) == .refuse(.tokenNotFound))
  }

  @Test("of an account that is disabled gives nothing until it is enabled again")
  func disabled() throws {
    #expect(
      decide(Example.session(), 0, account: try Example.account(isActive: false))
        == .refuse(.banned))
    guard case .rotate = decide(Example.session(), 0, account: try Example.account()) else {
      Issue.record("it does not count after all")
      return
    }
  }

  @Test("runs out with its session: unused for 90 days, or a year after the sign-in")
  func runsOut() throws {
    let account = try Example.account()
    func isRefused(_ session: Session, _ after: Duration) -> Bool {
      decide(session, 0, account: account, after: after) == .refuse(.sessionExpired)
    }
    #expect(!isRefused(Example.session(), .seconds(90 * 86_400)))
    #expect(isRefused(Example.session(), .seconds(90 * 86_400 + 1)))
    var used = Example.session()
    used.refreshedAt = Example.now + .seconds(300 * 86_400)
    #expect(!isRefused(used, .seconds(365 * 86_400)))
    #expect(isRefused(used, .seconds(365 * 86_400 + 1)))
  }

  @Test("outlives a clock that jumps ahead for a while, and one that jumps back")
  func jumps() throws {
    let account = try Example.account()
    // Two years ahead: it is refused, and nothing is written down.
    #expect(
      decide(Example.session(), 0, account: account, after: .seconds(730 * 86_400))
        == .refuse(.sessionExpired))
    // To 1970, and used there.
    let decision = RefreshDecision(
      session: Example.session(), generation: 0, account: account, nonce: nonce, rules: rules,
      at: WallTime(epochSeconds: 60))
    guard case .rotate(let session) = decision else {
      Issue.record("it gave \(decision)")
      return
    }
    #expect(session.createdAt == WallTime(epochSeconds: 60))
    // What was begun two years ahead does not live two years longer.
    var early = Example.session()
    early.createdAt = Example.now + .seconds(730 * 86_400)
    early.refreshedAt = early.createdAt
    guard case .rotate(let mended) = decide(early, 0, account: account) else {
      Issue.record("it gave nothing")
      return
    }
    #expect(mended.createdAt == Example.now + .seconds(60))
    #expect(mended.refreshedAt == Example.now + .seconds(60))
  }

  @Test(
    "in any story: whoever shows the active one or its parent goes on, and any older one ends it")
  func stories() throws {
    let account = try Example.account()
    var random = SplitMix64(seed: 13)
    for _ in 0..<500 {
      var session = Example.session()
      for step in 0..<40 {
        let shown = Int(random.next() % 4)
        let generation = session.generation - shown
        guard generation >= 0 else { continue }
        let decision = decide(session, generation, account: account, after: .seconds(step))
        switch (shown, decision) {
        case (0, .rotate(let next)):
          #expect(next.generation == session.generation + 1)
          session = next
        case (1, .again(let next)):
          #expect(next.generation == session.generation)
          session = next
        case (_, .end(let next, .tokenUsed)):
          #expect(shown >= 2)
          #expect(decide(next, next.generation, account: account) == .refuse(.tokenUsed))
          session = Example.session()
        default:
          Issue.record("generation \(session.generation) - \(shown) gave \(decision)")
        }
      }
    }
  }
}
