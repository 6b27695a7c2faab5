import CentralCore
import Passages
import Testing
import Time

/// What lists are narrowed to, and how they go on.
struct ListTests {
  private let start: Int64 = 1_709_120_000

  private func time(_ second: Int64) -> WallTime { WallTime(epochSeconds: start + second) }

  /// A vehicle that was too fast, one that is still inside, and one at a post of no segment.
  private func bench(_ kind: StoreKind) throws -> Bench {
    let bench = try Bench(kind)
    bench.rules.ingress = .open
    try bench.put(.post(try post("DHU-1")))
    for (index, text) in [
      "V1|BNP-B|BA1PA1234|CAR|\(start + 1_000)|1111", "V1|BNP-A|KO2KHA77|BUS|\(start + 500)|4567",
      "V1|BNP-A|BA1PA1234|CAR|\(start)|4567", "V1|DHU-1|KO2KHA78|BUS|\(start + 500)|4567",
    ].enumerated() {
      try bench.receive(text, id: "SM\(index)", from: "+97798\(index)0000000")
    }
    return bench
  }

  private func passages(
    _ bench: Bench, _ change: (inout PassageQuery) -> Void
  ) throws -> [Int64] {
    var query = PassageQuery()
    query.order = .newest(after: nil)
    change(&query)
    return try bench.store.passages(query).map(\.id)
  }

  @Test(arguments: StoreKind.divided) func passagesAreListedNewestFirst(_ kind: StoreKind) throws {
    let bench = try bench(kind)
    let all = try bench.store.passages(PassageQuery())
    let newest = try passages(bench) { _ in }
    let expected = all.sorted { $0.place > $1.place }.map(\.id)
    #expect(newest == expected)
    let plates = try newest.map { id in
      try #require(all.first { $0.id == id }).passage.recordedAt
    }
    #expect(plates == [time(1_000), time(500), time(500), time(0)])
    // Page by page it is the same, also between two of one second.
    var paged: [Int64] = []
    var query = PassageQuery()
    (query.order, query.limit) = (.newest(after: nil), 1)
    while let next = try bench.store.passages(query).first {
      paged.append(next.id)
      query.order = .newest(after: next.place)
    }
    #expect(paged == newest)
  }

