import Events
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Storage
import Testing
import Time

/// Vehicles that are warned of on the spot, by the machine over its store.
struct MatchingTests {
  /// 30 km between 20 and 60 km/h: from half an hour to an hour and a half.
  func rules(_ base: NodeRules = .alone) throws -> NodeRules {
    var rules = base
    rules.matching.segment = try Segment(
      name: "Banepa", distanceKilometres: 30, minimumKilometresPerHour: 20,
      maximumKilometresPerHour: 60)
    rules.matching.ownPost = try CheckpostCode("BNP-B")
    rules.matching.oppositePost = try CheckpostCode("BNP-A")
    rules.matching.oppositeNumbers = ["+9779841000001"]
    rules.checkpost = try CheckpostCode("BNP-B")
    return rules
  }

  /// The rules of a node that signs in, and hears of the segments from the server.
  func connected() throws -> NodeRules {
    var rules = try rules(.connected)
    rules.sync.userID = "user"
    rules.matching.segment = nil
    rules.matching.oppositePost = nil
    return rules
  }

  func passage(_ plate: String, _ post: String, _ time: WallTime) throws -> Passage {
    try Passage(
      recording: try Plate(plate), vehicleType: .car, checkpost: try CheckpostCode(post),
      recordedAt: time, suffix: .unknown)
  }

  /// The opposite post texts that a vehicle came in now.
  func enter(_ plate: String, _ bench: Bench) throws -> [NodeOutput] {
    let body = try passage(plate, "BNP-A", bench.wall).v1Body
    return try bench.handle(.received(try deliver(body), token: 1))
  }

  func leave(_ plate: String, _ bench: Bench) throws -> [NodeOutput] {
    let request = RecordRequest(try passage(plate, "BNP-B", bench.wall))
    return try bench.handle(.record(requestID: 1, [request]))
  }

  @Test func aVehicleThatWasTooFastIsToldAsItIsRecorded() throws {
    let bench = try Bench(try rules())
    try bench.start()
    #expect(try enter("BA1PA1234", bench).alerts.isEmpty)
    bench.wait(.seconds(1_200))
    let outputs = try leave("BA1PA1234", bench)
    let alert = try #require(outputs.alerts.first)
    #expect(outputs.alerts.count == 1)
    #expect(alert.kind == .speeding)
    #expect(alert.plate == "BA1PA1234")
    #expect(alert.seconds == 1_200)
    #expect(alert.entry.origin == .text)
    #expect(alert.exit?.origin == .here)
    #expect(!alert.isSure, "nobody compared the clocks")
    let event = try #require(outputs.events.first { $0.name == "speeding_found" })
    #expect(event["plate"] == .plate("BA1PA1234"))
    #expect(event["travel_seconds"] == .integer(1_200))
    #expect(event["speed_kmh"] == .integer(90))
    #expect(!event.words.contains("BA1PA1234"))
  }

  /// Whose number the profile has is named by the store, and the passage gets another identity by that: the
  /// warning, the log and the outcome name the one that is stored. The two identities sort at random.
  @Test(arguments: 1...8) func theWarningNamesThePassageAsItIsStored(_ number: Int) throws {
    let plate = "BA1PA\(number)"
    let bench = try Bench(try rules())
    try bench.store.transaction { transaction throws(StorageError) in
      var memory = try transaction.memory()
      let profile = ServerProfile(
        userID: "u", fullName: "Sita", role: "ranger", isActive: true, post: nil, segment: nil,
        phone: "+9779841117001")
      memory.directory = PostDirectory(profile: profile, opposite: nil)
      try transaction.remember(memory)
    }
    try bench.start()
    _ = try enter(plate, bench)
    bench.wait(.seconds(1_200))
    let outputs = try leave(plate, bench)
    let stored = try #require(try bench.store.item(1)).passage
    #expect(stored.suffix.digits == "7001")
    #expect(outputs.alerts.map(\.exit?.clientID) == [stored.clientID])
    for name in ["passage_recorded", "speeding_found"] {
      let event = try #require(outputs.events.first { $0.name == name })
      #expect(event["client_id"] == .identity(stored.clientID.description), "\(name)")
    }
  }

