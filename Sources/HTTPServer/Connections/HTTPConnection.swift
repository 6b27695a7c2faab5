import Events
import Glibc
import NIOCore
import NIOHTTP1

/// Asks a connection to make room for another one.
struct GivesWay: Sendable {}

/// Why a request does not come to its end.
enum ConnectionFault: Error, Hashable {
  /// It, or its answer, took too long.
  case tooSlow
  /// The body is larger than any that is taken.
  case bodyTooLarge
}

/// One connection: what may come on it now, until when, and whether it outlives the answer.
///
/// There is one request at a time. What comes after it waits undecoded until the answer has left, a
/// few bytes of it here and the others with the system. It lives on the event loop of its channel.
final class HTTPConnection {
  /// Where the connection stands.
  enum Phase: Hashable {
    /// No byte of a request has come.
    case idle
    /// A header is coming.
    case header
    /// A body is coming; how many bytes of it are missing is known.
    case body(missing: Int)
    /// A body is coming in chunks.
    case chunks
    /// The request is whole, or will never be; its answer is awaited.
    case answering
    /// The last answer has left; what comes is thrown away.
    case lingering
    case closed
  }

  private(set) var phase = Phase.idle
  /// Whether the connection ends with the answer that is awaited.
  var endsWithAnswer = false
  /// Whether its answer goes on for as long as something is told in it.
  private(set) var isStream = false
  /// Whether the last request came to its end.
  private(set) var isRequestWhole = false
  /// Whether the other side sends nothing more.
  var isInputClosed = false
  let bounds: ConnectionBounds
  private let table: ConnectionTable
  private let refusals: RefusalLog
  /// Its number in the table; nil when it was not let in.
  private let id: Int?
  private var bodyBytes = 0
  /// Bytes of a body in chunks as they came, the lines between the chunks among them.
  private var chunkedBytes = 0
  private var bodyBound = BodyBound.text
  private var lingeredBytes = 0
  private var isFresh = true
  private var deadline = NIODeadline.distantFuture
  private var timer: (due: NIODeadline, task: Scheduled<Void>)?

  init(
    _ channel: any Channel, bounds: ConnectionBounds, table: ConnectionTable,
    refusals: RefusalLog
  ) {
    self.bounds = bounds
    self.table = table
    self.refusals = refusals
    id = table.admit(channel)
  }

  var isAdmitted: Bool { id != nil }

  /// Whether nothing more is taken of what was decoded.
  var isPastReading: Bool { phase == .answering || phase == .lingering || phase == .closed }

  /// How many of the bytes that are there may be decoded now: never beyond the end of a request; nil
  /// for none.
  ///
  /// A header ends with an empty line. A chunk's length and what follows the last chunk are lines, and
  /// of a header of which a part was decoded it is no longer known where its last line began: there a
  /// piece that ends with a line ends at the latest where the request does.
  func decodable(_ bytes: ByteBuffer) -> Int? {
    guard bytes.readableBytes > 0 else { return nil }
    switch phase {
    case .idle: return bytes.withUnsafeReadableBytes { HTTPConnection.header($0) }
    case .header, .chunks:
      return bytes.withUnsafeReadableBytes { HTTPConnection.line($0, from: 0) ?? $0.count }
    case .body(let missing): return min(max(missing, 1), bytes.readableBytes)
    case .answering, .lingering, .closed: return nil
    }
  }

  /// The bytes up to the end of the first empty line behind another one, or all of them.
  private static func header(_ bytes: UnsafeRawBufferPointer) -> Int {
    var start = 0
    while let end = line(bytes, from: start) {
      let next = bytes[end...].prefix(2)
      if next.first == UInt8(ascii: "\n") { return end + 1 }
      if next.elementsEqual([UInt8(ascii: "\r"), UInt8(ascii: "\n")]) { return end + 2 }
      start = end
    }
    return bytes.count
  }

  /// Where the line that begins at `start` ends, its end included; nil when it does not.
  private static func line(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard start < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + start, 0x0A, bytes.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base + 1
  }

  /// Writes into the log that a request was refused.
  func refuse(_ code: String, _ words: String) {
    refusals.record(code, .warning, words)
  }
}

/// What happens on it, in the order in which it does.
extension HTTPConnection {
  func opened(_ context: ChannelHandlerContext) {
    wait(bounds.header, context)
  }

