import CentralCore
import GSM
import Passages
import Storage
import Testing
import Time

/// Long messages: parts wait in the store, survive a restart, and are found by their key.
struct PartTests {
  private let padding = String(repeating: " ", count: 150)

  private func pdus(
    _ text: String, from sender: String = "+9779841114567", second: Int64 = 1_709_123_400
  ) throws -> [ReceivedPDU] {
    var options = SubmitOptions()
    options.concatenationReference = 7
    let parts = try MessageComposer.messages(
      text: text, to: try Address("+9779800000000"), options: options)
    return try parts.map { part in
      let deliver = SMSDeliver(
        from: try Address(sender), userData: part.userData,
        timestamp: ServiceCentreTime(epochSeconds: second, quarterHours: 23))
      return ReceivedPDU(hex: Hex.encode(try PDU(tpdu: .deliver(deliver)).encoded()))
    }
  }

  private func keep(_ bench: Bench, _ pdus: [ReceivedPDU], before: Duration = .zero) throws {
    _ = try bench.store.keep(
      pdus.map { InboundMessage($0, receivedAt: bench.wall - before) })
  }

  @Test(arguments: StoreKind.all) func partsWaitOverARestart(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let parts = try pdus(padding + text(0))
    try keep(bench, [parts[1]])
    #expect(try bench.process().map(\.result) == [.part(2, of: 2)])
    let waiting = try #require(try bench.store.inboxItem(1))
    #expect(waiting.state == .part)
    #expect(waiting.part == MessagePart(key: "+9779841114567/7/8/2", part: 2, total: 2))
    try bench.reopen()
    try keep(bench, [parts[0]])
    guard case .passage(let passage, _) = try bench.process().first?.result else {
      Issue.record("not joined")
      return
    }
    #expect(passage.v1Body == text(0))
    let items = try bench.store.inbox(limit: 10)
    #expect(items.map(\.state) == [.decoded, .decoded])
    #expect(Set(items.map(\.clientID)) == [passage.clientID.description])
  }

  @Test(arguments: StoreKind.all) func theWholeMayBeNoPassage(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    try keep(bench, try pdus(padding + text(0), from: "+9779812345678"))
    #expect(try bench.process().count == 2)
    let items = try bench.store.inbox(limit: 10)
    #expect(items.map(\.state) == [.undecodable, .undecodable])
    #expect(items.map(\.reason) == ["sender", "sender"])
    #expect(items[0].words == items[1].words)
  }

  @Test(arguments: StoreKind.all) func aRepeatedWholeIsADuplicateInAllItsParts(
    _ kind: StoreKind
  ) throws {
    let bench = try Bench(kind)
    try keep(bench, try pdus(padding + text(0)))
    try keep(bench, try pdus(padding + text(0), second: 1_709_123_401))
    try bench.process()
    let items = try bench.store.inbox(limit: 10)
    #expect(items.map(\.state) == [.duplicate, .duplicate, .decoded, .decoded])
    #expect(try bench.clientIDs().count == 1)
  }

  @Test(arguments: StoreKind.all) func partsThatWaitTooLongAreFound(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let hours = { (count: Int64) in Duration.seconds(count * 3_600) }
    for (index, age) in [73, 71, 1].enumerated() {
      let parts = try pdus(padding + text(index), from: "+977980000000\(index)")
      try keep(bench, [parts[0]], before: hours(Int64(age)))
    }
    try bench.receive(text(9), id: "SM1")
    #expect(try bench.store.inbox(state: .part).count == 3)
    let (old, beyond, none) = try bench.store.transaction { inbox throws(StorageError) in
      (
        try inbox.waitingParts(receivedBefore: bench.wall - hours(72), beyondNewest: 10).map(\.id),
        try inbox.waitingParts(receivedBefore: bench.wall - hours(90), beyondNewest: 1).map(\.id),
        try inbox.waitingParts(receivedBefore: bench.wall - hours(90), beyondNewest: 3).map(\.id)
      )
    }
    #expect(old == [1])
    #expect(beyond == [1, 2])
    #expect(none.isEmpty)
    _ = try bench.process()
    let given = try #require(try bench.store.inboxItem(1))
    #expect(given.reason == "missing_parts")
    #expect(given.words == "part 1 of 2; the others never came")
    #expect(given.part?.part == 1)
    #expect(try bench.store.inbox(state: .part).map(\.id) == [3, 2])
  }