  @Test func aLawfulTravelIsNoWarning() throws {
    let bench = try Bench(try rules())
    try bench.start()
    _ = try enter("BA1PA1234", bench)
    bench.wait(.seconds(3_000))
    #expect(try leave("BA1PA1234", bench).alerts.isEmpty)
  }

  /// What was recorded long ago, as from a file, is no news to anybody on the spot.
  @Test func anOldTravelIsNoWarning() throws {
    let bench = try Bench(try rules())
    try bench.start()
    let entry = bench.wall
    _ = try enter("BA1PA1234", bench)
    bench.wait(.seconds(5_000))
    let late = RecordRequest(try passage("BA1PA1234", "BNP-B", entry + .seconds(1_000)))
    #expect(try bench.handle(.record(requestID: 1, [late])).alerts.isEmpty)
  }

  /// It is told at the second, once, over a restart too, and is over when the vehicle is seen.
  @Test func aVehicleThatIsOverdueIsToldOnce() throws {
    let bench = try Bench(try rules())
    try bench.start()
    let entry = bench.wall
    _ = try enter("BA1PA1234", bench)
    var told: [NodeOutput] = []
    while told.alerts.isEmpty, let next = bench.machine.nextDeadline,
      bench.wall <= entry + .seconds(6_000)
    {
      told = try bench.pass(max(next - bench.boot, .nanoseconds(1)))
    }
    #expect(told.alerts.map(\.kind) == [.overdue])
    #expect(bench.wall == entry + .seconds(5_402))
    #expect(told.events.contains { $0.name == "vehicle_overdue" })
    #expect(try bench.crash().alerts.isEmpty)
    #expect(try bench.pass(.seconds(700)).alerts.isEmpty)
    let outputs = try leave("BA1PA1234", bench)
    #expect(outputs.alerts.map(\.kind) == [.overstay])
    #expect(outputs.events.contains { $0.name == "overdue_ended" })
    #expect(try bench.pass(.seconds(700)).alerts.isEmpty)
  }

  /// Two rangers at the other post recorded it within a minute, and the second record arrives when it is overdue by the
  /// first: it is one vehicle.
  @Test(arguments: [(41, 1), (61, 2)] as [(Int64, Int)])
  func whatTwoRangersRecordedIsOverdueOnce(_ apart: Int64, _ count: Int) throws {
    let bench = try Bench(try rules())
    try bench.start()
    let entry = bench.wall
    _ = try enter("BA1PA1234", bench)
    var told = try bench.pass(.seconds(6_000))
    #expect(told.alerts.map(\.kind) == [.overdue])
    let body = try passage("BA1PA1234", "BNP-A", entry + .seconds(apart)).v1Body
    told += try bench.handle(.received(try deliver(body), token: 2))
    told += try bench.pass(.seconds(700))
    #expect(told.alerts.map(\.kind) == Array(repeating: .overdue, count: count))
    #expect(try leave("BA1PA1234", bench).alerts.map(\.kind) == [.overstay])
    #expect(bench.machine.report(at: bench.boot).alerts?.overdue.isEmpty == true)
  }

  /// More are overdue than are kept: each one is told of once, those that came in first give way, and none comes again.
  @Test func theNextOneIsToldOfThoughTooManyAreOverdue() throws {
    let bench = try Bench(try connected())
    try bench.start()
    let server = MatchingServer()
    server.entries = try (0..<260 as Range<Int64>).map {
      try passage("BA1PA\($0 + 1000)", "BNP-A", bench.wall - .seconds(6_000 - $0))
    }
    var told = try server.serve(bench, try bench.handle(.linkChanged(.up)))
    for _ in 0..<3 { told += try server.serve(bench, try bench.pass(.seconds(700))) }
    #expect(told.alerts.count == 260)
    #expect(Set(told.alerts.map(\.plate)).count == 260)
    #expect(told.events.count { $0.name == "overdue_ended" } == 60)
    let overdue = bench.machine.report(at: bench.boot).alerts?.overdue ?? []
    #expect(overdue.count == 200)
    #expect(overdue.allSatisfy { $0.entry.recordedAt >= server.entries[60].recordedAt })
  }

