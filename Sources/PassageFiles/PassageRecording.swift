import EventLoop
public import NodeCore
import Passages
public import PhotoFiles
public import Time

/// Passages on their way from rows into a sink: many to a commit, each told.
public struct PassageRecording {
  /// Rows to one commit: one fsync for all of them.
  private static let batch = 500

  /// What became of a row.
  public enum Event {
    /// It is recorded, or was before.
    case recorded(Recorded)
    /// It is recorded, and its photograph is not kept, for this reason.
    case photoLeftOut(line: Int, words: String)
    /// Its photograph is kept smaller than it was, so that it fits.
    case photoScaled(line: Int, words: String)
    /// It is not, in words.
    case refused(line: Int, words: String)
  }

  /// A row that is recorded, or was before.
  public struct Recorded: Sendable {
    /// Where it stands in its file; 0 for one that stands in none.
    public var line: Int
    /// What came of it; the number in the queue is of no meaning where it is ``keptIn`` a directory.
    public var outcome: RecordOutcome
    /// What was recorded.
    public var request: RecordRequest
    /// The directory in which it waits for the service; nil when it is in the queue.
    public var keptIn: String?
    /// What rangers have to be warned of.
    public var alerts: [TravelAlert]
  }

  /// How many of the rows ended how.
  public struct Counts: Hashable, Sendable {
    /// Those that are recorded now.
    public var recorded = 0
    /// Those that were recorded before.
    public var known = 0
    /// Those that are not recorded.
    public var refused = 0
    /// Those among the recorded ones of which nobody knows when they were.
    public var undated = 0
    /// Those among the recorded ones that wait for the service outside the queue.
    public var kept = 0
    /// Photographs that are not kept, of passages that are.
    public var photosLeftOut = 0
  }

  /// Makes passages of the rows; its clock is that of the row which came last.
  public private(set) var checker: PassageChecker
  /// How the rows ended that were told.
  public private(set) var counts = Counts()
  /// The directory in which some wait for the service; nil when all are in the queue.
  public private(set) var keptIn: String?
  /// What the service last knew against this machine's clock.
  public private(set) var clockAlarm: String?
  private var sink: any PassageSink
  private var photos: (any PhotoKeeper)?
  private let scaler: PhotoScaler?
  private let clocks: any Clocks
  private let checkpost: String?
  private let readTime: ((String, WallTime) -> String)?
  private var pending: [Row] = []
  /// Rows that the sink has and has not answered for: it records them while the next are read.
  private var handedOver: [Row] = []

  private typealias Row = (line: Int, request: RecordRequest)

  /// A recording into a sink.
  ///
  /// - Parameters:
  ///   - photos: Where the photographs are kept that rows name; without one, what a row names is only
  ///     noted.
  ///   - scaler: What makes a photograph smaller that is too large; nil for nothing.
  ///   - checkpost: The post of rows that name none.
  ///   - readTime: How a time is read that somebody types, such as `18:10`, at a moment; what it cannot read it
  ///     leaves as it is. A row without a time is of now then. Without it, every row has to have a time.
  public init(
    into sink: any PassageSink, photos: (any PhotoKeeper)? = nil, scaler: PhotoScaler? = nil,
    checker: PassageChecker, clocks: any Clocks, checkpost: String?,
    readTime: ((String, WallTime) -> String)? = nil
  ) {
    self.readTime = readTime
    self.sink = sink
    self.scaler = scaler
    self.photos = photos
    self.checker = checker
    self.clocks = clocks
    self.checkpost = checkpost
  }

  /// Records the passage of one row.
  public mutating func record(_ row: PassageRow, tell: (Event) throws -> Void) throws {
    try take(.success(row), tell)
    try commit(tell)
  }

  /// Records the passages of a file that `next` gives block by block, until it gives nil.
  ///
  /// - Parameters:
  ///   - name: What the file is called where it is spoken of.
  ///   - isSlow: Whether nobody knows when the next block will come: then what came is recorded, and
  ///     told, before it is waited for.
  ///   - progress: Called after each block with the bytes that were read.
  /// - Throws: What `next` throws, and for what is no table of passages. What was read before that is
  ///   recorded.
  public mutating func record<Failure: Error>(
    _ name: String, isSlow: Bool, next: () throws(Failure) -> [UInt8]?,
    tell: (Event) throws -> Void, progress: (Int) throws -> Void = { _ in }
  ) throws {
    var reader = PassageReader(name: name, isTyped: readTime != nil)
    var done = 0
    while let block = try block(from: next, tell) {
      checker.now = clocks.wall()
      for entry in try reader.read(block) { try take(entry, tell) }
      done += block.count
      if isSlow { try commit(tell) }
      try progress(done)
    }
    for entry in try reader.finish() { try take(entry, tell) }
    try commit(tell)
  }

  /// The next block. When it cannot be read, what was read before is recorded all the same.
  private mutating func block<Failure: Error>(
    from next: () throws(Failure) -> [UInt8]?, _ tell: (Event) throws -> Void
  ) throws -> [UInt8]? {
    do throws(Failure) {
      return try next()
    } catch let reading {
      // Batch by batch: of what is recorded each row is told, whatever becomes of the rest.
      try report(try Self.sent(before: reading) { try finish() }, tell)
      try report(try Self.sent(before: reading) { try sendAll() }, tell)
      throw reading
    }
  }

  /// What came of rows that were read before the file broke off. Who reads of the file alone would take
  /// them for recorded.
  private static func sent(before reading: any Error, _ send: () throws -> Sent) throws -> Sent {
    do {
      return try send()
    } catch let recording {
      throw BrokenOff(reading: reading, recording: recording)
    }
  }