  func bytesCame(_ context: ChannelHandlerContext) {
    guard phase == .idle else { return }
    phase = .header
    // From the opening, where it is the first one.
    if !isFresh { wait(bounds.header, context) }
    isFresh = false
  }

  func headCame(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    endsWithAnswer = endsWithAnswer || head.endsConnection
    isRequestWhole = false
    bodyBytes = 0
    chunkedBytes = 0
    switch head.framing {
    case .none: phase = .body(missing: 0)
    case .length(let count): phase = .body(missing: count)
    case .chunked: phase = .chunks
    }
    bodyBound = BodyBound(path: head.uri)
    wait(bounds.body * bodyBound.patience, context)
  }

  /// Returns false once the body is larger than any that is taken.
  func bodyCame(_ count: Int) -> Bool {
    bodyBytes += count
    if case .body(let missing) = phase { phase = .body(missing: missing - count) }
    return bodyBytes <= bodyBound.bytes
  }

  /// Bytes of a body in chunks were decoded. Returns false once more of them are lines between the chunks than
  /// anybody needs who sends a body: zeros before a length, or what may follow one, can go on without end.
  func chunksCame(_ count: Int) -> Bool {
    chunkedBytes += count
    return phase != .chunks
      || chunkedBytes - bodyBytes <= Limits.chunkLineBytes + Limits.chunkLineBytesOfByte * bodyBytes
  }

  /// The request is whole, or there is nothing more to be had of it.
  func requestEnded(isWhole: Bool, _ context: ChannelHandlerContext) {
    isRequestWhole = isWhole
    if !isWhole { endsWithAnswer = true }
    phase = .answering
    if let id { table.mark(id, isWaiting: false) }
    wait(bounds.answer, context)
  }

  /// An answer begins; one that is a stream has time from each of its parts to the next.
  func answerBegins(isStream: Bool) {
    self.isStream = isStream
  }

  /// A part of the answer is handed on.
  func answerGoesOn(_ context: ChannelHandlerContext) {
    if isStream, phase == .answering { wait(bounds.answer, context) }
  }

  /// The answer has left and the connection stays: the next request may come.
  func stays(_ context: ChannelHandlerContext) {
    phase = .idle
    if let id { table.mark(id, isWaiting: true) }
    wait(bounds.idle, context)
  }

  /// The last answer has left, and something may still come.
  func lingers(_ context: ChannelHandlerContext) {
    phase = .lingering
    // It holds a place for which others may wait.
    if let id { table.mark(id, isWaiting: true) }
    wait(bounds.linger, context)
  }

  /// Returns false once enough has been thrown away.
  func threwAway(_ count: Int) -> Bool {
    lingeredBytes += count
    return lingeredBytes <= Limits.lingerBytes
  }

  func ended() {
    phase = .closed
    timer?.task.cancel()
    timer = nil
  }

  /// Waits from now on for so long. A timer that is due earlier than that is left to find out.
  private func wait(_ time: TimeAmount, _ context: ChannelHandlerContext) {
    deadline = .now() + time
    if let timer, timer.due <= deadline { return }
    arm(context)
  }

  private func arm(_ context: ChannelHandlerContext) {
    timer?.task.cancel()
    let due = deadline
    let loop = context.eventLoop.assumeIsolated()
    let task = loop.scheduleTask(deadline: due) { [weak self] () -> Void in
      self?.timerFired(context)
    }
    timer = (due, task)
  }

  private func timerFired(_ context: ChannelHandlerContext) {
    timer = nil
    guard phase != .closed else { return }
    guard deadline <= .now() else {
      arm(context)
      return
    }
    switch phase {
    case .header: refuse("http_slow", "closed a connection whose header took too long")
    case .body, .chunks: refuse("http_slow", "closed a connection whose body took too long")
    case .answering: refuse("http_slow", "closed a connection whose answer could not leave in time")
    case .idle, .lingering, .closed: break
    }
    breakOff(context)
  }

  /// Closes it now, whatever is on its way.
  func breakOff(_ context: ChannelHandlerContext) {
    // Whoever reads the body must not take what came of it for all.
    if phase != .idle, phase != .lingering { context.fireErrorCaught(ConnectionFault.tooSlow) }
    phase = .closed
    context.close(promise: nil)
  }
}
