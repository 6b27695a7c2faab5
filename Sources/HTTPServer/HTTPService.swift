public import CentralCore
public import CentralService
import Dispatch
public import EventLoop
import Events
import Glibc
import Hummingbird
import HummingbirdCore
public import Log
public import Logging
import NIOCore
import RestAPI
import ServiceLifecycle
import Synchronization
public import Time

/// Central's HTTP server.
///
/// | request | answer |
/// |---|---|
/// | what a ``WebhookProvider`` sends, at its path | 200 when the text is on disk, 403 when it is not signed by the provider, 503 when it could not be kept |
/// | `/rest/v1/TABLE`, `/storage/v1/object/…`, `/functions/v1/…`, where there is an API | as PostgREST and the services beside it answer |
/// | below `/auth/v1` | see ``AuthRoutes`` |
/// | `POST /functions/v1/create-ranger` | 201 with the account that an admin made |
/// | `GET /events/v1`, where there is an API | what changes, as server-sent events |
/// | `GET /rest/v1/`, `GET /openapi.json` | what there is to ask for, of tables and of everything else |
/// | `GET /healthz` | 200 `{"status":"ok"}`, or `degraded` while a person has to look; 503 while nothing that comes in can be kept |
public final class HTTPService: ServicePart {
  private let address: String
  private let port: Int
  private let socket: SocketPlace?
  private let webhooks: WebhookRoutes
  private let accounts: AuthRoutes?
  let door: Door
  let api: APIRoutes?
  private let refusals: RefusalLog
  private let central: CentralService
  private let bounds: ConnectionBounds
  private let connections: ConnectionTable
  private let clocks: any Clocks
  private let logger: Logger
  private let bound = BoundPort()
  private let state = Mutex(State())
  private let hasEnded = DispatchSemaphore(value: 0)

  private struct State {
    var group: ServiceGroup?
    var failure: (any Error)?
  }

  /// A server that has not started.
  ///
  /// - Parameters:
  ///   - port: The port to listen at; 0 takes a free one, which ``boundPort()`` tells.
  ///   - socket: The socket to listen at in place of an address.
  ///   - providers: Whoever may hand texts in, each at a path of its own; one for which nothing is
  ///     configured refuses everything.
  ///   - accounts: Who may sign in; nil where nobody may.
  ///   - addresses: How many connections whoever calls may have.
  ///   - api: Tables, photographs and functions; nil where there are none.
  ///   - rules: What is made of whoever calls.
  public convenience init(
    address: String, port: Int, socket: SocketPlace? = nil, providers: [any WebhookProvider],
    accounts: AccountDesk? = nil,
    addresses: AddressBounds = AddressBounds(), rules: DoorRules = DoorRules(),
    api: CentralAPI? = nil, central: CentralService, clocks: any Clocks, log: ServiceLog,
    logger: Logger
  ) {
    var bounds = ConnectionBounds()
    bounds.addresses = addresses
    self.init(
      address: address, port: port, socket: socket, providers: providers, accounts: accounts,
      bounds: bounds, rules: rules, api: api, central: central, clocks: clocks, log: log,
      logger: logger)
  }

  init(
    address: String, port: Int, socket: SocketPlace? = nil, providers: [any WebhookProvider],
    accounts: AccountDesk? = nil, bounds: ConnectionBounds, rules: DoorRules = DoorRules(),
    api: CentralAPI? = nil, central: CentralService, clocks: any Clocks, log: ServiceLog,
    logger: Logger
  ) {
    self.address = address
    self.port = port
    self.socket = socket
    self.bounds = bounds
    self.central = central
    self.clocks = clocks
    self.logger = logger
    refusals = RefusalLog(clocks: clocks, log: log)
    connections = ConnectionTable(bounds: bounds, clocks: clocks, refusals: refusals)
    self.accounts = accounts.map { AuthRoutes(desk: $0) }
    door = Door(
      rules, proxies: bounds.addresses.proxies, webhooks: Set(providers.map(\.path)),
      hasTables: api != nil, hasAccounts: accounts != nil, clocks: clocks, refusals: refusals)
    webhooks = WebhookRoutes(
      providers, central: central, clocks: clocks, door: door, refusals: refusals)
    self.api = api.map { [door, refusals] in
      APIRoutes($0, clocks: clocks, door: door, refusals: refusals)
    }
  }

  /// How many connections there may be, and when they ran out.
  public var connectionFacts: CentralFacts.Connections { connections.facts }

  /// How often a request was refused since the start, in the order of the names of the log's events.
  public var refusalCounts: [RefusalCount] {
    (refusals.counts + (accounts?.desk.refusals.counts ?? []))
      .sorted { ($0.name, $0.code ?? "") < ($1.name, $1.code ?? "") }
  }

  /// Takes up the same providers after the configuration was read again.
  public func change(_ providers: [any WebhookProvider]) {
    webhooks.change(providers)
  }

  /// Takes up other rules for whoever calls.
  public func change(_ rules: DoorRules) {
    door.change(rules)
  }

  /// The port that it listens at, once it does, and 0 for a socket; nil when it ended before.
  public func boundPort() async -> Int? {
    await bound.port()
  }

