import Accounts
import Events
import Storage
import Synchronization
import Time
import Tokens

/// What somebody gets who signed in.
struct GrantedTokens: Sendable {
  var accessToken: String
  var refreshToken: String
  var claims: TokenClaims
  var account: Account
}

/// The grants of GoTrue.
extension AccountDesk {
  /// Signs in with a name and a password.
  func signIn(
    _ name: String, password: String, address: String?
  ) async throws(GrantRefusal) -> GrantedTokens {
    let settings = settings
    let login = LoginName(name, domain: settings.domain)
    // What is no name counts as one name that nobody has.
    let attempt: SignInGate.Attempt
    do throws(GrantRefusal) {
      attempt = try begin(name: login?.address ?? "", address)
    } catch {
      guard await learnHomes() else { throw error }
      attempt = try begin(name: login?.address ?? "", address)
    }
    guard PasswordRule.isBounded(password) else { throw .invalidCredentials }
    let found = await work { store throws(StorageError) in
      guard let login else { return Found() }
      return try store.readAccounts { rows throws(StorageError) in
        guard let account = try rows.account(login: login) else { return Found() }
        return Found(account: account, password: try rows.password(of: account.id))
      }
    }
    guard let found else {
      abandon(attempt)
      throw .unavailable
    }
    let answer = await hasher.compare(password, with: found.password)
    guard answer != .busy else {
      abandon(attempt)
      throw .tooMany(retryAfter: Limits.hashingRetrySeconds)
    }
    let account: Account
    do throws(GrantRefusal) {
      account = try PasswordDecision.account(found.account, passwordMatches: answer == .right)
    } catch {
      await refused(found.account, error, address)
      throw error
    }
    let tokens = try await begin(account, found.password, settings, address, attempt)
    gate.withLock { $0.succeeded(attempt, at: clocks.boot()) }
    tell("account_signed_in", .info, account.id, "signed in")
    return tokens
  }

  private struct Found: Sendable {
    var account: Account?
    var password: String?
  }

  private func begin(name: String?, _ address: String?) throws(GrantRefusal) -> SignInGate.Attempt {
    let answer = gate.withLock { $0.begin(name: name, address: address, at: clocks.boot()) }
    switch answer {
    case .goOn(let attempt): return attempt
    case .wait(let time):
      refusals.record(
        "sign_in_slowed", .warning,
        "a sign-in\(AccountDesk.origin(address)) has to wait after too many that were wrong")
      throw .tooMany(retryAfter: Int(time.wholeSeconds) + 1)
    }
  }

  /// Tells the gate where names signed in before this start, once: when somebody is made to wait first.
  ///
  /// - Returns: Whether it knows more now.
  private func learnHomes() async -> Bool {
    let isFirst = hasLearntHomes.withLock { hasLearnt in
      defer { hasLearnt = true }
      return !hasLearnt
    }
    guard isFirst else { return false }
    let since = clocks.wall() - SignInGate.Rules().rememberedFor
    let homes = await work { store throws(StorageError) in
      try store.readAccounts { rows throws(StorageError) in
        var logins: [AccountID: String] = [:]
        for account in try rows.accounts() { logins[account.id] = account.login.address }
        return try rows.audit(limit: Limits.signInsLookedAt).compactMap { entry -> Home? in
          guard entry.kind == .signedIn, entry.at >= since, let address = entry.address,
            let login = entry.account.flatMap({ logins[$0] })
          else { return nil }
          return Home(name: login, address: address)
        }
      }
    }
    guard let homes, !homes.isEmpty else { return false }
    gate.withLock { gate in
      for home in homes { gate.signsIn(home.name, at: home.address, clocks.boot()) }
    }
    return true
  }

  /// A name, and an address where it signed in.
  private struct Home: Sendable {
    var name: String
    var address: String
  }

  private func abandon(_ attempt: SignInGate.Attempt) {
    gate.withLock { $0.abandoned(attempt) }
  }

  private func refused(_ account: Account?, _ refusal: GrantRefusal, _ address: String?) async {
    refusals.record(
      "sign_in_refused", .warning,
      "a sign-in\(AccountDesk.origin(address)) was refused (\(refusal.code))")
    // Also where nobody has that name: the time that it takes would tell.
    let entry = AuditEntry(
      at: clocks.wall(), .signInRefused, account: account?.id, address: address,
      detail: refusal.code)
    _ = await work { store throws(StorageError) in
      try store.accountTransaction { rows throws(StorageError) in try rows.record(entry) }
    }
  }

  /// Begins a session, unless the account changed while its password was looked at.
  private func begin(
    _ account: Account, _ password: String?, _ settings: AccountSettings, _ address: String?,
    _ attempt: SignInGate.Attempt
  ) async throws(GrantRefusal) -> GrantedTokens {
    let now = clocks.wall()
    let token = RefreshToken.first()
    let session = Session(id: AccountDesk.newID().text, account: account.id, createdAt: now)
    let entry = AuditEntry(at: now, .signedIn, account: account.id, address: address)
    let isKept = await work { store throws(StorageError) in
      try store.accountTransaction { rows throws(StorageError) in
        guard try rows.account(account.id)?.isActive == true,
          try rows.password(of: account.id) == password
        else { return false }
        try rows.keep(session, token: TokenDigest(of: token))
        try rows.record(entry)
        try rows.forgetSessions(unusedFor: settings.sessions.inactivity * 2, at: now)
        return true
      }
    }
    guard let isKept else {
      abandon(attempt)
      throw .unavailable
    }
    guard isKept else { throw .invalidCredentials }
    return try await tokens(account, session, token, settings, at: now)
  }