  @Test(arguments: StoreKind.divided) func passagesAreFoundByWhatTheyAre(_ kind: StoreKind) throws {
    let bench = try bench(kind)
    let all = try passages(bench) { _ in }
    let other = try #require(
      try bench.store.passages(PassageQuery()).first { $0.passage.checkpost.code == "DHU-1" }
    ).id
    #expect(try passages(bench) { $0.segment = "Banepa" } == all.filter { $0 != other })
    #expect(try passages(bench) { $0.segment = "Nowhere" } == [])
    #expect(
      try passages(bench) {
        $0.isUnpaired = true
        $0.segment = "Banepa"
      }.count == 1)
    #expect(try passages(bench) { $0.isUnpaired = true }.count == 2)
    #expect(try passages(bench) { $0.suffix = PhoneSuffix("1111") } == [all[0]])
    #expect(
      try passages(bench) {
        $0.since = time(500)
        $0.until = time(1_000)
      }.count == 2)
    let post = try CheckpostCode("DHU-1")
    #expect(try passages(bench) { $0.checkpost = post } == [other])
  }

  /// A part of a plate finds all that have it.
  @Test(arguments: StoreKind.divided) func passagesAreFoundByPartOfAPlate(_ kind: StoreKind) throws
  {
    let bench = try bench(kind)
    func found(_ part: String) throws -> [String] {
      var query = PassageQuery()
      query.platePart = part
      return try bench.store.passages(query).map(\.passage.plate.compact).sorted()
    }
    #expect(try found("1234") == ["BA1PA1234", "BA1PA1234"])
    #expect(try found("KHA7") == ["KO2KHA77", "KO2KHA78"])
    #expect(try found("BA1PA1234").count == 2)
    #expect(try found("1PA").count == 2)
    #expect(try found("9999") == [] && found("_A%") == [])
  }

  /// A program that follows the list is given what arrives, whenever it was recorded.
  @Test(arguments: StoreKind.divided) func whatArrivesIsFollowed(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    bench.rules.ingress = .open
    bench.rules.past = .seconds(90 * 86_400)
    #expect(try bench.store.lastArrival() == 0)
    var query = PassageQuery()
    query.order = .following(0)
    #expect(try bench.store.passages(query).isEmpty)
    // The second one passed a month before the first one.
    for (index, second) in [start, start - 3_000_000, start + 500].enumerated() {
      let last = try bench.store.lastArrival()
      try bench.receive(
        "V1|BNP-A|BA1PA\(index + 1)|CAR|\(second)|4567", id: "SM\(index)",
        from: "+9779800000000")
      query.order = .following(last)
      let new = try bench.store.passages(query)
      #expect(new.map(\.passage.plate.compact) == ["BA1PA\(index + 1)"])
      #expect(try bench.store.lastArrival() == new.last?.arrival)
    }
    query.order = .following(0)
    query.limit = 2
    #expect(
      try bench.store.passages(query).map(\.passage.plate.compact) == ["BA1PA1", "BA1PA2"])
  }

  @Test(arguments: StoreKind.all) func violationsAreFoundByDoubtAndConfirmation(
    _ kind: StoreKind
  ) throws {
    let bench = try bench(kind)
    func count(_ change: (inout ViolationQuery) -> Void) throws -> Int {
      var query = ViolationQuery()
      change(&query)
      return try bench.store.violations(query).count
    }
    #expect(try count { $0.doubt = .byTextAlone } == 1)
    #expect(try count { $0.doubt = .longStay } == 0)
    #expect(try count { $0.isConfirmed = true } == 0)
    #expect(try count { $0.isConfirmed = false } == 1)
    let violation = try #require(try bench.store.violations(ViolationQuery()).first)
    _ = try bench.store.confirm(
      violation.uuid, by: "Sita", rules: bench.rules.judging, at: bench.wall)
    #expect(try count { $0.isConfirmed = true } == 1)
    #expect(try count { $0.isConfirmed = false } == 0)
  }

  @Test(arguments: StoreKind.all) func alertsAreFoundByTimeAndSegment(_ kind: StoreKind) throws {
    let bench = try bench(kind)
    _ = try bench.store.clock(rules: bench.rules.judging, at: time(20_000))
    func find(_ change: (inout AlertQuery) -> Void) throws -> [StoredAlert] {
      var query = AlertQuery()
      query.isOpen = false
      change(&query)
      return try bench.store.alerts(query)
    }
    let alert = try #require(try find { _ in }.first)
    let due = WallTime(epochSeconds: alert.alert.entry.dueAt)
    #expect(alert.alert.entry.place.plate == "KO2KHA77")
    #expect(try find { $0.segment = "Banepa" } == [alert])
    #expect(try find { $0.segment = "Nowhere" } == [])
    #expect(try find { $0.since = due } == [alert])
    #expect(try find { $0.since = due + .seconds(1) } == [])
    #expect(try find { $0.until = due } == [])
    #expect(try find { $0.until = due + .seconds(1) } == [alert])
  }

  @Test(arguments: StoreKind.all) func textsAreFoundBySenderReasonAndTime(_ kind: StoreKind) throws
  {
    let bench = try bench(kind)
    try bench.receive("nonsense", id: "SM9", from: "NTC")
    func find(_ change: (inout InboxQuery) -> Void) throws -> [Int64] {
      var query = InboxQuery()
      change(&query)
      return try bench.store.inbox(query).map(\.id)
    }
    #expect(try find { _ in } == [5, 4, 3, 2, 1])
    for spelling in ["9800000000", "+977 980-0000000", "009779800000000"] {
      #expect(try find { $0.sender = spelling } == [1], "\(spelling)")
    }
    #expect(try find { $0.sender = "NTC" } == [5])
    #expect(try find { $0.reason = try? bench.store.inboxItem(5)?.reason } == [5])
    #expect(try find { $0.since = bench.wall }.count == 5)
    #expect(try find { $0.until = bench.wall } == [])
    #expect(
      try find {
        $0.until = bench.wall + .seconds(1)
        $0.state = .decoded
        $0.before = 3
      } == [2, 1])
  }
}
