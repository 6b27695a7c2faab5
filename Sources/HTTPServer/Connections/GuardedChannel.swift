import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// The library's channel for HTTP/1.1, with our bounds around it: before its decoder and behind it.
struct GuardedChannel: ServerChildChannel {
  let channel: HTTP1Channel
  let bounds: ConnectionBounds
  let table: ConnectionTable
  let refusals: RefusalLog

  func setup(
    channel connection: any Channel, logger: Logger
  ) -> EventLoopFuture<HTTP1Channel.Value> {
    channel.setup(channel: connection, logger: logger).flatMapThrowing { value in
      do {
        try guardConnection(connection)
        return value
      } catch {
        connection.close(promise: nil)
        throw error
      }
    }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await channel.handle(value: value, logger: logger)
  }

  private func guardConnection(_ channel: any Channel) throws {
    let pipeline = channel.pipeline.syncOperations
    let connection = HTTPConnection(channel, bounds: bounds, table: table, refusals: refusals)
    let bytes = ByteGate(connection)
    let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
    try pipeline.addHandler(PartGate(connection, bytes: bytes), position: .after(decoder))
    try pipeline.addHandler(bytes, position: .first)
    // A system that refuses these keeps its own bounds, and a connection that is gone already is no
    // failure of the server's.
    let options = channel.syncOptions
    try? options?.setOption(
      .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Limits.readBytes))
    try? options?.setOption(.maxMessagesPerRead, value: 1)
    for buffer in [
      ChannelOptions.socketOption(.so_rcvbuf), ChannelOptions.socketOption(.so_sndbuf),
    ] {
      try? options?.setOption(buffer, value: SocketOptionValue(Limits.socketBytes))
    }
  }
}
