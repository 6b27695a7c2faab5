import CPostgreSQL
import EventLoop
import Time

/// One connection of the library's, driven without blocking: it waits on the socket itself, with a deadline.
///
/// What it throws says that the connection is of no use any more; what the server refuses is a ``Reply``.
final class DatabaseLine {
  /// One message to the server.
  enum Request {
    case text(String)
    case prepare(name: String, text: String)
    case describe(name: String)
    case execute(name: String, values: [EncodedValue], isBinary: Bool)
  }

  /// What came of a message.
  enum Reply {
    case done(PostgreSQLResult)
    case refused(PostgreSQLReport)
    /// One before it in its group was refused.
    case skipped
  }

  /// What the server said last of all.
  final class Farewell {
    let pointer: UnsafeMutablePointer<cpostgresql_farewell>

    init() {
      pointer = .allocate(capacity: 1)
      pointer.initialize(to: cpostgresql_farewell())
    }

    deinit {
      pointer.deallocate()
    }

    /// `57P01: terminating connection due to administrator command`; nil when it said nothing.
    var words: String? {
      let state = text(UnsafeRawBufferPointer(start: pointer, count: 5))
      guard SQLState(state) != nil else { return nil }
      return withUnsafeBytes(of: pointer.pointee.words) { "\(state): \(text($0))" }
    }

