import CentralCore
import Passages
import SeededRandom
import Testing
import Time

/// What comes in is kept, and becomes a passage once.
struct KeepingTests {
  @Test(arguments: StoreKind.all) func aTextBecomesARow(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let decoded = try bench.receive(text(0), id: "SM1")
    guard case .passage(let passage, let warnings) = decoded.first?.result else {
      Issue.record("no passage: \(decoded)")
      return
    }
    #expect(warnings.isEmpty)
    let stored = try #require(try bench.store.passages(PassageQuery()).first)
    #expect(stored.passage == passage)
    #expect(stored.passage.segment == "Banepa")
    #expect(stored.passage.ranger == "Sita")
    #expect(stored.insertedAt == bench.wall)
    let item = try #require(try bench.store.inboxItem(1))
    #expect(item.state == .decoded)
    #expect(item.clientID == passage.clientID.description)
    #expect(item.reason == nil)
  }

  @Test(arguments: StoreKind.all) func theSameMessageHandedOverAgainIsOne(_ kind: StoreKind) throws
  {
    let bench = try Bench(kind)
    try bench.receive(text(0), id: "SM1")
    let again = try bench.store.keep([
      InboundMessage(
        provider: "twilio", providerID: "SM1", from: "+9779841114567", text: text(0),
        receivedAt: bench.wall)
    ])
    #expect(again == [.known(1)])
    #expect(try bench.process().isEmpty)
    #expect(try bench.store.inboxItem(1)?.timesReceived == 2)
    #expect(try bench.clientIDs().count == 1)
  }

  @Test(arguments: StoreKind.all) func twiceInOneBatchIsOne(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let message = InboundMessage(
      provider: "twilio", providerID: "SM1", from: "+9779841114567", text: text(0),
      receivedAt: bench.wall)
    #expect(try bench.store.keep([message, message]) == [.kept(1), .known(1)])
    #expect(try bench.process().count == 1)
  }

  @Test(arguments: StoreKind.all) func theSamePassageByAnotherWayIsADuplicate(_ kind: StoreKind)
    throws
  {
    let bench = try Bench(kind)
    try bench.receive(text(0), id: "SM1")
    let decoded = try bench.receive(text(0), id: "0791", provider: .modem)
    guard case .duplicate = decoded.first?.result else {
      Issue.record("not a duplicate: \(decoded)")
      return
    }
    #expect(try bench.clientIDs().count == 1)
    #expect(try bench.store.inboxItem(2)?.state == .duplicate)
    #expect(try bench.store.overview().duplicates == 1)
  }

  @Test(arguments: StoreKind.all) func theSameIdentifierOfTwoProvidersIsTwoMessages(
    _ kind: StoreKind
  ) throws {
    let bench = try Bench(kind)
    try bench.receive(text(0), id: "1")
    try bench.receive(text(1), id: "1", provider: .modem)
    #expect(try bench.clientIDs().count == 2)
  }

  @Test(arguments: StoreKind.all) func whatDoesNotDecodeWaitsWithItsReason(_ kind: StoreKind) throws
  {
    let bench = try Bench(kind)
    let decoded = try bench.receive("V1|BNP-A|BA1PA1234|CAR|1709120000", id: "SM1")
    guard case .undecodable(let reason) = decoded.first?.result else {
      Issue.record("taken: \(decoded)")
      return
    }
    #expect(reason.code == "field_count")
    let item = try #require(try bench.store.inbox(state: .undecodable).first)
    #expect(item.reason == "field_count")
    #expect(item.words == reason.message)
    #expect(item.body == "V1|BNP-A|BA1PA1234|CAR|1709120000")
    #expect(try bench.clientIDs().isEmpty)
    // It is not processed again by itself.
    #expect(try bench.process().isEmpty)
  }

  @Test(arguments: StoreKind.all) func whatWaitsIsRunAgainWhenWhatWasMissingIsThere(
    _ kind: StoreKind
  ) throws {
    let bench = try Bench(kind)
    let stranger = "+9779812345678"
    try bench.receive(text(0), id: "SM1", from: stranger)
    #expect(try bench.store.inboxItem(1)?.reason == "sender")
    try bench.put(
      .post(try post("BNP-A", place: Post.Place(segment: "Banepa", index: 0), phone: stranger)))
    let decoded = try bench.reprocess(1)
    guard case .passage = decoded.first?.result else {
      Issue.record("not taken: \(decoded)")
      return
    }
    let item = try #require(try bench.store.inboxItem(1))
    #expect(item.state == .decoded)
    #expect(item.reason == nil)
    #expect(item.words == nil)
  }

  @Test(arguments: StoreKind.all) func anOperatorMaySetTheRulesAside(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    try bench.receive("V1|BNP-A|BA1PA1234|CAR|1609120000|4567", id: "SM1")
    #expect(try bench.store.inboxItem(1)?.reason == "timestamp")
    #expect(try bench.reprocess(1, waiving: .anyTime).count == 1)
    #expect(try bench.store.inboxItem(1)?.state == .decoded)
    #expect(try bench.reprocess(1).isEmpty)
  }

