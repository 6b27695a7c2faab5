import GSM
import NodeCore
import NodeSQLite
import Storage
import Testing
import Time

@Suite struct InboxTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
  }

  private func keep(_ entry: InboxEntry) throws -> KeepOutcome {
    let moment = bench.moment
    return try bench.store.transaction { transaction throws(StorageError) in
      try transaction.keep(entry, at: moment)
    }
  }

  private func part(_ number: Int, of total: Int, _ text: String) -> InboxEntry {
    InboxEntry(
      pdu: "\(number)\(text)",
      content: .part(
        sender: "NTC", text: text, MessagePart(key: "NTC/7/8/\(total)", part: number, total: total))
    )
  }

  private func giveUp() throws -> Int {
    let moment = bench.moment
    return try bench.store.transaction { transaction throws(StorageError) in
      try transaction.sweep(reportsWithin: .seconds(60), asksForReports: true, at: moment)
        .partsGivenUp.count
    }
  }

  @Test func whatTheNetworkRepeatsIsKeptOnceAndCounted() throws {
    let text = InboxEntry.Content.text(sender: "NTC", text: "credit low")
    #expect(try keep(InboxEntry(pdu: "00", identity: "A", content: text)) == .kept(textID: nil))
    #expect(try keep(InboxEntry(pdu: "04", identity: "A", content: text)) == .known)
    #expect(try bench.store.inbox().map(\.times) == [2])
    bench.pass(.seconds(8 * 86_400))
    #expect(
      try keep(InboxEntry(pdu: "00", identity: "A", content: text)) == .kept(textID: nil),
      "a week later it is another message")
  }

  @Test func partsSurviveARestartAndBecomeOne() throws {
    let place = MessagePart(key: "NTC/7/8/2", part: 1, total: 2)
    _ = try keep(part(2, of: 2, "world"))
    try bench.reopen()
    _ = try keep(part(1, of: 2, "hello "))
    let pdus = try bench.store.transaction { transaction throws(StorageError) in
      let pdus = try transaction.completeParts(place)
      try transaction.join(place, text: "hello world")
      return pdus
    }
    #expect(pdus == ["1hello ", "2world"], "in the order of the parts")
    let inbox = try bench.store.inbox()
    #expect(inbox.map(\.kind).sorted() == ["deliver", "part"])
    #expect(inbox.first { $0.kind == "deliver" }?.text == "hello world")
    #expect(Set(inbox.map(\.wholeID)).count == 1)
  }

  @Test func partsWhoseOthersNeverComeAreGivenUpAndStay() throws {
    _ = try keep(part(1, of: 2, "hello "))
    bench.pass(.seconds(71 * 3_600))
    #expect(try giveUp() == 0)
    bench.pass(.seconds(2 * 3_600))
    #expect(try giveUp() == 1)
    let message = try #require(try bench.store.inbox().first)
    #expect(message.text == "hello ")
    #expect(message.error == "missing_parts")
  }

  @Test func partsAreBounded() throws {
    for number in 0..<600 {
      _ = try keep(
        InboxEntry(
          pdu: "\(number)",
          content: .part(
            sender: "x", text: "t", MessagePart(key: "x/\(number)", part: 1, total: 2))))
    }
    #expect(try giveUp() == 600 - NodeCore.Limits.openParts)
  }

  @Test func whatIsNoTextStaysVisible() throws {
    _ = try keep(
      InboxEntry(pdu: "1", messageClass: 0, content: .text(sender: "NTC", text: "flash")))
    _ = try keep(InboxEntry(pdu: "2", content: .indication(sender: "222", text: nil)))
    _ = try keep(InboxEntry(pdu: "3", content: .data(sender: "222", hex: "0605040B84")))
    let inbox = try bench.store.inbox()
    #expect(inbox.map(\.kind) == ["data", "indication", "deliver"])
    #expect(inbox.last?.messageClass == 0)
    #expect(inbox.map(\.text) == ["0605040B84", nil, "flash"])
  }
}