  private func tokens(
    _ account: Account, _ session: Session, _ refreshToken: String, _ settings: AccountSettings,
    at now: WallTime
  ) async throws(GrantRefusal) -> GrantedTokens {
    let claims = TokenClaims(
      account, session: session, issuer: settings.issuer, rules: settings.sessions, at: now)
    guard let token = await settings.keys.token(claims) else { throw .unavailable }
    return GrantedTokens(
      accessToken: token, refreshToken: refreshToken, claims: claims, account: account)
  }

  /// Gives the next tokens for a refresh token.
  func refresh(_ token: String, address: String?) async throws(GrantRefusal) -> GrantedTokens {
    guard !token.isEmpty else { throw .invalid("refresh_token required") }
    let settings = settings
    let attempt = try begin(name: nil, address)
    let now = clocks.wall()
    let nonce = RefreshToken.nonce()
    let digest = TokenDigest(of: token)
    let outcome = await work { store throws(StorageError) in
      try store.accountTransaction { rows throws(StorageError) in
        let found = try rows.session(token: digest)
        let account = try found.flatMap { found throws(StorageError) in
          try rows.account(found.session.account)
        }
        let decision = RefreshDecision(
          session: found?.session, generation: found?.generation ?? 0, account: account,
          nonce: nonce, rules: settings.sessions, at: now)
        return Renewed(
          try AccountDesk.write(decision, after: token, rows, address, at: now), account)
      }
    }
    guard let outcome else {
      abandon(attempt)
      throw .unavailable
    }
    switch (outcome.step, outcome.account) {
    case (.given(let session, let next), let account?):
      gate.withLock { gate in
        gate.succeeded(attempt, at: clocks.boot())
        gate.signsIn(account.login.address, at: address, clocks.boot())
      }
      return try await tokens(account, session, next, settings, at: now)
    case (.refused(let refusal), let account):
      refusals.record(
        "sign_in_refused", .warning,
        "a refresh token\(AccountDesk.origin(address)) was refused (\(refusal.code))")
      if outcome.isReplay, let account {
        tell(
          "token_replayed", .error, account.id,
          "a refresh token came back that was used up: two have it; the session was ended")
      }
      throw refusal
    case (.given, nil): throw .tokenNotFound
    }
  }

  private struct Renewed: Sendable {
    var step: Step
    var account: Account?
    var isReplay = false

    enum Step: Sendable {
      case given(Session, String)
      case refused(GrantRefusal)
    }

    init(_ written: (step: Step, isReplay: Bool), _ account: Account?) {
      step = written.step
      isReplay = written.isReplay
      self.account = account
    }
  }

  private static func write(
    _ decision: RefreshDecision, after token: String, _ rows: any AccountTransaction,
    _ address: String?, at now: WallTime
  ) throws(StorageError) -> (step: Renewed.Step, isReplay: Bool) {
    switch decision {
    case .rotate(let session):
      let next = RefreshToken.next(after: token, nonce: session.nonce)
      try rows.keep(session, token: TokenDigest(of: next))
      return (.given(session, next), false)
    case .again(let session):
      try rows.keep(session, token: nil)
      return (.given(session, RefreshToken.next(after: token, nonce: session.nonce)), false)
    case .refuse(let refusal): return (.refused(refusal), false)
    case .end(let session, let refusal):
      try rows.keep(session, token: nil)
      try rows.record(
        AuditEntry(at: now, .tokenReplayed, account: session.account, address: address))
      return (.refused(refusal), true)
    }
  }

  /// Ends the session of an account, or all, or all others.
  func signOut(
    _ account: AccountID, session: String, scope: SignOutScope, address: String?
  ) async throws(GrantRefusal) {
    let now = clocks.wall()
    let isDone = await work { store throws(StorageError) in
      try store.accountTransaction { rows throws(StorageError) in
        switch scope {
        case .local:
          if var ended = try rows.session(session), ended.account == account, ended.end == nil {
            ended.end = .signedOut
            ended.endedAt = now
            try rows.keep(ended, token: nil)
          }
        case .global: _ = try rows.endSessions(of: account, except: nil, .signedOut, at: now)
        case .others: _ = try rows.endSessions(of: account, except: session, .signedOut, at: now)
        }
        try rows.record(
          AuditEntry(
            at: now, .signedOut, account: account, address: address, detail: scope.rawValue))
        return true
      }
    }
    guard isDone == true else { throw .unavailable }
    tell("account_signed_out", .info, account, "signed out (\(scope.rawValue))")
  }

  /// Where it comes from, for the log.
  private static func origin(_ address: String?) -> String { address.map { " from \($0)" } ?? "" }

  /// A UUID that nothing has yet.
  static func newID() -> AccountID {
    var random = SystemRandomNumberGenerator()
    return AccountID(random: random.next(), random.next())
  }
}

/// Which sessions a sign-out ends, by GoTrue's names.
enum SignOutScope: String, Sendable {
  case global, local, others
}
