import GSM
import ModemModel
import Testing
import Time

/// A network whose deliveries a test answers by hand.
struct Exchange {
  static let wall = WallTime(epochSeconds: 1_795_200_000)

  var network: MobileNetwork
  var now = BootInstant.zero
  /// Numbers that take nothing now.
  var unreachable: [String] = []
  var received: [(to: String, tpdu: TPDU)] = []

  init(seed: UInt64 = 1, _ change: (inout NetworkBehaviour) -> Void = { _ in }) {
    var behaviour = NetworkBehaviour()
    change(&behaviour)
    network = MobileNetwork(behaviour: behaviour, seed: seed)
  }

  var wall: WallTime { Exchange.wall + BootInstant.zero.duration(to: now) }

  mutating func submit(
    _ text: String, to recipient: String = Bench.bob, reference: UInt8 = 0,
    validity: ValidityPeriod? = nil, wantsReport: Bool = true, rejectsDuplicates: Bool = false
  ) throws -> SubmissionAnswer {
    let message = SMSSubmit(
      to: try Address(recipient), userData: UserData(text: text),
      requestsStatusReport: wantsReport, validity: validity,
      rejectsDuplicates: rejectsDuplicates, messageReference: reference)
    return network.submit(message, from: Bench.alice, at: now, wall: wall)
  }

  /// Hands over what is due until `end`.
  mutating func run(until end: BootInstant) {
    while true {
      let known = [Bench.alice, Bench.bob]
      let due = network.due(at: now, wall: wall) { known.contains($0) }
      for delivery in due {
        let taken = !unreachable.contains(delivery.to)
        if taken { received.append((delivery.to, delivery.tpdu)) }
        network.answered(delivery, taken: taken, at: now, wall: wall)
      }
      if !due.isEmpty { continue }
      guard let next = network.deadline, next <= end else { break }
      now = max(now, next)
    }
    now = max(now, end)
  }

  /// The texts that a number has received.
  func texts(_ number: String = Bench.bob) -> [String] {
    received.compactMap { to, tpdu in
      if case .deliver(let deliver) = tpdu, to == number { deliver.userData.text } else { nil }
    }
  }

  /// The reports that Alice has received.
  var reports: [SMSStatusReport] {
    received.compactMap { _, tpdu in
      if case .statusReport(let report) = tpdu { report } else { nil }
    }
  }
}

@Suite struct NetworkTests {
  @Test func aMessageArrivesWithItsTimeAndIsReported() throws {
    var exchange = Exchange { $0.delay = .seconds(2)...(.seconds(2)) }
    #expect(try exchange.submit("hello", reference: 9) == .accepted)
    exchange.run(until: .seconds(1))
    #expect(exchange.received.isEmpty)
    exchange.run(until: .seconds(10))
    #expect(exchange.texts() == ["hello"])
    guard case .deliver(let deliver) = exchange.received.first?.tpdu else {
      Issue.record("nothing was delivered")
      return
    }
    #expect(deliver.originator.number == Bench.alice)
    #expect(deliver.timestamp?.rfc3339 == "2026-11-21T00:25:00+05:45")
    let report = try #require(exchange.reports.first)
    #expect(report.messageReference == 9)
    #expect(report.recipient.number == Bench.bob)
    #expect(report.delivery == .delivered)
    #expect(report.timestamp == deliver.timestamp)
    #expect(report.discharge?.rfc3339 == "2026-11-21T00:25:02+05:45")
    #expect(exchange.network.inTransit == 0)
    #expect(exchange.network.deadline == nil)
  }

  @Test func withoutARequestThereIsNoReport() throws {
    var exchange = Exchange()
    _ = try exchange.submit("hello", wantsReport: false)
    exchange.run(until: .seconds(10))
    #expect(exchange.texts() == ["hello"])
    #expect(exchange.reports.isEmpty)
  }

  @Test func aNumberThatNobodyHasIsOutside() throws {
    var exchange = Exchange()
    _ = try exchange.submit("bye", to: "+15551234567")
    exchange.run(until: .seconds(1))
    #expect(exchange.texts().isEmpty)
    #expect(exchange.reports.map(\.delivery) == [.delivered])
    let left = exchange.network.takeEvents().contains { event in
      if case .left(let message) = event { message.text == "bye" } else { false }
    }
    #expect(left)
  }

  @Test func itIsTriedAgainUntilItIsReachable() throws {
    var exchange = Exchange()
    exchange.unreachable = [Bench.bob]
    _ = try exchange.submit("hello")
    exchange.run(until: .seconds(100))
    #expect(exchange.texts().isEmpty)
    #expect(exchange.network.inTransit == 1)
    exchange.unreachable = []
    exchange.network.reachable(Bench.bob, at: exchange.now)
    #expect(exchange.network.deadline == exchange.now)
    exchange.run(until: exchange.now)
    #expect(exchange.texts() == ["hello"])
    let waits = exchange.network.takeEvents().count { event in
      if case .waiting = event { true } else { false }
    }
    #expect(waits == 1)
  }

