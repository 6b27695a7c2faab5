import EventLoop
import NodeCore
import Passages
import ServerHTTP
import ServerModel
import ServerSimulator
import Supabase
import Time

/// Passages on their way to a server on this machine that keeps each on disk before it says so.
enum SyncFigure {
  private static let backlog = 2_001
  private static let slowItems = 100
  private static let slowMost = 60.0
  private static let returnMost = 1e9
  private static let drainMost = 2.0
  /// Its own flush, and the one of the sync that was under way.
  private static let recordMost = 2.2

  static func measure(_ place: Place, _ report: inout Report) async throws {
    try await record(place, &report)
    try await drain(place, &report)
    try await lineReturns(place, &report)
    try await slowServer(place, &report)
  }

  // MARK: Recording meanwhile

  /// Each record comes while the passage before it is going to the server.
  private static func record(_ place: Place, _ report: inout Report) async throws {
    let sync = try await SyncPost(place, "record")
    let page = try BarePage(place.path("record/floor"))
    try await begin(sync)
    sync.line(isUp: true)
    let disk = try await compare(sync, page, 1..<1_000)
    let card = try await Flushes.slowed(to: Flushes.card) {
      try await compare(sync, page, 1_000..<1_200)
    }
    _ = try await sync.uploaded(1_200)
    try sync.end()
    add("record, passages go to the server", disk, target: nil, &report)
    add("record so, a flush takes 5 ms", card, target: recordMost, &report)
  }

  private static func add(
    _ name: String, _ outcome: (record: Samples, floor: Samples), target: Double?,
    _ report: inout Report
  ) {
    let (median, floor) = (outcome.record.median, outcome.floor.median)
    report.add(
      Figure(
        name: name, measured: Format.time(median), against: "floor: one page, flushed",
        reference: Format.time(floor), ratio: median / floor,
        target: target.map { "<= \(Format.number($0, places: 2)) times" },
        isMet: target.map { median / floor <= $0 } ?? true))
    report.note(
      "one in a hundred takes \(Format.time(outcome.record.part(99))) or longer, the slowest took "
        + Format.time(outcome.record.most))
  }

  private static func compare(
    _ sync: SyncPost, _ page: BarePage, _ numbers: Range<Int>
  ) async throws -> (record: Samples, floor: Samples) {
    var (recorded, floor) = (Samples(), Samples())
    for number in numbers {
      floor.add(try Stopwatch.time { try page.put() })
      sync.hurry()
      let start = Stopwatch.now()
      try await sync.record(number)
      recorded.add(Double(Stopwatch.now() - start))
    }
    return (recorded, floor)
  }

  // MARK: A backlog

  private static func drain(_ place: Place, _ report: inout Report) async throws {
    let bare = try await bareRequests(place)
    let sync = try await SyncPost(place, "drain")
    try await begin(sync)
    for number in 1...backlog { try await sync.record(number) }
    let start = Stopwatch.now()
    sync.line(isUp: true)
    let end = try await sync.drained(backlog, after: 1)
    let rows = sync.server.withModel { $0.rows(of: "vehicle_passages").count }
    guard rows == backlog + 1 else { throw Failure("the server has \(rows) rows of \(backlog)") }
    try sync.end()
    let node = Double(backlog) / Double(end - start) * 1e9
    report.add(
      Figure(
        name: "a backlog to a durable server",
        measured: "\(Format.number(node, places: 0))/s", against: "the same client's bare requests",
        reference: "\(Format.number(bare, places: 0))/s", ratio: bare / node,
        target: "<= \(Format.number(drainMost, places: 2)) times", isMet: bare / node <= drainMost))
    report.note(
      "\(backlog) passages, in batches of \(NodeCore.Limits.batch); as a post does it, a second is "
        + "between two batches")
  }

  /// One passage goes, so that the post is signed in and knows its place; then the line is lost.
  private static func begin(_ sync: SyncPost) async throws {
    sync.line(isUp: true)
    try await sync.record(0)
    _ = try await sync.uploaded(1)
    sync.line(isUp: false)
  }

  /// The same passages by the same client in the same batches, without a queue.
  private static func bareRequests(_ place: Place) async throws -> Double {
    let server = try ServerSimulator(.pilot(), journal: place.path("bare.journal"))
    try server.start()
    let client = CurlServerClient(
      ServerEndpoint(url: server.url, apiKey: SyncPost.key, timeout: .seconds(20)))
    let api = SupabaseAPI(
      login: SupabaseAPI.Login(
        user: "sita", domain: "bnp.local", password: Token("east-gate-1")))
    guard case .session(let session) = try await ask(.signIn(.password), client, api) else {
      throw Failure("the server signs nobody in")
    }
    let at = ServerPlace(
      checkpostID: ServerModel.Pilot.east, segmentID: ServerModel.Pilot.segment,
      rangerID: ServerModel.Pilot.eastRanger)
    let now = SystemClocks().wall()
    var batches: [[PassagePush]] = []
    for start in stride(from: 0, to: backlog, by: NodeCore.Limits.batch) {
      batches.append(
        try (start..<min(start + NodeCore.Limits.batch, backlog)).map {
          PassagePush(try PassageSamples.passage(2 * $0, at: now), at: at)
        })
    }
    let start = Stopwatch.now()
    for batch in batches {
      let result = try await ask(.push(batch), client, api, session.accessToken)
      guard case .stored(let rows) = result, rows.count == batch.count else {
        throw Failure("the server did not take a batch: \(result)")
      }
    }
    let took = Stopwatch.now() - start
    client.end()
    server.stop()
    server.join()
    return Double(backlog) / Double(took) * 1e9
  }

  private static func ask(
    _ call: ServerCall, _ client: CurlServerClient, _ api: SupabaseAPI, _ token: Token? = nil
  ) async throws -> ServerResult {
    let reply = await withCheckedContinuation { continuation in
      client.call(call, by: api, token: token) { continuation.resume(returning: $0) }
    }
    return try reply.result.get()
  }

  // MARK: The line

  private static func lineReturns(_ place: Place, _ report: inout Report) async throws {
    let sync = try await SyncPost(place, "return")
    try await begin(sync)
    var samples = Samples()
    for number in 1...20 {
      sync.line(isUp: false)
      try await sync.record(number)
      sync.clocks.forward(.seconds(600))
      Stopwatch.rest()
      let start = Stopwatch.now()
      sync.line(isUp: true)
      samples.add(Double(try await sync.uploaded(number + 1) - start))
    }
    try sync.end()
    report.add(
      Figure(
        name: "from the line's return to the first push", measured: Format.time(samples.median),
        against: "as promised", reference: "1 s", ratio: nil, target: "< 1 s",
        isMet: samples.most < returnMost))
    report.note(
      "the slowest of 20 took \(Format.time(samples.most)); the server has it on disk by then")
  }

  /// The clock is not set forward here.
  private static func slowServer(_ place: Place, _ report: inout Report) async throws {
    let sync = try await SyncPost(place, "slow")
    try await begin(sync)
    for number in 1...slowItems { try await sync.record(number) }
    sync.server.behave { $0.latency = .seconds(1) }
    let start = Stopwatch.now()
    sync.line(isUp: true)
    let end = try await sync.uploaded(slowItems + 1)
    try sync.end()
    let seconds = Double(end - start) / 1e9
    report.add(
      Figure(
        name: "100 passages, the server takes 1 s",
        measured: "\(Format.number(seconds, places: 1)) s", against: "as promised",
        reference: "60 s", ratio: nil, target: "<= 60 s", isMet: seconds <= slowMost))
  }
}