  /// The word of a stranger is no passage.
  @Test func textsOfOthersAreOnlyKept() throws {
    var rules = try rules()
    rules.matching.oppositeNumbers = ["+9779841000002"]
    let bench = try Bench(rules)
    try bench.start()
    let outputs = try enter("BA1PA1234", bench)
    #expect(outputs.events.contains { $0.name == "text_received" })
    bench.wait(.seconds(600))
    #expect(try leave("BA1PA1234", bench).alerts.isEmpty)
  }

  @Test func withoutASegmentNothingIsMatched() throws {
    var rules = try rules()
    rules.matching.segment = nil
    let bench = try Bench(rules)
    try bench.start()
    _ = try enter("BA1PA1234", bench)
    bench.wait(.seconds(600))
    #expect(try leave("BA1PA1234", bench).alerts.isEmpty)
  }

  /// From the server: what it tells of the opposite post is matched, what it tells no longer is let go of.
  @Test func whatTheServerTellsIsMatched() throws {
    let bench = try Bench(try connected())
    try bench.start()
    let server = MatchingServer()
    server.entries = [
      try passage("BA1PA1234", "BNP-A", bench.wall - .seconds(600)),
      try passage("BA1PA5678", "BNP-A", bench.wall - .seconds(5_390)),
    ]
    var outputs = try server.serve(bench, try bench.handle(.linkChanged(.up)))
    #expect(server.pulls == 2, "a page, and whether it was all")
    #expect(outputs.alerts.isEmpty)
    let speeding = try leave("BA1PA1234", bench)
    #expect(speeding.alerts.map(\.kind) == [.speeding])
    #expect(speeding.alerts.first?.isSure == true, "the clocks were compared")
    server.entries.removeFirst()
    _ = try server.serve(bench, speeding)
    outputs = try server.serve(bench, try bench.pass(.seconds(31)))
    #expect(outputs.alerts.map(\.plate) == ["BA1PA5678"])
    // Another device of this post recorded its way out, and the server found the pair.
    server.entries = []
    outputs = try server.serve(bench, try bench.pass(.seconds(31)))
    let ended = outputs.events.first { $0.name == "overdue_ended" }
    #expect(ended?["ending"] == .text("settled"))
  }

  /// The opposite post had no line for most of a day: its entries arrive when their time is long up. The vehicle is
  /// overdue at once, and warned of when it leaves.
  @Test(arguments: [false, true]) func anEntryThatArrivesHoursLateIsStillWarnedOf(afterOutage: Bool)
    throws
  {
    let bench = try Bench(try connected())
    try bench.start()
    let server = MatchingServer()
    server.keepsTo = true
    let entry = try passage("BA1PA1234", "BNP-A", bench.wall - .seconds(9 * 3_600))
    var outputs: [NodeOutput] = []
    if afterOutage {
      server.entries = [entry]
      outputs = try server.serve(bench, try bench.handle(.linkChanged(.up)))
    } else {
      outputs = try server.serve(bench, try bench.handle(.linkChanged(.up)))
      outputs += try server.serve(bench, try bench.pass(.seconds(31)))
      server.entries = [entry]
      // The looks that ask for a whole day come every quarter of an hour.
      for _ in 0..<31 { outputs += try server.serve(bench, try bench.pass(.seconds(31))) }
    }
    #expect(outputs.alerts.map(\.kind) == [.overdue])
    // A restart in between does not lose it.
    #expect(try bench.crash().alerts.isEmpty)
    outputs = try leave("BA1PA1234", bench)
    #expect(outputs.alerts.map(\.kind) == [.overstay])
    #expect(outputs.events.contains { $0.name == "overdue_ended" })
  }
}