  @Test func aMessageEndsWithItsValidity() throws {
    var exchange = Exchange()
    exchange.unreachable = [Bench.bob]
    _ = try exchange.submit("relative", reference: 1, validity: .relative(0))
    let end = try #require(
      ServiceCentreTime(epochSeconds: Exchange.wall.epochSeconds + 100, quarterHours: 23))
    _ = try exchange.submit("absolute", reference: 2, validity: .absolute(end))
    exchange.run(until: .seconds(99))
    #expect(exchange.network.inTransit == 2)
    exchange.run(until: .seconds(100))
    #expect(exchange.reports.map(\.messageReference) == [2])
    exchange.run(until: .seconds(299))
    #expect(exchange.reports.count == 1)
    exchange.run(until: .seconds(300))
    #expect(exchange.reports.map(\.messageReference) == [2, 1])
    // The validity period has expired (3GPP TS 23.040 9.2.3.15).
    #expect(exchange.reports.map(\.status) == [0x46, 0x46])
    #expect(exchange.network.inTransit == 0)
  }

  @Test func lossDuplicationRefusal() throws {
    var lossy = Exchange { $0.loss = 1 }
    #expect(try lossy.submit("x") == .accepted)
    lossy.run(until: .seconds(10))
    #expect(lossy.received.isEmpty)
    var doubling = Exchange { $0.duplication = 1 }
    _ = try doubling.submit("x")
    doubling.run(until: .seconds(10))
    #expect(doubling.texts() == ["x", "x"])
    #expect(doubling.reports.count == 1)
    var refusing = Exchange {
      $0.refusal = 1
      $0.refusalCode = 42
    }
    #expect(try refusing.submit("x") == .refused(42))
    #expect(refusing.network.inTransit == 0)
    var silent = Exchange { $0.reportLoss = 1 }
    _ = try silent.submit("x")
    silent.run(until: .seconds(10))
    #expect(silent.texts() == ["x"])
    #expect(silent.reports.isEmpty)
  }

  @Test func aDuplicateIsRejectedWhenAskedFor() throws {
    var exchange = Exchange()
    exchange.unreachable = [Bench.bob]
    _ = try exchange.submit("x", reference: 5)
    #expect(try exchange.submit("x", reference: 5) == .accepted)
    #expect(try exchange.submit("x", reference: 5, rejectsDuplicates: true) == .refused(197))
    #expect(try exchange.submit("x", reference: 6, rejectsDuplicates: true) == .accepted)
  }

  @Test func orderIsKeptUnlessAskedOtherwise() throws {
    let texts = (0..<50).map { "\($0)" }
    var plain = Exchange()
    for text in texts { _ = try plain.submit(text) }
    plain.run(until: .seconds(1_000))
    #expect(plain.texts() == texts)
    var mixing = Exchange { $0.reordering = 0.5 }
    for text in texts { _ = try mixing.submit(text) }
    mixing.run(until: .seconds(1_000))
    #expect(mixing.texts() != texts)
    #expect(mixing.texts().sorted() == texts.sorted())
  }

  @Test("One seed gives one course", arguments: [UInt64](0..<20))
  func deterministic(_ seed: UInt64) throws {
    func course(_ seed: UInt64) throws -> [String] {
      var exchange = Exchange(seed: seed) {
        $0.delay = .zero...(.seconds(30))
        $0.loss = 0.2
        $0.duplication = 0.3
        $0.reordering = 0.3
        $0.refusal = 0.1
      }
      for number in 0..<100 { _ = try exchange.submit("\(number)") }
      exchange.run(until: .seconds(1_000))
      return exchange.texts() + exchange.network.takeEvents().map { "\($0)" }
    }
    #expect(try course(seed) == course(seed), "seed \(seed)")
    #expect(try course(seed) != course(seed + 1), "seed \(seed)")
  }

  @Test("Nothing is lost or doubled without being told", arguments: [UInt64](0..<50))
  func accounted(_ seed: UInt64) throws {
    var exchange = Exchange(seed: seed) {
      $0.delay = .zero...(.seconds(30))
      $0.loss = 0.1
      $0.duplication = 0.1
      $0.reordering = 0.2
      $0.refusal = 0.1
    }
    var accepted = 0
    for number in 0..<200 where try exchange.submit("\(number)") == .accepted { accepted += 1 }
    exchange.run(until: .seconds(10_000))
    var (lost, doubled) = (0, 0)
    for event in exchange.network.takeEvents() {
      switch event {
      case .lost: lost += 1
      case .duplicated: doubled += 1
      default: break
      }
    }
    #expect(exchange.texts().count == accepted - lost + doubled, "seed \(seed)")
    #expect(Set(exchange.texts()).count == accepted - lost, "seed \(seed)")
    #expect(exchange.reports.count == accepted - lost, "seed \(seed)")
  }

  @Test func textsFromOutside() throws {
    var exchange = Exchange()
    try exchange.network.inject(
      from: "NTC", text: "namaste", to: Bench.bob, at: exchange.now, wall: exchange.wall)
    let long = String(repeating: "नमस्ते ", count: 30)
    try exchange.network.inject(
      from: "+15551234567", text: long, to: Bench.bob, at: exchange.now, wall: exchange.wall)
    exchange.run(until: .seconds(1))
    let messages = exchange.received.compactMap { _, tpdu -> SMSDeliver? in
      if case .deliver(let deliver) = tpdu { deliver } else { nil }
    }
    #expect(messages.first?.originator.isAlphanumeric == true)
    #expect(messages.first?.originator.number == "NTC")
    #expect(messages.dropFirst().compactMap(\.userData.text).joined() == long)
    #expect(
      messages.dropFirst().compactMap { $0.userData.header?.concatenation?.part } == [1, 2, 3, 4])
    #expect(throws: PDUError.self) {
      try exchange.network.inject(
        from: "a name that is far too long", text: "x", to: Bench.bob, at: .zero,
        wall: Exchange.wall)
    }
  }
}
