public import CentralService
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
  private let bound: AsyncStream<Int>
  private let continuation: AsyncStream<Int>.Continuation

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
    webhook = TwilioWebhook(settings: twilio, central: central, clocks: clocks, log: log)
    (bound, continuation) = AsyncStream.makeStream(of: Int.self)
  }

  /// The port that it listens at, once it does; nil when it ended before.
  public func boundPort() async -> Int? {
    for await port in bound { return port }
    return nil
  }

  /// Serves until the service group shuts down.
  public func run() async throws {
    let router = Router()
    let webhook = webhook
    router.post("functions/v1/sms-webhook") { request, _ in await webhook.handle(request) }
    router.get("healthz") { _, _ in
      Response(
        status: .ok, headers: [.contentType: "application/json"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: "{\"status\":\"ok\"}\n")))
    }
    let continuation = continuation
    let application = Application(
      router: router,
      configuration: ApplicationConfiguration(
        address: .hostname(address, port: port), serverName: "checkpost"),
      onServerRunning: { channel in
        continuation.yield(channel.localAddress?.port ?? 0)
      }, logger: logger)
    defer { continuation.finish() }
    try await application.run()
  }
}