/// The middle one of three posts on a road.
struct MiddlePostStoryTests {
  private let matching = MatchingTests()

  /// 30 km to BNP-A between 20 and 60 km/h, 12 km to BNP-C between 20 and 50.
  private func server() -> MatchingServer {
    let server = MatchingServer()
    server.isOnARoad = true
    return server
  }

  @Test func bothEndsAreWatchedAndEachByItsOwnLimits() throws {
    let bench = try Bench(try matching.connected())
    try bench.start()
    let server = server()
    server.entries = [
      try matching.passage("BA1PA1000", "BNP-A", bench.wall - .seconds(1_200)),
      try matching.passage("BA1PA2000", "BNP-C", bench.wall - .seconds(600)),
      try matching.passage("BA1PA3000", "BNP-C", bench.wall - .seconds(1_200)),
      try matching.passage("BA1PA4000", "BNP-C", bench.wall - .seconds(2_150)),
      try matching.passage("BA1PA5000", "BNP-A", bench.wall - .seconds(5_380)),
    ]
    var outputs = try server.serve(bench, try bench.handle(.linkChanged(.up)))
    #expect(server.pulled.allSatisfy { $0.postIDs == ["q", "r"] && !$0.includesArrivals })
    #expect(server.pulled.count == 2, "a page, and whether it was all")
    #expect(outputs.alerts.isEmpty)
    // Twenty minutes are too few from BNP-A, and enough from BNP-C; ten are too few from there.
    #expect(try matching.leave("BA1PA1000", bench).alerts.map(\.segment) == ["Banepa"])
    let fast = try matching.leave("BA1PA2000", bench)
    #expect(fast.alerts.map(\.segment) == ["Upper"])
    #expect(fast.alerts.first?.limitSeconds == 864)
    #expect(fast.alerts.first?.entry.checkpost == "BNP-C")
    #expect(try matching.leave("BA1PA3000", bench).alerts.isEmpty)
    server.entries.removeFirst(3)
    outputs = try server.serve(bench, try bench.pass(.seconds(31)))
    #expect(outputs.alerts.map(\.kind) == [.overdue, .overdue])
    #expect(Set(outputs.alerts.map(\.plate)) == ["BA1PA4000", "BA1PA5000"])
    #expect(Set(outputs.alerts.map(\.limitSeconds)) == [2_160, 5_400])
    // Neither a restart nor the loss of the line makes it forget, and nothing is told twice.
    outputs = try bench.crash()
    #expect(outputs.alerts.isEmpty)
    #expect(bench.machine.report(at: bench.boot).alerts?.overdue.count == 2)
    #expect(
      bench.machine.report(at: bench.boot).place?.oppositePosts.map(\.code) == ["BNP-A", "BNP-C"])
    #expect(try matching.leave("BA1PA4000", bench).alerts.map(\.kind) == [.overstay])
    #expect(bench.machine.report(at: bench.boot).alerts?.overdue.map(\.plate) == ["BA1PA5000"])
  }

  /// A vehicle that goes through is judged on both segments, the second one when the far post tells.
  @Test func whoGoesThroughIsJudgedTwice() throws {
    let bench = try Bench(try matching.connected())
    try bench.start()
    let server = server()
    server.entries = [try matching.passage("BA1PA1000", "BNP-A", bench.wall - .seconds(1_000))]
    _ = try server.serve(bench, try bench.handle(.linkChanged(.up)))
    let middle = try matching.leave("BA1PA1000", bench)
    #expect(middle.alerts.map(\.segment) == ["Banepa"])
    bench.wait(.seconds(500))
    server.entries = [try matching.passage("BA1PA1000", "BNP-C", bench.wall)]
    var outputs = try server.serve(bench, middle)
    outputs += try server.serve(bench, try bench.pass(.seconds(31)))
    let far = outputs.alerts.filter { $0.segment == "Upper" }
    #expect(far.map(\.kind) == [.speeding])
    #expect(far.first?.seconds == 500)
    #expect(far.first?.entry.origin == .here)
    #expect(outputs.alerts.filter { $0.segment == "Banepa" }.count == 1, "once and not again")
  }
}

