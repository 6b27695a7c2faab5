import NodeCore
import Passages
import Testing
import Time

/// When passages of the opposite post are asked for, and what follows from the answers.
struct PullScheduleTests {
  let wall = WallTime(epochSeconds: morning)

  func schedule(_ rules: SyncRules = SyncRules()) throws -> PullSchedule {
    var schedule = PullSchedule(rules: rules)
    schedule.placed(try area())
    return schedule
  }

  func area() throws -> PullSchedule.Area {
    PullSchedule.Area(
      names: ServerPlace(checkpostID: "post", segmentID: "segment", rangerID: "ranger"),
      place: try matchingPlace())
  }

  func at(_ seconds: Int64) -> BootInstant { .zero + .seconds(seconds) }

  /// A page of passages, newest first, the newest `first` seconds before the wall clock.
  func page(first: Int64, rows: Int) throws -> RemotePage {
    let passages = try (0..<Int64(rows)).map {
      try remote("BA1PA\(first + $0)", morning - first - $0)
    }
    return RemotePage(
      passages: passages,
      last: passages.last.map { PullPlace(recordedAt: $0.recordedAt.rfc3339, id: $0.plate) },
      rows: rows)
  }

  @Test func nothingIsAskedBeforeItIsKnownWhere() throws {
    var schedule = PullSchedule(rules: SyncRules())
    #expect(schedule.nextDeadline == nil)
    #expect(schedule.advance(at: at(5), wall: wall) == nil)
    schedule.placed(try area())
    let asked = schedule.advance(at: at(5), wall: wall)
    let query = try #require(asked)
    #expect(query.segmentID == "segment")
    #expect(query.checkpostID == "post")
    // A day, for which a vehicle is waited for.
    #expect(query.since == wall - .seconds(86_400))
    #expect(query.before == nil)
    #expect(query.limit == 500)
  }

