import Events
import Hummingbird
import Synchronization
import Time

/// What every request passes before its route: finds out who calls, keeps secrets off the open wire,
/// bounds how often somebody asks, and gives every answer the headers that it has to have.
///
/// A route that knows more asks it too: ``refusal(ofKey:for:)`` once a token is known to be good.
final class Door: RouterMiddleware, Sendable {
  typealias Context = CallContext

  private struct State {
    var rules: DoorRules
    var crossOrigin: CrossOrigin
    var budgets: Budgets
  }

  private let state: Mutex<State>
  private let proxies: [AddressRange]
  private let webhooks: Set<String>
  private let hasTables: Bool
  private let hasAccounts: Bool
  private let clocks: any Clocks
  private let refusals: RefusalLog

  /// - Parameters:
  ///   - proxies: The addresses of our proxies.
  ///   - webhooks: The paths of the providers.
  ///   - hasTables: Whether there are tables to ask for.
  ///   - hasAccounts: Whether somebody may sign in.
  init(
    _ rules: DoorRules, proxies: [String], webhooks: Set<String>, hasTables: Bool = false,
    hasAccounts: Bool = false, clocks: any Clocks, refusals: RefusalLog
  ) {
    state = Mutex(
      State(
        rules: rules, crossOrigin: CrossOrigin(rules.origins), budgets: Budgets(rules.limits)))
    self.proxies = proxies.compactMap { AddressRange($0) }
    self.webhooks = webhooks
    self.hasTables = hasTables
    self.hasAccounts = hasAccounts
    self.clocks = clocks
    self.refusals = refusals
  }

  /// Takes up other rules. What was used of a budget that changed is forgotten.
  func change(_ rules: DoorRules) {
    state.withLock { state in
      if state.rules.limits != rules.limits { state.budgets = Budgets(rules.limits) }
      state.crossOrigin = CrossOrigin(rules.origins)
      state.rules = rules
    }
  }

  func handle(
    _ request: Request, context: CallContext,
    next: (Request, CallContext) async throws -> Response
  ) async throws -> Response {
    let (header, crossOrigin) = state.withLock { ($0.rules.forwarded, $0.crossOrigin) }
    var context = context
    context.caller = caller(of: request, from: context.caller.address, header)
    context.kind = RequestClass(
      method: request.method, path: request.uri.path, query: request.uri.query ?? "",
      webhooks: webhooks)
    context.isOfStorage = request.uri.path.hasPrefix("/storage/")
    var response: Response
    if let refusal = refusal(of: request, context) {
      response = refusal
    } else if let preflight = crossOrigin.preflight(request) {
      response = preflight
    } else {
      do {
        response = try await StorePatience.$ofRequest.withValue(StorePatience.Budget()) {
          try await next(request, context)
        }
      } catch let error as HTTPError where error.status == .notFound {
        response =
          UnknownRoute(
            request, hasTables: hasTables, hasAccounts: hasAccounts
          ).response
      } catch let error as any HTTPResponseError {
        response = try error.response(from: request, context: context)
      }
    }
    crossOrigin.mark(&response, to: request)
    Door.harden(&response)
    return response
  }

  /// Whoever calls, by the connection's other end and by what our proxies tell.
  private func caller(
    of request: Request, from peer: IPAddress?, _ header: ForwardedHeader
  ) -> Caller {
    let hops = header.hops { name in
      HTTPFields.Element.Name(name).map { request.headers[values: $0] } ?? []
    }
    return Caller(peer: peer, hops: hops) { address in
      proxies.contains { $0.contains(address) }
    }
  }

  private func refusal(of request: Request, _ context: CallContext) -> Response? {
    let caller = context.caller
    if !caller.mayShowSecrets, context.kind == .signIn || request.showsSecret {
      refusals.record(
        "http_plain_secret", .warning,
        "answered 403 to \(caller.name): a password, a key or a token came without TLS, and may have"
          + " been read on its way; change it, and call https://", most: 1)
      return RefusingAnswer(
        .forbidden, code: "tls_required",
        "passwords, keys and tokens are taken over https alone; change the one that was sent"
      ).response
    }
    // Whoever comes from here or through a proxy that names nobody has no address of its own: a budget
    // would be everybody's. Passwords are bounded all the same.
    guard caller.hasOwnAddress || context.kind == .signIn else { return nil }
    return tooMany(caller, isOfStorage: context.isOfStorage) {
      $0.take(context.kind, address: caller.counted, at: $1)
    }
  }

  /// Bounds how often a key or an account asks, whose token is good; nil when it may.
  ///
  /// - Parameter subject: What stands for it, and is not secret itself: the identifier of the key.
  func refusal(ofKey subject: String, for context: CallContext) -> Response? {
    tooMany(context.caller, isOfStorage: context.isOfStorage) {
      $0.take(context.kind, key: subject, at: $1)
    }
  }

  /// What a caller is answered that sent too many wrong signatures; nil when it may send another one.
  func refusalOfSignature(_ caller: Caller) -> Response? {
    guard caller.hasOwnAddress else { return nil }
    return tooMany(caller) { $0.signatureWait(caller.counted, at: $1) }
  }

  /// Notes what the signature of a caller was like. One that was good lately is not kept waiting for
  /// wrong ones: a provider calls for many from one address, and anybody can have it call us.
  func signatureWas(_ isGood: Bool, of caller: Caller) {
    guard caller.hasOwnAddress else { return }
    let now = clocks.boot()
    state.withLock { $0.budgets.signatureWas(isGood, caller.counted, at: now) }
  }

  private func tooMany(
    _ caller: Caller, isOfStorage: Bool = false,
    _ take: (inout Budgets, BootInstant) -> Duration?
  ) -> Response? {
    let now = clocks.boot()
    guard let wait = state.withLock({ take(&$0.budgets, now) }) else { return nil }
    refusals.record(
      "http_too_many", .warning, "answered 429 to \(caller.name), which asks too often")
    return RefusingAnswer(
      .tooManyRequests, code: isOfStorage ? "SlowDown" : "over_request_rate_limit",
      "too many requests; try again later",
      retryAfter: wait
    ).response
  }

  /// The headers without which a browser would make more of an answer than it is.
  private static func harden(_ response: inout Response) {
    for (name, value) in hardening where response.headers[name] == nil {
      response.headers[name] = value
    }
  }

  private static let hardening: [(HTTPFields.Element.Name, String)] = [
    (.xContentTypeOptions, "nosniff"),
    (.contentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'"),
    (.cacheControl, "no-store"),
  ]
}

extension Caller {
  /// What its requests are counted under.
  fileprivate var counted: IPAddress? { address?.counted }
}