extension [NodeOutput] {
  /// What those on the spot are warned of.
  var alerts: [TravelAlert] {
    compactMap { if case .alert(let alert) = $0 { alert } else { nil } }
  }
}

/// A server that knows a post, and passages of the opposite one.
final class MatchingServer {
  var entries: [Passage] = []
  /// Whether it gives only passages since the moment that is asked for, as servers do.
  var keepsTo = false
  var pulls = 0
  /// What was asked of the opposite posts.
  var pulled: [PullQuery] = []
  /// Whether the post is the middle one of three, and the server tells so.
  var isOnARoad = false
  /// How far the node's clock is ahead of this server's.
  var behind = Duration.zero
  /// The plates that it fails at for ever.
  var failing: Set<String> = []

  /// Answers what is asked, and what is asked then.
  func serve(_ bench: Bench, _ outputs: [NodeOutput]) throws -> [NodeOutput] {
    var all = outputs
    var next = 0
    while next < all.count {
      defer { next += 1 }
      guard case .call(let id, let call, _) = all[next] else { continue }
      var reply = ServerReply(.success(answer(call)), serverTime: bench.wall - behind)
      if case .push(let pushes) = call,
        pushes.contains(where: { failing.contains($0.passage.plate.compact) })
      {
        reply = ServerReply(.failure(ServerFailure(.trouble(.failing), words: "HTTP 500")))
      }
      all += try bench.handle(.answered(id, reply))
    }
    return all
  }

  private func answer(_ call: ServerCall) -> ServerResult {
    switch call {
    case .profile:
      return .profile(
        ServerProfile(
          userID: "user", fullName: "Sita", role: "ranger", isActive: true,
          post: ServerPost(
            id: "p", code: "BNP-B", name: "South", position: 1,
            segmentIDs: isOnARoad ? ["s", "t"] : nil),
          segment: ServerSegment(
            id: "s", name: "Banepa", distanceKilometres: 30, minimumKilometresPerHour: 20,
            maximumKilometresPerHour: 60, checkpostIDs: isOnARoad ? ["p", "q"] : nil)))
    case .segments:
      return .segments([
        ServerSegment(
          id: "t", name: "Upper", distanceKilometres: 12, minimumKilometresPerHour: 20,
          maximumKilometresPerHour: 50, checkpostIDs: ["p", "r"])
      ])
    case .postsNamed(let names):
      return .posts(
        [("p", "BNP-B"), ("q", "BNP-A"), ("r", "BNP-C")].filter { names.contains($0.0) }.map {
          ServerPost(id: $0.0, code: $0.1, name: $0.1, position: 0)
        })
    case .posts:
      return .posts([
        ServerPost(id: "p", code: "BNP-B", name: "South", position: 1),
        ServerPost(id: "q", code: "BNP-A", name: "North", position: 0),
      ])
    case .pull(let query):
      pulls += 1
      pulled.append(query)
      let passages =
        query.before == nil
        ? entries.filter { !keepsTo || $0.recordedAt >= query.since } : []
      return .remote(
        RemotePage(
          passages: passages.map {
            RemotePassage(
              clientID: $0.clientID, serverID: "r\($0.plate.compact)", plate: $0.plate.compact,
              vehicleType: .car, checkpost: $0.checkpost, recordedAt: $0.recordedAt,
              origin: .server)
          },
          last: passages.last.map { PullPlace(recordedAt: $0.recordedAt.rfc3339, id: "r") },
          rows: passages.count))
    case .push(let pushes):
      return .stored(
        pushes.map {
          StoredOnServer(
            serverID: "o\($0.passage.plate.compact)", clientID: $0.passage.clientID.description,
            checkpostID: $0.place.checkpostID, plate: $0.passage.plate.compact, vehicleType: "car",
            recordedAt: $0.passage.recordedAt)
        })
    default: return .done
    }
  }
}