  @Test(arguments: StoreKind.all) func partsAreFoundByKeyAndState(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let one = try pdus(padding + text(0), from: "+9779800000001")
    let other = try pdus(padding + text(1), from: "+9779800000002")
    try keep(bench, [one[0]], before: .seconds(73 * 3_600))
    try keep(bench, [other[0]])
    try bench.process()
    try bench.process()
    let keys = ["+9779800000001/7/8/2", "+9779800000002/7/8/2", "nobody's"]
    let (waiting, both, none) = try bench.store.transaction { inbox throws(StorageError) in
      (
        try inbox.parts(ofKeys: keys, states: [.part]).map(\.id),
        try inbox.parts(ofKeys: keys, states: [.undecodable, .part]).map(\.id).sorted(),
        try inbox.parts(ofKeys: ["nobody's"], states: [.part]).count
      )
    }
    #expect(waiting == [2])
    #expect(both == [1, 2])
    #expect(none == 0)
  }

  @Test(arguments: StoreKind.all) func aLongTextIsProcessedAgainAsAWhole(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    for index in 0..<2 {
      try keep(
        bench,
        try pdus(
          padding + text(index), from: "+9779812345678", second: 1_709_123_400 + Int64(index)))
      try bench.process()
    }
    #expect(try bench.reprocess(4, waiving: .anySender).map(\.id) == [3, 4])
    #expect(try bench.store.inbox(state: .undecodable).map(\.id) == [2, 1])
    bench.rules.ingress = .open
    let page = try bench.store.reprocessAll(rules: bench.rules, at: bench.wall)
    #expect(page.messages.map(\.id) == [1, 2])
    #expect(try bench.store.overview().undecodable == 0)
    #expect(try bench.clientIDs().count == 2)
  }

  @Test(arguments: StoreKind.all) func whatCannotBeStoredIsMadeStorable(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let long = String(repeating: "x", count: Limits.bodyCharacters + 1)
    try bench.keep("V1|\0hidden", id: "a\0b", from: "N\0TC")
    try bench.keep(long, id: "SM2")
    try bench.keep("नमस्ते \u{1F697} '; --", id: "SM3")
    let item = try #require(try bench.store.inboxItem(1))
    #expect(item.body == "V1|\u{2400}hidden")
    #expect(item.from == "N\u{2400}TC")
    #expect(try bench.keep("V1|\0hidden", id: "a\0b") == [.known(1)])
    #expect(try bench.store.inboxItem(2)?.body.count == Limits.bodyCharacters)
    #expect(try bench.store.inboxItem(3)?.body == "नमस्ते \u{1F697} '; --")
  }

  /// A text may hold what no database keeps, in any of its fields; it waits for an operator like any other that is
  /// none.
  @Test(arguments: StoreKind.all) func aZeroCharacterInAPDUStopsNothing(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let fields = ["V1", "BNP-A", "BA1PA1234", "CAR", "1709120000", "4567"]
    for index in fields.indices {
      var fields = fields
      fields[index] += "\0\u{915}"
      try keep(bench, try pdus(fields.joined(separator: "|"), second: 1_709_123_400 + Int64(index)))
    }
    try keep(bench, try pdus("H1|BNP-A|9\0\u{915}|-|0|0"))
    try keep(bench, try pdus(text(0)))
    #expect(try bench.process().count == fields.count + 2)
    #expect(try bench.store.inbox(state: .undecodable).count == fields.count + 1)
    #expect(try bench.clientIDs().count == 1)
  }
}
