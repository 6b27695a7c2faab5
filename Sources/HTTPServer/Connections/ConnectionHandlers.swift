import NIOCore
import NIOHTTP1

/// Between the socket and the decoder: hands on the bytes of one request, and keeps those of the next
/// until that one is answered.
final class ByteGate: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private let connection: HTTPConnection
  private var held = ByteBuffer()
  private var isReadWanted = false
  private var isHandingOn = false
  private var context: ChannelHandlerContext?

  init(_ connection: HTTPConnection) {
    self.connection = connection
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
  }

  /// Whether something came that was not decoded.
  var holdsBytes: Bool { held.readableBytes > 0 }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    switch connection.phase {
    case .closed: return
    case .lingering:
      if !connection.threwAway(bytes.readableBytes) { context.close(promise: nil) }
      return
    default: break
    }
    // More comes than was asked for only when the other side has gone away.
    guard held.readableBytes + bytes.readableBytes <= Limits.heldBytes else {
      connection.endsWithAnswer = true
      return
    }
    if held.readableBytes == 0 {
      held = bytes
    } else {
      held.writeBuffer(&bytes)
    }
    handOn(context)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    // Nobody else asks for what is thrown away.
    if connection.phase == .lingering { context.read() }
  }

  func read(context: ChannelHandlerContext) {
    if held.readableBytes == 0 {
      context.read()
    } else {
      isReadWanted = true
    }
  }

  /// Goes on after an answer has left: with what is there, and then with what comes.
  func goOn() {
    guard let context else { return }
    if connection.phase == .lingering {
      held.clear()
      context.read()
      return
    }
    if held.readableBytes > 0 {
      handOn(context)
      context.fireChannelReadComplete()
    }
    if isReadWanted, held.readableBytes == 0 {
      isReadWanted = false
      context.read()
    }
  }

  private func handOn(_ context: ChannelHandlerContext) {
    guard !isHandingOn else { return }
    isHandingOn = true
    defer { isHandingOn = false }
    while let count = connection.decodable(held),
      let piece = held.readSlice(length: count)
    {
      connection.bytesCame(context)
      let isOfChunks = connection.phase == .chunks
      context.fireChannelRead(wrapInboundOut(piece))
      if isOfChunks, !connection.chunksCame(count) {
        context.fireErrorCaught(HTTPParserError.headerOverflow)
      }
    }
    // What is kept of an empty buffer is the whole that was read.
    if held.readableBytes == 0 { held = ByteBuffer() }
  }
}

/// Behind the decoder: refuses requests that can be read in two ways, bounds how long a request and
/// its answer take, and closes the connection where it has to.
final class PartGate: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let connection: HTTPConnection
  private let bytes: ByteGate
  /// Who asked for the end while the last answer was still on its way.
  private var closing: [EventLoopPromise<Void>] = []

  init(_ connection: HTTPConnection, bytes: ByteGate) {
    self.connection = connection
    self.bytes = bytes
  }

  func channelActive(context: ChannelHandlerContext) {
    context.fireChannelActive()
    if connection.isAdmitted {
      connection.opened(context)
    } else {
      context.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    connection.ended()
    for promise in closing { promise.succeed() }
    closing = []
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !connection.isPastReading else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      if let fault = head.fault {
        refuse(fault, context)
      } else {
        connection.headCame(head, context)
        context.fireChannelRead(data)
      }
    case .body(let part):
      if connection.bodyCame(part.readableBytes) {
        context.fireChannelRead(data)
      } else {
        connection.requestEnded(isWhole: false, context)
        context.fireErrorCaught(ConnectionFault.bodyTooLarge)
      }
    case .end:
      connection.requestEnded(isWhole: true, context)
      context.fireChannelRead(data)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is HTTPParserError, !connection.isPastReading {
      // Whoever reads the request answers it.
      connection.refuse("http_request", "a request cannot be read as HTTP")
      connection.requestEnded(isWhole: false, context)
    }
    context.fireErrorCaught(error)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    context.fireUserInboundEventTriggered(event)
    guard let event = event as? ChannelEvent, event == .inputClosed else { return }
    connection.isInputClosed = true
    switch connection.phase {
    case .idle, .header, .lingering: context.close(promise: nil)
    case .body, .chunks, .answering, .closed: connection.endsWithAnswer = true
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard connection.phase != .lingering, connection.phase != .closed else {
      promise?.fail(ChannelError.outputClosed)
      return
    }
    switch unwrapOutboundIn(data) {
    case .head(var head) where head.status.code >= 200:
      // What is missing of the request is not waited for.
      if connection.phase != .answering { connection.endsWithAnswer = true }
      connection.answerBegins(
        isStream: head.headers.first(name: "Content-Type") == APIRoutes.eventStream)
      if connection.endsWithAnswer { head.headers.replaceOrAdd(name: "Connection", value: "close") }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end:
      let written = promise ?? context.eventLoop.makePromise(of: Void.self)
      written.futureResult.assumeIsolated().whenSuccess { self.answered(context) }
      context.write(data, promise: written)
    case .body:
      connection.answerGoesOn(context)
      context.write(data, promise: promise)
    default: context.write(data, promise: promise)
    }
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    // The other side has not read the answer yet, and would not be able to any more.
    if mode == .all, connection.phase == .lingering, !connection.isInputClosed {
      if let promise { closing.append(promise) }
    } else {
      context.close(mode: mode, promise: promise)
    }
  }

  func triggerUserOutboundEvent(
    context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
  ) {
    guard event is GivesWay else {
      context.triggerUserOutboundEvent(event, promise: promise)
      return
    }
    // Its request may have become whole since it was chosen.
    if connection.phase != .answering { connection.breakOff(context) }
    promise?.succeed()
  }

  private func refuse(_ fault: RequestFault, _ context: ChannelHandlerContext) {
    connection.refuse("http_request", "answered \(fault.status.code): \(fault.words)")
    connection.requestEnded(isWhole: false, context)
    let head = HTTPResponseHead(
      version: .http1_1, status: fault.status, headers: ["Content-Length": "0"])
    write(context: context, data: wrapOutboundOut(.head(head)), promise: nil)
    write(context: context, data: wrapOutboundOut(.end(nil)), promise: nil)
    context.flush()
  }

  /// The answer has left.
  private func answered(_ context: ChannelHandlerContext) {
    guard connection.phase != .lingering, connection.phase != .closed else { return }
    if !connection.endsWithAnswer {
      connection.stays(context)
    } else if connection.isRequestWhole, !bytes.holdsBytes {
      connection.ended()
      context.close(promise: nil)
      return
    } else {
      connection.lingers(context)
      context.close(mode: .output, promise: nil)
    }
    bytes.goOn()
  }
}
