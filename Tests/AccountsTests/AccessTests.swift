import Accounts
import Passages
import Testing
import Time

@Suite("Who makes a request")
struct AccessTests {
  private let now = Example.now

  private func claims(
    session: String = Example.session().id, subject: AccountID = Example.id
  ) -> TokenClaims {
    TokenClaims(
      subject: subject, session: session, email: "sita@bnp.local", issuer: "central",
      issuedAt: now.epochSeconds, expiresAt: now.epochSeconds + 1_800)
  }

  private func refusal(_ shown: ShownCredentials) -> AccessRefusal? {
    do throws(AccessRefusal) {
      _ = try shown.principal(at: now)
      return nil
    } catch {
      return error
    }
  }

  private func holder(
    _ account: Account, _ session: Session = Example.session()
  ) -> ShownCredentials.Holder {
    ShownCredentials.Holder(session: session, account: account, segment: "Banke")
  }

  @Test("is whoever signed in, with the role, post and segment that the account has now")
  func token() throws {
    for (role, expected) in [
      (Account.Role.ranger, Principal.Role.ranger), (.admin, .admin), (.service, .service),
    ] {
      let shown = ShownCredentials(
        key: .known(try Example.key(.anonymous), segment: nil),
        token: .known(claims(), holder(try Example.account(role))))
      let principal = try shown.principal(at: now)
      #expect(principal.role == expected)
      #expect(principal.account == Example.id)
      #expect(principal.proof == .session(Example.session().id))
      #expect(principal.post == (role == .ranger ? try CheckpostCode("BNP-A") : nil))
    }
  }

  @Test("is the key's role where no token is shown, in either header")
  func key() throws {
    for (role, post, expected) in [
      (APIKey.Role.anonymous, nil, Principal.Role.anonymous), (.post, "BNP-A", .post),
      (.service, nil, .service),
    ] {
      let key = ShownCredentials.Key.known(try Example.key(role, post: post), segment: "Banke")
      for shown in [
        ShownCredentials(key: key), ShownCredentials(bearerKey: key),
        ShownCredentials(key: key, bearerKey: key),
      ] {
        let principal = try shown.principal(at: now)
        #expect(principal.role == expected)
        #expect(principal.proof == .key("k3v9x2ab"))
        #expect(principal.post?.code == post)
        #expect(principal.account == nil)
      }
    }
    // What stands as bearer says who it is.
    let shown = ShownCredentials(
      key: .known(try Example.key(.anonymous), segment: nil),
      bearerKey: .known(try Example.key(.service), segment: nil))
    #expect(try shown.principal(at: now).role == .service)
  }

  @Test("is nobody without key and token, and with a wrong key whatever else is right")
  func wrongKey() throws {
    #expect(refusal(ShownCredentials()) == .noCredentials)
    let token = ShownCredentials.Token.known(claims(), holder(try Example.account()))
    #expect(refusal(ShownCredentials(token: token)) == nil)
    let wrong: [ShownCredentials.Key] = [
      .unknown, .known(try Example.key(.service, revoked: now), segment: nil),
      .known(try Example.key(.service, revoked: now + .seconds(60)), segment: nil),
      .known(try Example.key(.service, until: now), segment: nil),
      .known(try Example.key(.service, from: now + .seconds(1)), segment: nil),
      .known(try Example.key(.post), segment: nil),
    ]
    for key in wrong {
      #expect(refusal(ShownCredentials(key: key)) == .invalidKey)
      #expect(refusal(ShownCredentials(key: key, token: token)) == .invalidKey)
      #expect(refusal(ShownCredentials(bearerKey: key)) == .invalidKey)
    }
    let valid = try Example.key(.service, from: now, until: now + .seconds(1))
    #expect(refusal(ShownCredentials(key: .known(valid, segment: nil))) == nil)
  }

