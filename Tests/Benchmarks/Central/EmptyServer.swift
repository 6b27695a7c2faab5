import Glibc
import Hummingbird
import Logging

/// The floor of a webhook: the same library of servers, which reads a body, does nothing with it and answers. It
/// runs in a process of its own, as the service does.
enum EmptyServer {
  /// The argument with which the benchmarks' program becomes one.
  static let argument = "serve-empty"

  /// Serves until the process is ended; the first line of its output is its port.
  ///
  /// - Parameter take: What is done with a body before it is answered.
  static func serve(
    _ take: @escaping @Sendable ([UInt8]) async throws -> Void = { _ in }
  ) async throws {
    let router = Router()
    router.post("/**") { request, _ in
      let body = try await request.body.collect(upTo: 1 << 16)
      try await take(Array(body.readableBytesView))
      return Response(
        status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: "<Response/>")))
    }
    var logger = Logger(label: "empty")
    logger.logLevel = .critical
    let application = Application(
      router: router,
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in
        print(channel.localAddress?.port ?? 0)
        fflush(nil)
      }, logger: logger)
    try await application.run()
  }
}