  /// Which of the looks ask for all that are waited for: the first, after an outage, after a failed one, and one
  /// in a quarter of an hour.
  @Test func fewLooksAskAsFarBackAsATravelCanTake() throws {
    var schedule = try schedule()
    func isFar(_ seconds: Int64) throws -> Bool {
      let asked = schedule.advance(at: at(seconds), wall: wall)
      let back = wall - (try #require(asked)).since
      // An hour and a half is the slowest travel, and an hour is added to it.
      #expect(back == .seconds(86_400) || back == .seconds(5_400 + 3_600))
      return back == .seconds(86_400)
    }
    func answer() throws { _ = schedule.answered(.success(try page(first: 0, rows: 0)), at: at(0)) }
    let down = ServerFailure(.outage(.noAnswer), words: "no answer")
    #expect(try isFar(0))
    _ = schedule.answered(.failure(down), at: at(1))
    #expect(try isFar(100), "the one before got nothing")
    try answer()
    #expect(try !isFar(130))
    try answer()
    #expect(try !isFar(999))
    try answer()
    #expect(try isFar(1_030))
    try answer()
    #expect(try !isFar(1_060))
    try answer()
    schedule.connected()
    #expect(try isFar(1_090))
    try answer()
    schedule.placed(nil)
    schedule.placed(try area())
    #expect(try isFar(1_120))
  }

  @Test func oneAnswerIsAwaitedAtATime() throws {
    var schedule = try schedule()
    #expect(schedule.advance(at: at(0), wall: wall) != nil)
    #expect(schedule.nextDeadline == nil)
    schedule.connected()
    #expect(schedule.advance(at: at(90), wall: wall) == nil)
  }

  /// As often as the configuration says, and never more often.
  @Test func itIsAskedAsOftenAsTheConfigurationSays() throws {
    var schedule = try schedule()
    _ = schedule.advance(at: at(0), wall: wall)
    _ = schedule.answered(.success(try page(first: 0, rows: 0)), at: at(1))
    #expect(schedule.nextDeadline == at(30))
    #expect(schedule.advance(at: at(29), wall: wall) == nil)
    #expect(schedule.advance(at: at(30), wall: wall) != nil)
    _ = schedule.answered(.success(try page(first: 0, rows: 0)), at: at(31))
    schedule.connected()
    #expect(schedule.nextDeadline == at(60), "a line that comes and goes makes no busy loop")
    #expect(schedule.advance(at: at(60), wall: wall) != nil)
  }

  @Test func pagesFollowUntilAllIsThere() throws {
    var schedule = try schedule()
    _ = schedule.advance(at: at(0), wall: wall)
    let first = try page(first: 0, rows: 500)
    #expect(schedule.answered(.success(first), at: at(1)) == nil)
    let next = schedule.advance(at: at(1), wall: wall + .seconds(1))
    let second = try #require(next)
    #expect(second.before == first.last)
    #expect(second.since == wall - .seconds(86_400), "the question stays the same")
    let short = try page(first: 500, rows: 20)
    #expect(schedule.answered(.success(short), at: at(2)) == nil)
    // Whether the server gave less than it has is found out once.
    #expect(schedule.advance(at: at(2), wall: wall) != nil)
    let end = schedule.answered(.success(try page(first: 520, rows: 0)), at: at(3))
    let set = try #require(end)
    #expect(set.seen.count == 520)
    #expect(set.isFromIncluded)
    _ = schedule.advance(at: at(40), wall: wall)
    let again = schedule.answered(.success(try page(first: 0, rows: 15)), at: at(41))
    #expect(again?.seen.count == 15, "a page no longer than that one is the last")
  }

  /// A server that gives a hundred rows whatever it is asked for is read to the end all the same.
  @Test func aServerThatGivesLessThanAskedIsReadToTheEnd() throws {
    var schedule = try schedule()
    for round in 1...2 as ClosedRange<Int64> {
      schedule.connected()
      var start: Int64 = 0
      var set: PulledSet?
      while set == nil, start < 1_000 {
        #expect(schedule.advance(at: at(1_000 * round), wall: wall) != nil)
        let rows = start < 300 ? 100 : 42
        set = schedule.answered(
          .success(try page(first: start, rows: start > 300 ? 0 : rows)), at: at(1))
        start += Int64(rows)
      }
      #expect(set?.seen.count == 342)
    }
  }

  @Test func whatTheServerNoLongerTellsIsGone() throws {
    let known = [
      try remote("BA1PA1", morning - 10), try remote("BA1PA2", morning - 20),
      try remote("BA1PA3", morning - 20, origin: .text), try remote("BA1PA4", morning - 30),
      try remote("BA1PA5", morning - 40),
    ]
    let from = WallTime(epochSeconds: morning - 30)
    let all = PulledSet(from: from, isFromIncluded: true, seen: [known[0].clientID])
    #expect(all.gone(of: known) == [known[1].clientID, known[3].clientID])
    let part = PulledSet(from: from, isFromIncluded: false, seen: [known[0].clientID])
    #expect(part.gone(of: known) == [known[1].clientID])
  }

  /// So many passages that it takes too many pages: what was not asked for is not taken for gone.
  @Test func thePagesAreBounded() throws {
    var schedule = try schedule()
    var pages = 0
    var set: PulledSet?
    while set == nil, schedule.advance(at: at(0), wall: wall) != nil {
      set = schedule.answered(
        .success(try page(first: Int64(pages) * 500, rows: 500)), at: at(1))
      pages += 1
    }
    #expect(pages == 10)
    #expect(set?.isFromIncluded == false)
    #expect(set?.from == WallTime(epochSeconds: morning - 4_999))
  }

  @Test func failuresAreSpacedOut() throws {
    var schedule = try schedule()
    let down = ServerFailure(.outage(.noAnswer), words: "no answer")
    var now = at(0)
    var pauses: [Duration] = []
    for _ in 0..<8 {
      #expect(schedule.advance(at: now, wall: wall) != nil)
      #expect(schedule.answered(.failure(down), at: now) == nil)
      let next = try #require(schedule.nextDeadline)
      pauses.append(next - now)
      now = next
    }
    #expect(pauses.prefix(4).map(\.components.seconds) == [60, 120, 240, 480])
    #expect(pauses.last == .seconds(900))
    schedule.connected()
    #expect(try #require(schedule.nextDeadline) <= now, "the line has come back")
  }

  @Test func theServerSaysWhenItWantsToBeAsked() throws {
    var schedule = try schedule()
    _ = schedule.advance(at: at(0), wall: wall)
    let busy = ServerFailure(
      .trouble(.busy), status: 429, words: "busy", retryAfter: .seconds(3_600))
    _ = schedule.answered(.failure(busy), at: at(1))
    #expect(schedule.nextDeadline == at(3_601))
  }

  @Test func aNodeThatDoesNotPullAsksNothing() throws {
    var rules = SyncRules()
    rules.pulls = false
    var schedule = try schedule(rules)
    #expect(schedule.nextDeadline == nil)
    #expect(schedule.advance(at: at(100), wall: wall) == nil)
  }
}