  @Test(arguments: StoreKind.all) func whatIsNotKnownOfAPassageStandsBesideIt(_ kind: StoreKind)
    throws
  {
    let bench = try Bench(kind)
    bench.rules.ingress = .open
    try bench.receive("V1|NEW|BA1PA1234|CAR|1709120000|1111", id: "SM1", from: "X")
    let item = try #require(try bench.store.inboxItem(1))
    #expect(item.state == .decoded)
    #expect(item.warnings == [.unknownPost, .unboundSender, .unknownRanger])
    #expect(try bench.store.passages(PassageQuery()).first?.passage.segment == nil)
  }

  @Test(arguments: StoreKind.all) func pagesGoBackInTime(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    for index in 0..<7 {
      try bench.receive(text(index), id: "SM\(index)")
    }
    let first = try bench.store.inbox(limit: 3)
    #expect(first.map(\.id) == [7, 6, 5])
    let second = try bench.store.inbox(before: first.last?.id, limit: 3)
    #expect(second.map(\.id) == [4, 3, 2])
    #expect(try bench.store.inbox(state: .undecodable).isEmpty)
    #expect(try bench.store.inbox(state: .decoded, limit: 100).count == 7)
  }

  @Test(arguments: StoreKind.all) func aHugeBacklogIsProcessedInParts(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let messages = (0..<1_200).map { index in
      InboundMessage(
        provider: "twilio", providerID: "SM\(index)", from: "+9779841114567", text: text(index),
        receivedAt: bench.wall)
    }
    _ = try bench.store.keep(messages)
    var count = 0
    while true {
      let decoded = try bench.process().count
      if decoded == 0 { break }
      #expect(decoded <= Limits.processedAtOnce)
      count += decoded
    }
    #expect(count == 1_200)
    #expect(try bench.store.overview().passages == 1_200)
  }

  /// Whatever comes, in whatever order and however often: one row of each passage, and everything
  /// that came is either a passage, a duplicate or kept with its reason.
  @Test(arguments: StoreKind.all, 0..<60 as Range<UInt64>)
  func oneRowOfEachPassage(_ kind: StoreKind, _ seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let bench = try Bench(kind)
    var expected: Set<String> = []
    var handedOver: Set<String> = []
    for _ in 0..<Int.random(in: 1...60, using: &generator) {
      let index = Int.random(in: 0..<15, using: &generator)
      let provider = Bool.random(using: &generator) ? Provider("twilio") : .modem
      let isBroken = Int.random(in: 0..<5, using: &generator) == 0
      // A provider's identifier stands for one message, so a broken one has its own.
      let id = "\(isBroken ? "broken" : "good")-\(index)"
      let body = isBroken ? "V1|BNP-A|nonsense \(index)" : text(index)
      handedOver.insert("\(provider)/\(id)")
      if !isBroken {
        expected.insert(try V1Message.decode(body, window: nil).clientID.description)
      }
      _ = try bench.store.keep([
        InboundMessage(
          provider: provider, providerID: id, from: "+9779841114567", text: body,
          receivedAt: bench.wall)
      ])
      if Bool.random(using: &generator) { _ = try bench.process() }
      if Int.random(in: 0..<20, using: &generator) == 0 { try bench.reopen() }
    }
    _ = try bench.process()
    #expect(Set(try bench.clientIDs()) == expected, "seed \(seed)")
    #expect(try bench.clientIDs().count == expected.count, "seed \(seed)")
    let items = try bench.store.inbox(limit: 1_000)
    #expect(items.count == handedOver.count, "seed \(seed)")
    #expect(
      items.allSatisfy { [.decoded, .duplicate, .undecodable].contains($0.state) },
      "seed \(seed)")
  }
}

extension KeepingTests {
  /// Of very many messages a store looks only at those that may name a vehicle, and finds every spelling all the same.
  @Test(arguments: StoreKind.all) func eachSpellingOfAPlateIsFoundAmongMessages(
    _ kind: StoreKind
  ) throws {
    let spellings = [
      "ba-1 pa 1234 left", "see BA 1\nPA 12 34",
      "\u{92C}\u{93E} \u{967} \u{92A} \u{967}\u{968}\u{969}\u{96A}", text(0),
    ]
    let bench = try Bench(kind)
    let others = ["BA1PA4321", "where is 1234?", "v1|BNP-A|BA2PA1234|CAR|1|4567"]
    for (index, words) in (spellings + others).enumerated() {
      try bench.receive(words, id: "SM\(index)")
    }
    let keeping = try #require(bench.store as? any KeepingStore)
    let found = try keeping.holdings(of: "BA1PA1234").messages.map(\.item.id)
    #expect(found == found.filter { $0 <= 4 } && Set(found).isSuperset(of: [1, 2, 4]), "\(found)")
  }

  /// Those of a time are chosen by the store.
  @Test(arguments: StoreKind.all) func messagesOfATimeAreTold(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    for index in 0..<3 { try bench.keep(text(index), id: "SM\(index)") }
    let keeping = try #require(bench.store as? any KeepingStore)
    func told(since: WallTime?, until: WallTime?) throws -> Int {
      try keeping.messages(after: 0, since: since, until: until, limit: 10).count
    }
    #expect(try told(since: nil, until: nil) == 3)
    #expect(try told(since: bench.wall, until: nil) == 3)
    #expect(try told(since: bench.wall + .seconds(1), until: nil) == 0)
    #expect(try told(since: nil, until: bench.wall) == 0)
    #expect(try told(since: bench.wall, until: bench.wall + .seconds(1)) == 3)
  }
}
