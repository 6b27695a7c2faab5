public import CentralService
import Glibc
import Hummingbird
public import Logging
import NIOCore
public import Operations
public import ServiceLifecycle
import Synchronization
public import Timing

/// The centre's HTTP server.
///
/// | request | answer |
/// |---|---|
/// | `POST /functions/v1/sms-webhook` | 200 when the text is on disk, 403 when it is not signed by the provider, 503 when it could not be kept |
/// | `GET /healthz` | 200 `{"status":"ok"}` |
public final class HTTPServer: Service {
  private let address: String
  private let port: Int
  private let webhook: TwilioWebhook
  private let logger: Logger
  private let bound = BoundPort()

  /// A server that has not started.
  ///
  /// - Parameters:
  ///   - port: The port to listen at; 0 takes a free one, which ``boundPort()`` tells.
  ///   - twilio: What is expected of a provider; nil when there is none.
  public init(
    address: String, port: Int, twilio: TwilioSettings?, central: CentralService,
    clocks: any Clocks, log: ServiceLog, logger: Logger
  ) {
    self.address = address
    self.port = port
    self.logger = logger
    webhook = TwilioWebhook(
      expected: ExpectedProvider(twilio), central: central, clocks: clocks,
      refusals: RefusalLog(clocks: clocks, log: log))
  }

  /// Takes up what is expected of a provider after the configuration was read again; nil when there
  /// is none any more.
  public func change(_ twilio: TwilioSettings?) {
    webhook.expected.settings = twilio
  }

  /// The port that it listens at, once it does; nil when it ended before.
  public func boundPort() async -> Int? {
    await bound.port()
  }

  /// Serves until the service group shuts down.
  ///
  /// - Throws: ``HTTPServerError`` when it cannot listen.
  public func run() async throws {
    let router = Router(context: ConnectionContext.self)
    let webhook = webhook
    router.post("functions/v1/sms-webhook") { request, context in
      await webhook.handle(request, on: context.channel)
    }
    router.get("healthz") { _, _ in
      Response(
        status: .ok, headers: [.contentType: "application/json"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: "{\"status\":\"ok\"}\n")))
    }
    let bound = bound
    let application = Application(
      router: router,
      server: .http1(
        configuration: .init(
          idleTimeout: .seconds(Limits.idleSeconds),
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: Limits.headerBytes, maxHeaderListSize: Limits.headerBytes,
            maxHeaderFieldCount: Limits.headerFields))),
      configuration: ApplicationConfiguration(
        address: .hostname(address, port: port), serverName: "checkpost",
        availableConnectionsDelegate: .maximum(Limits.connections, logger: logger)),
      onServerRunning: { channel in bound.set(channel.localAddress?.port) }, logger: logger)
    defer { bound.set(nil) }
    do {
      try await application.run()
    } catch let error as IOError {
      throw HTTPServerError(error.errnoCode, address: address, port: port)
    } catch is SocketAddressError.UnknownHost {
      throw HTTPServerError(EADDRNOTAVAIL, address: address, port: port)
    } catch is SocketAddressError {
      throw HTTPServerError(EADDRNOTAVAIL, address: address, port: port)
    }
  }
}

/// What a handler needs to know of a request: the connection that it came on.
struct ConnectionContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
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