    private func text(_ bytes: UnsafeRawBufferPointer) -> String {
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  let pointer: OpaquePointer
  private let farewell: Farewell
  var patience: DatabasePatience
  /// Whether all of the last exchange was handed to the system, so that the server may have it.
  private(set) var isSent = false

  init(_ pointer: OpaquePointer, _ farewell: Farewell, _ patience: DatabasePatience) {
    self.pointer = pointer
    self.farewell = farewell
    self.patience = patience
  }

  deinit {
    cpostgresql_finish(pointer)
  }

  var descriptor: Int32 { cpostgresql_socket(pointer) }
  var transaction: cpostgresql_transaction { cpostgresql_transaction_status(pointer) }

  /// Takes in what came while nothing was asked.
  func checkIdle() throws(PostgreSQLError) {
    while patience.isReadable(descriptor) {
      guard cpostgresql_consume(pointer) == 1, cpostgresql_connection_status(pointer) == 0 else {
        throw lost()
      }
      // What came is looked at by this call; warnings are dropped there.
      guard cpostgresql_is_busy(pointer) == 0 else { return }
    }
  }

  /// Sends all groups at once and reads what comes of them, in order. A refused request skips the rest of its
  /// group.
  ///
  /// - Parameters:
  ///   - each: How long to wait for one answer.
  ///   - deadline: When all has to be over; nil for no such end.
  ///   - finished: Is called with each group's replies.
  func exchange(
    _ groups: [[Request]], each: Duration, until deadline: BootInstant?,
    finished: ([Reply]) -> Void
  ) throws(PostgreSQLError) {
    isSent = false
    guard cpostgresql_enter_pipeline(pointer) == 1 else { throw lost() }
    for group in groups {
      for request in group {
        guard send(request) == 1 else { throw lost() }
      }
      guard cpostgresql_synchronise(pointer) == 1 else { throw lost() }
    }
    try flush(end(each, deadline))
    for group in groups {
      var replies: [Reply] = []
      for _ in group {
        replies.append(try reply(each, deadline))
      }
      guard let memory = try next(end(each, deadline)),
        cpostgresql_outcome(memory.pointer) == CPOSTGRESQL_SYNCHRONISED
      else { throw lost() }
      finished(replies)
    }
    guard try next(end(each, deadline)) == nil, cpostgresql_exit_pipeline(pointer) == 1 else {
      throw lost()
    }
  }

  /// Sends a text with any number of statements and reads what comes of each.
  func run(
    _ script: String, each: Duration, until deadline: BootInstant?
  ) throws(PostgreSQLError) -> [Reply] {
    isSent = false
    guard cpostgresql_send_script(pointer, script) == 1 else { throw lost() }
    try flush(end(each, deadline))
    var replies: [Reply] = []
    while let memory = try next(end(each, deadline)) {
      replies.append(try reply(memory))
    }
    return replies
  }

  /// Everything that comes of one request, which is one answer and its end.
  private func reply(
    _ each: Duration, _ deadline: BootInstant?
  ) throws(PostgreSQLError) -> Reply {
    guard let memory = try next(end(each, deadline)) else { throw lost() }
    let reply = try reply(memory)
    guard try next(end(each, deadline)) == nil else { throw lost() }
    return reply
  }

  private func reply(_ memory: PostgreSQLResult.Memory) throws(PostgreSQLError) -> Reply {
    switch cpostgresql_outcome(memory.pointer) {
    case CPOSTGRESQL_DONE, CPOSTGRESQL_ROWS, CPOSTGRESQL_EMPTY:
      return .done(PostgreSQLResult(memory: memory))
    case CPOSTGRESQL_SKIPPED: return .skipped
    case CPOSTGRESQL_ERROR:
      guard let report = PostgreSQLReport(memory.pointer) else { throw lost() }
      guard !report.isFatal else { throw .lost(reason: report.description) }
      return .refused(report)
    case CPOSTGRESQL_COPY_IN, CPOSTGRESQL_COPY_OUT, CPOSTGRESQL_COPY_BOTH:
      throw .misused(reason: "COPY is not spoken here")
    default: throw lost()
    }
  }

  private func flush(_ deadline: BootInstant) throws(PostgreSQLError) {
    while true {
      switch cpostgresql_flush(pointer) {
      case 0:
        isSent = true
        return
      case 1: break
      default: throw lost()
      }
      // The server may wait for us to read before it reads more.
      try patience.wait(
        for: Interest(descriptor: descriptor, readable: true, writable: true), until: deadline,
        .answer)
      if patience.isReadable(descriptor), cpostgresql_consume(pointer) == 0 { throw lost() }
    }
  }

  /// The next answer; nil at the end of a request's.
  private func next(_ deadline: BootInstant) throws(PostgreSQLError) -> PostgreSQLResult.Memory? {
    while cpostgresql_is_busy(pointer) == 1 {
      try patience.wait(for: Interest(descriptor: descriptor), until: deadline, .answer)
      // What was read before the end may be an answer, and is handed out before the end is told.
      if cpostgresql_consume(pointer) == 0, cpostgresql_is_busy(pointer) == 1 { throw lost() }
    }
    if let result = cpostgresql_next(pointer) { return PostgreSQLResult.Memory(result) }
    guard cpostgresql_connection_status(pointer) == 0 else { throw lost() }
    return nil
  }

  private func end(_ each: Duration, _ deadline: BootInstant?) -> BootInstant {
    let end = patience.clocks.boot() + each
    return deadline.map { min($0, end) } ?? end
  }

  private func send(_ request: Request) -> Int32 {
    switch request {
    case .text(let text): cpostgresql_send_text(pointer, text)
    case .prepare(let name, let text): cpostgresql_send_prepare(pointer, name, text)
    case .describe(let name): cpostgresql_send_describe(pointer, name)
    case .execute(let name, let values, let isBinary): execute(name, values, isBinary)
    }
  }

  private func execute(_ name: String, _ values: [EncodedValue], _ isBinary: Bool) -> Int32 {
    var space: [UInt8] = []
    var starts: [Int?] = []
    for value in values {
      starts.append(value.bytes == nil ? nil : space.count)
      space += value.bytes ?? []
    }
    // So that even an empty value has a place.
    space.append(0)
    return space.withUnsafeBytes { space in
      let base = space.baseAddress?.assumingMemoryBound(to: CChar.self)
      let pointers = starts.map { start in start.flatMap { base?.advanced(by: $0) } }
      return cpostgresql_send_prepared(
        pointer, name, Int32(values.count), pointers,
        values.map { Int32(clamping: $0.bytes?.count ?? 0) },
        values.map { $0.isBinary ? 1 : 0 }, isBinary ? 1 : 0)
    }
  }

  /// What the library says of a connection that is of no use any more.
  func lost() -> PostgreSQLError {
    if let words = farewell.words { return .lost(reason: words) }
    let words = LibraryWords(cpostgresql_message(pointer).map { String(cString: $0) } ?? "")
    return .lost(reason: words.reason)
  }
}

extension PostgreSQLReport {
  /// What the server said; nil when it was not the server, but the library that speaks of a lost connection.
  init?(_ result: OpaquePointer) {
    func field(_ letter: Character) -> String? {
      guard let code = letter.asciiValue else { return nil }
      return cpostgresql_error_field(result, CChar(bitPattern: code)).map { String(cString: $0) }
    }
    guard let state = field("C").flatMap(SQLState.init) else { return nil }
    self.init(
      state, message: String((field("M") ?? "").prefix(Limits.messageCharacters)),
      detail: field("D").map { String($0.prefix(Limits.messageCharacters)) },
      constraint: field("n"), table: field("t"), column: field("c"),
      isFatal: ["FATAL", "PANIC"].contains(field("V")), routine: field("R"))
  }
}