  /// What is answered to which request. It needs no connection, so tests drive it as it is.
  var router: Router<CallContext> {
    let router = Router(context: CallContext.self)
    // Before every route, since it is there for those alone that come after it.
    router.add(middleware: door)
    webhooks.add(to: router)
    api?.add(to: router)
    if let accounts {
      accounts.add(to: router)
      CreateRangerRoute(desk: accounts.desk, door: door).add(to: router)
    }
    router.serve(.health) { [self] _, _ in HTTPService.answer(health) }
    if api != nil || accounts != nil {
      router.serve(.description) { [self] _, _ in
        APIRoutes.response(.json(200, description.written))
      }
    }
    return router
  }

  /// What there is besides tables and what providers send.
  private var description: RestJSON {
    var parts: Set<ServedRoute.Part> = [.health, .description]
    if api != nil { parts.formUnion([.photographs, .changes, .functions]) }
    if accounts != nil { parts.insert(.accounts) }
    return ServiceDescription.document(version: api?.api.version ?? "0", parts: parts)
  }

  /// Starts to serve, with tasks of its own.
  ///
  /// - Parameter whenEnded: Called from any thread once it has ended, as asked to or not.
  public func start(whenEnded: @escaping @Sendable () -> Void = {}) {
    let name = socket.map { SocketName($0) }
    let group = ServiceGroup(
      configuration: .init(services: [.init(service: application(name))], logger: logger))
    state.withLock { $0.group = group }
    Task { [self] in
      do {
        try await group.run()
      } catch {
        state.withLock { $0.failure = $0.failure ?? listening(error) }
      }
      name?.release()
      bound.set(nil)
      hasEnded.signal()
      whenEnded()
    }
  }

  /// Asks it to end; requests that are out are answered first.
  public func stop() {
    guard let group = state.withLock({ $0.group }) else { return }
    Task { await group.triggerGracefulShutdown() }
  }

  /// Blocks until it has ended; not for tasks. May be called once.
  ///
  /// - Throws: What it ended with: ``HTTPServerError`` when it could not listen.
  public func join() throws {
    hasEnded.wait()
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  private func application(_ name: SocketName?) -> some Service {
    Application(
      router: router,
      server: HTTPServerBuilder { [bounds, connections, refusals] responder in
        GuardedChannel(
          channel: HTTP1Channel(
            responder: responder,
            configuration: .init(
              httpDecoderConfiguration: .init(
                maxHeaderFieldSize: Limits.headerBytes, maxHeaderListSize: Limits.headerBytes,
                maxHeaderFieldCount: Limits.headerFields))),
          bounds: bounds, table: connections, refusals: refusals)
      },
      configuration: ApplicationConfiguration(
        address: name.map { .unixDomainSocket(path: $0.unfinished) }
          ?? .hostname(address, port: port),
        serverName: "checkpost",
        availableConnectionsDelegate: Admission(table: connections, most: bounds.connections)),
      onServerRunning: { [weak self] channel in
        do throws(HTTPServerError) {
          try name?.take()
          self?.bound.set(channel.localAddress?.port ?? 0)
        } catch {
          self?.state.withLock { $0.failure = error }
          self?.stop()
        }
      },
      logger: logger)
  }

  /// What an error means that stood in the way of listening; any other is as it was.
  private func listening(_ error: any Error) -> any Error {
    switch error {
    case let error where socket != nil:
      HTTPServerError.socket(
        path: socket?.path ?? "", errno: (error as? IOError)?.errnoCode ?? ENAMETOOLONG)
    case let error as IOError: HTTPServerError(error.errnoCode, address: address, port: port)
    case is SocketAddressError, is SocketAddressError.UnknownHost:
      HTTPServerError(EADDRNOTAVAIL, address: address, port: port)
    default: error
    }
  }
}

extension HTTPService {
  /// The problems that every caller is told of, at no cost: no store is asked.
  private var health: ProblemCatalogue.Health? {
    guard central.health == .well else { return .unavailable }
    var facts = central.facts
    facts.connections = connectionFacts
    return facts.health(at: clocks.wall())
  }

  /// Says no more than that: whoever can reach the server can ask.
  private static func answer(_ health: ProblemCatalogue.Health?) -> Response {
    let words = health?.rawValue ?? "ok"
    return Response(
      status: health == .unavailable ? .serviceUnavailable : .ok,
      headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: "{\"status\":\"\(words)\"}\n")))
  }
}

/// The port that a server listens at, for whoever waits for it.
private final class BoundPort: Sendable {
  private enum State {
    case starting([CheckedContinuation<Int?, Never>])
    case known(Int?)
  }

  private let state = Mutex(State.starting([]))

  /// Tells the port, or nil when the server has ended.
  func set(_ port: Int?) {
    let waiters = state.withLock { state -> [CheckedContinuation<Int?, Never>] in
      defer { state = .known(port) }
      if case .starting(let waiters) = state { return waiters }
      return []
    }
    for waiter in waiters { waiter.resume(returning: port) }
  }

  func port() async -> Int? {
    await withCheckedContinuation { continuation in
      let known = state.withLock { state -> Int?? in
        switch state {
        case .known(let port): return .some(port)
        case .starting(let waiters):
          state = .starting(waiters + [continuation])
          return nil
        }
      }
      if let known { continuation.resume(returning: known) }
    }
  }
}
