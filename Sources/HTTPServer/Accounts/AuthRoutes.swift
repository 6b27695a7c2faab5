import Accounts
import Hummingbird
import JSON
import Storage
import Tokens

/// GoTrue's part of the API: tokens, who somebody is, signing out, and the keys by which tokens are checked.
///
/// | request | answer |
/// |---|---|
/// | `POST /auth/v1/token?grant_type=password` | tokens for a name and a password |
/// | `POST /auth/v1/token?grant_type=refresh_token` | the next tokens |
/// | `GET /auth/v1/user` | the account of a token |
/// | `PUT /auth/v1/user` | its account, with another password |
/// | `PUT /auth/v1/admin/users/ID` | the account of that identifier, with another password; for an admin |
/// | `POST /auth/v1/logout` | 204 |
/// | `GET /auth/v1/.well-known/jwks.json` | the public keys |
/// | `GET /auth/v1/health` | that it is there |
struct AuthRoutes: Sendable {
  let desk: AccountDesk

  func add(to router: Router<CallContext>) {
    router.serve(.token) { request, context in
      await answer { () async throws(GrantRefusal) in
        try await token(request, context.caller.countedAddress)
      }
    }
    router.serve(.user) { request, context in
      await answer { () async throws(GrantRefusal) in
        let (account, _) = try await holder(request, context.caller.countedAddress)
        return .json(.ok, AuthAnswers.user(account))
      }
    }
    router.serve(.changeUser) { request, context in
      await answer { () async throws(GrantRefusal) in
        let from = context.caller.countedAddress
        let (account, session) = try await holder(request, from)
        let password = try await AuthRoutes.newPassword(request)
        try await desk.changePassword(to: password, of: account, session: session, address: from)
        return .json(.ok, AuthAnswers.user(try await desk.account(account.id)))
      }
    }
    router.serve(.changeAnother) { request, context in
      await answer { () async throws(GrantRefusal) in
        let from = context.caller.countedAddress
        let admin = try await admin(request, from)
        guard let id = context.parameters.get("id").flatMap({ AccountID(String($0)) }) else {
          throw .userNotFound
        }
        let password = try await AuthRoutes.newPassword(request)
        try await desk.setPassword(password, of: id, by: admin, address: from)
        return .json(.ok, AuthAnswers.user(try await desk.account(id)))
      }
    }
    router.serve(.logout) { request, context in
      await answer { () async throws(GrantRefusal) in
        let from = context.caller.countedAddress
        let (account, session) = try await holder(request, from)
        let named = request.uri.queryParameters["scope"].map { String($0) }
        guard let scope = SignOutScope(rawValue: named ?? "global") else {
          throw .invalid("Unsupported logout scope")
        }
        try await desk.signOut(account.id, session: session, scope: scope, address: from)
        return Response(status: .noContent)
      }
    }
    router.serve(.keys) { [desk] _, _ in
      var response = Response.json(.ok, desk.settings.keys.publicKeys)
      response.headers[.cacheControl] = "public, max-age=600"
      return response
    }
    router.serve(.accountHealth) { _, _ in
      Response.json(
        .ok, ["name": "checkpost", "description": "signs in to this central", "version": "1"])
    }
  }

  private func answer(
    _ body: () async throws(GrantRefusal) -> Response
  ) async -> Response {
    do throws(GrantRefusal) {
      return try await body()
    } catch {
      return AuthAnswers.refusal(error)
    }
  }

  /// Who a key in the header says it is has to be right where there is one; nothing else follows from it.
  private func checkKey(_ request: Request, _ from: String?) async throws(GrantRefusal) {
    let key = request.header("apikey")
    guard key != nil || desk.settings.requiresKey else { return }
    do throws(AccessRefusal) {
      _ = try await desk.principal(of: Credentials(key: key, address: from))
    } catch {
      throw .key(error)
    }
  }

  private func token(_ request: Request, _ from: String?) async throws(GrantRefusal) -> Response {
    try await checkKey(request, from)
    guard let buffer = try? await request.body.collect(upTo: Limits.bodyBytes),
      let body = JSONText.decode(Array(buffer.readableBytesView))?.object
    else { throw .badJSON }
    let grant = request.uri.queryParameters["grant_type"].map { String($0) }
    switch grant {
    case "password":
      guard let name = body["email"]?.text, let password = body["password"]?.text else {
        throw .invalid("missing email or password")
      }
      return AuthAnswers.tokens(try await desk.signIn(name, password: password, address: from))
    case "refresh_token":
      guard let token = body["refresh_token"]?.text else {
        throw .invalid("refresh_token required")
      }
      return AuthAnswers.tokens(try await desk.refresh(token, address: from))
    default: throw .invalid("unsupported_grant_type")
    }
  }

  /// The password that a request asks for; nothing else of an account is changed this way.
  private static func newPassword(_ request: Request) async throws(GrantRefusal) -> String {
    guard let buffer = try? await request.body.collect(upTo: Limits.bodyBytes),
      let body = JSONText.decode(Array(buffer.readableBytesView))?.object
    else { throw .badJSON }
    guard let password = body["password"]?.text, body.keys.allSatisfy({ $0 == "password" }) else {
      throw .invalid("password is changed here, and nothing else; user_profiles has the rest")
    }
    return password
  }

  /// Who asks for what admins do.
  private func admin(_ request: Request, _ from: String?) async throws(GrantRefusal) -> Principal {
    let principal: Principal
    do throws(AccessRefusal) {
      principal = try await desk.principal(of: request.credentials(from: from))
    } catch {
      throw .token(error)
    }
    guard principal.role != .anonymous else { throw .noAuthorization }
    guard principal.mayEverything else { throw .notAdmin }
    return principal
  }

  /// Whose token a request shows.
  private func holder(
    _ request: Request, _ from: String?
  ) async throws(GrantRefusal) -> (account: Account, session: String) {
    let credentials = request.credentials(from: from)
    guard credentials.bearer != nil else { throw .noAuthorization }
    let principal: Principal
    do throws(AccessRefusal) {
      principal = try await desk.principal(of: credentials)
    } catch {
      throw .token(error)
    }
    guard case .session(let session) = principal.proof, let id = principal.account else {
      throw .badToken
    }
    let account = await desk.work { store throws(StorageError) in
      try store.readAccounts { rows throws(StorageError) in try rows.account(id) }
    }
    guard let account else { throw .unavailable }
    guard let account else { throw .sessionNotFound }
    return (account, session)
  }
}

extension GrantRefusal {
  /// What GoTrue says where a key is not right; the gateway in front of it says it for GoTrue.
  fileprivate static func key(_ refusal: AccessRefusal) -> GrantRefusal {
    refusal.status == 503
      ? .unavailable : GrantRefusal(status: 401, code: "no_authorization", refusal.message)
  }

  /// What GoTrue says where PostgREST would say this of a token.
  fileprivate static func token(_ refusal: AccessRefusal) -> GrantRefusal {
    switch refusal {
    case .unavailable: .unavailable
    case .sessionEnded: .sessionNotFound
    case .invalidKey, .noCredentials: .key(refusal)
    default: .badToken
    }
  }
}

extension Request {
  /// The first header of that name, in small letters.
  func header(_ name: String) -> String? {
    headers.first { $0.name.canonicalName == name }?.value
  }

  /// What the request shows of whoever makes it.
  func credentials(from address: String?) -> Credentials {
    Credentials(key: header("apikey"), authorization: header("authorization"), address: address)
  }
}

extension Caller {
  /// What failures are counted against; nil where others would suffer for them.
  var countedAddress: String? { hasOwnAddress ? address?.counted.description : nil }
}
