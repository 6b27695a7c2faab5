public import Accounts
import Events
import Storage
import Time
import Tokens

extension AccountDesk: Authenticator {
  /// Who shows this.
  public func principal(of credentials: Credentials) async throws(AccessRefusal) -> Principal {
    let settings = settings
    let now = clocks.wall()
    let bearer = credentials.bearer
    let bearerKey = bearer.flatMap { $0.hasPrefix(APIKeyText.mark) ? $0 : nil }
    var claims: TokenClaims?
    var fault: TokenFault?
    if let bearer, bearerKey == nil {
      do throws(TokenFault) {
        let said = try await settings.keys.claims(of: bearer)
        claims = said
        fault = said.fault(issuer: settings.issuer, at: now)
      } catch {
        fault = error
      }
    }
    if settings.requiresKey, credentials.key == nil, bearerKey == nil { throw .noCredentials }
    let key = credentials.key
    let (said, wrong) = (claims, fault)
    let shown = await work { store throws(StorageError) in
      try store.readAccounts { rows throws(StorageError) in
        var shown = ShownCredentials()
        shown.key = try AccountDesk.look(key, rows)
        shown.bearerKey = bearerKey == key ? shown.key : try AccountDesk.look(bearerKey, rows)
        if let wrong {
          shown.token = .faulty(wrong)
        } else if let said {
          shown.token = .known(said, try AccountDesk.holder(of: said, rows))
        }
        return shown
      }
    }
    guard let shown else { throw .unavailable }
    let principal: Principal
    do throws(AccessRefusal) {
      principal = try shown.principal(at: now)
    } catch {
      refusals.record(
        "access_refused", .warning, "answered \(error.status): \(error.message)")
      throw error
    }
    await note([shown.key, shown.bearerKey], at: now)
    if case .known(let claims, let holder?) = shown.token { await note(claims, holder.session) }
    return principal
  }

  /// Writes down that a token of the session's active generation was used, once of each.
  private func note(_ claims: TokenClaims, _ session: Session) async {
    var session = session
    guard session.wasUsed(claims.generation) else { return }
    _ = await work { store throws(StorageError) in
      try store.accountTransaction { rows throws(StorageError) in
        guard var current = try rows.session(claims.session), current.wasUsed(claims.generation)
        else { return false }
        try rows.keep(current, token: nil)
        return true
      }
    }
  }

  private static func look(
    _ text: String?, _ rows: any AccountTransaction
  ) throws(StorageError) -> ShownCredentials.Key {
    guard let text else { return .none }
    guard let prefix = APIKeyText.prefix(of: text), let key = try rows.key(prefix),
      key.digest.matches(TokenDigest(of: text))
    else { return .unknown }
    var segment: String?
    if let post = key.post { segment = try rows.segment(of: post) }
    return .known(key, segment: segment)
  }

  private static func holder(
    of claims: TokenClaims, _ rows: any AccountTransaction
  ) throws(StorageError) -> ShownCredentials.Holder? {
    guard let session = try rows.session(claims.session),
      let account = try rows.account(claims.subject)
    else { return nil }
    var segment: String?
    if let post = account.post { segment = try rows.segment(of: post) }
    return ShownCredentials.Holder(session: session, account: account, segment: segment)
  }

  /// Writes down that keys were shown. Where that cannot be done, nobody is refused for it.
  private func note(_ shown: [ShownCredentials.Key], at now: WallTime) async {
    var prefixes: Set<String> = []
    for case .known(let key, _) in shown where key.isUseToNote(at: now) {
      prefixes.insert(key.prefix)
    }
    guard !prefixes.isEmpty else { return }
    let noted = prefixes.sorted()
    _ = await work { store throws(StorageError) in
      try store.accountTransaction { rows throws(StorageError) in
        for prefix in noted { try rows.noteUse(of: prefix, at: now) }
        return true
      }
    }
  }
}

extension Principal {
  /// What stands for it where it is counted how often it asks, and is not secret itself.
  var subject: String {
    switch proof {
    case .session: account?.text ?? "session"
    case .key(let prefix): prefix
    }
  }

  /// Who did something, as it is written down.
  var name: String {
    switch proof {
    case .session: account?.text ?? "session"
    case .key(let prefix): "key \(prefix)"
    }
  }
}

extension Credentials {
  /// What stands as bearer in `Authorization`; nil for nothing, or another scheme.
  var bearer: String? {
    guard let authorization else { return nil }
    let scheme = authorization.prefix { $0 != " " }
    guard scheme.lowercased() == "bearer" else { return nil }
    let token = authorization.dropFirst(scheme.count).drop { $0 == " " }
    return token.isEmpty ? nil : String(token)
  }
}