  @Test("is nobody with a token whose session or account does not count any more")
  func ended() throws {
    let account = try Example.account()
    var other = Example.session()
    other.account = AccountID(random: 3, 3)
    var another = account
    another.id = AccountID(random: 3, 3)
    let holders: [ShownCredentials.Holder?] = [
      nil, holder(account, Example.session(end: .signedOut)),
      holder(account, Example.session(end: .replayed)), holder(account, other), holder(another),
      holder(try Example.account(isActive: false)),
    ]
    for holder in holders {
      #expect(refusal(ShownCredentials(token: .known(claims(), holder))) == .sessionEnded)
    }
    #expect(
      refusal(ShownCredentials(token: .known(claims(session: "other"), holder(account))))
        == .sessionEnded)
    // No key makes up for it.
    let service = ShownCredentials.Key.known(try Example.key(.service), segment: nil)
    #expect(refusal(ShownCredentials(key: service, token: .known(claims(), nil))) == .sessionEnded)
    #expect(
      refusal(ShownCredentials(key: service, token: .faulty(.expired)))
        == AccessRefusal(.expired))
  }

  @Test("is told in PostgREST's words")
  func words() throws {
    #expect(AccessRefusal(.notOurs).code == "PGRST301")
    for fault in [TokenFault.expired, .issuedAtFuture, .notYetValid, .otherAudience] {
      let refusal = AccessRefusal(fault)
      #expect(refusal.code == "PGRST303")
      #expect(refusal.status == 401)
      #expect(
        refusal.challenge
          == "Bearer error=\"invalid_token\", error_description=\"\(refusal.message)\"")
    }
    #expect(AccessRefusal(.expired).message == "JWT expired")
    #expect(AccessRefusal(.issuedAtFuture).message == "JWT issued at future")
    #expect(AccessRefusal.anonymous.code == "PGRST302")
    #expect(Principal.Role.allCases.map(\.inDatabase).count == 5)
  }
}

@Suite("What an access token says")
struct TokenClaimsTests {
  private func fault(_ after: Int64, _ change: (inout TokenClaims) -> Void = { _ in }) throws
    -> TokenFault?
  {
    var claims = TokenClaims(
      try Example.account(), session: Example.session(), issuer: "central", rules: SessionRules(),
      at: Example.now)
    change(&claims)
    return claims.fault(issuer: "central", at: Example.now + .seconds(after))
  }

  @Test("counts for half an hour, and 30 seconds more where clocks differ")
  func time() throws {
    #expect(try fault(0) == nil)
    #expect(try fault(1_830) == nil)
    #expect(try fault(1_831) == .expired)
    #expect(try fault(400 * 86_400) == .expired)
    #expect(try fault(-30) == nil)
    #expect(try fault(-31) == .issuedAtFuture)
    #expect(try fault(0) { $0.notBefore = Example.now.epochSeconds + 31 } == .notYetValid)
    #expect(try fault(0) { $0.notBefore = Example.now.epochSeconds + 30 } == nil)
  }

  @Test("is reckoned without a trap at the ends of time")
  func ends() throws {
    #expect(try fault(0) { $0.expiresAt = .max } == nil)
    #expect(try fault(0) { $0.expiresAt = .min } == .expired)
    #expect(try fault(0) { $0.issuedAt = .max } == .issuedAtFuture)
    #expect(try fault(0) { $0.issuedAt = .min } == nil)
    #expect(try fault(0) { $0.notBefore = .max } == .notYetValid)
  }

  @Test("has to be for us, of us, and of a person")
  func ours() throws {
    #expect(try fault(0) { $0.audiences = ["other"] } == .otherAudience)
    #expect(try fault(0) { $0.audiences = [] } == .otherAudience)
    #expect(try fault(0) { $0.audiences = ["other", "authenticated"] } == nil)
    #expect(try fault(0) { $0.issuer = "elsewhere" } == .notOurs)
    #expect(try fault(0) { $0.role = "service_role" } == .notOurs)
  }
}