  /// Why a file broke off, and why what was read of it before is not recorded either.
  public struct BrokenOff: Error, CustomStringConvertible {
    /// Why it cannot be read on.
    public let reading: any Error
    /// Why the rest is not recorded.
    public let recording: any Error

    /// Both, in words.
    public var description: String {
      "\(reading); what was read before that is not recorded: \(recording)"
    }
  }

  private mutating func take(
    _ entry: PassageReader.Entry, _ tell: (Event) throws -> Void
  ) throws {
    switch entry {
    case .failure(let fault):
      try refuse(fault.line, fault.words, tell)
    case .success(var row):
      row.checkpost = row.checkpost ?? checkpost
      if let readTime {
        row.isNow = row.isNow || row.recordedAt.map(\.isEmpty) ?? true
        row.recordedAt =
          row.isNow
          ? row.recordedAt ?? checker.now.rfc3339 : row.recordedAt.map { readTime($0, checker.now) }
      }
      var request: RecordRequest
      do throws(PassageChecker.Fault) {
        request = try checker.request(row)
      } catch {
        return try refuse(row.line, error.words, tell)
      }
      try addPhotograph(of: row, to: &request, tell)
      pending.append((row.line, request))
      if pending.count >= PassageRecording.batch {
        try report(try finish(), tell)
        try handOver()
      }
    }
  }

  /// Keeps the photograph that a row names. A table may name one that lies elsewhere, as an export does: then the
  /// name is only noted. Whatever is wrong with one, its passage is recorded.
  private mutating func addPhotograph(
    of row: PassageRow, to request: inout RecordRequest, _ tell: (Event) throws -> Void
  ) throws {
    guard photos != nil, let path = row.photoPath, !path.isEmpty,
      row.hasPhotoAtHand || SmallFile.exists(path)
    else { return }
    let photograph: Photograph
    let isScaled: Bool
    do throws(PhotoFileError) {
      (photograph, isScaled) = try Photograph.fitting(path, by: scaler)
    } catch {
      return try leaveOut(error.reason, words: error.description, of: &request, row.line, tell)
    }
    try keep(photograph, for: &request, row.line, tell)
    guard isScaled, request.photo != nil else { return }
    try tell(
      .photoScaled(
        line: row.line,
        words: "\(path): was larger than \(Limits.photoBytes >> 20) MB, and is kept with"
          + " \(max(1, photograph.bytes.count >> 10)) KB"))
  }

  private mutating func keep(
    _ photograph: Photograph, for request: inout RecordRequest, _ line: Int,
    _ tell: (Event) throws -> Void
  ) throws {
    do throws(PhotoNotKept) {
      request.photo = try photos?.keep(photograph)
      request.passage.photoPath = request.photo?.path
    } catch {
      try leaveOut(error.words, words: error.words, of: &request, line, tell)
    }
  }

  /// Notes with the passage that its photograph is not kept, and tells it.
  ///
  /// - Parameter reason: Why, without the name of a file.
  private mutating func leaveOut(
    _ reason: String, words: String, of request: inout RecordRequest, _ line: Int,
    _ tell: (Event) throws -> Void
  ) throws {
    request.passage.photoPath = nil
    request.photoLeftOut = reason
    counts.photosLeftOut += 1
    try tell(.photoLeftOut(line: line, words: words))
  }

  private mutating func refuse(
    _ line: Int, _ words: String, _ tell: (Event) throws -> Void
  ) throws {
    counts.refused += 1
    try tell(.refused(line: line, words: words))
  }

  private mutating func commit(_ tell: (Event) throws -> Void) throws {
    try report(try finish(), tell)
    try report(try sendAll(), tell)
  }

  /// Rows that are recorded, and what came of each.
  private struct Sent {
    var rows: [(line: Int, request: RecordRequest, outcome: RecordOutcome)] = []
    var recorded = RecordedPassages(outcomes: [])
  }

  private mutating func sendAll() throws -> Sent {
    try handOver()
    return try finish()
  }

  private mutating func handOver() throws {
    guard !pending.isEmpty else { return }
    let rows = pending
    pending = []
    try sink.begin(rows.map(\.request))
    handedOver = rows
  }

  private mutating func finish() throws -> Sent {
    guard !handedOver.isEmpty else { return Sent() }
    let rows = handedOver
    handedOver = []
    let recorded = try sink.finish()
    clockAlarm = recorded.clockAlarm
    return Sent(
      rows: zip(rows, recorded.outcomes).map { ($0.line, $0.request, $1) }, recorded: recorded)
  }

  private mutating func report(_ sent: Sent, _ tell: (Event) throws -> Void) throws {
    let unused = sent.rows.compactMap { row -> String? in
      if case .recorded = row.outcome { nil } else { row.request.photo?.path }
    }
    if !unused.isEmpty { photos?.giveBack(unused) }
    for row in sent.rows {
      switch row.outcome {
      case .recorded:
        counts.recorded += 1
        if row.request.passage.isUndated { counts.undated += 1 }
        if let place = sent.recorded.keptIn {
          keptIn = place
          counts.kept += 1
        }
      case .alreadyRecorded:
        counts.known += 1
      case .identityTaken(let client):
        try refuse(row.line, "client_id \(client): belongs to another passage already", tell)
        continue
      }
      let client = row.outcome.clientID
      try tell(
        .recorded(
          Recorded(
            line: row.line, outcome: row.outcome, request: row.request,
            keptIn: sent.recorded.keptIn,
            alerts: sent.recorded.alerts.filter { $0.exit?.clientID == client })))
    }
  }
}
