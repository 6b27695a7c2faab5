import CentralCore
import Foundation
import Passages
import Storage
import Synchronization
import Testing
import Time

/// What a transaction reads and writes, and what several users of one store do to each other.
@Suite(.timeLimit(.minutes(15))) struct TransactionTests {
  private struct Stopped: Error {}

  @Test(arguments: StoreKind.all) func whatThrowsLeavesNothing(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    try bench.keep(text(0), id: "SM1")
    let stop = StorageError(.failed, of: "a store", problem: "it stopped", remedy: "none")
    #expect(throws: stop) {
      try bench.store.transaction { inbox throws(StorageError) in
        let open = try inbox.unprocessed(limit: 10)
        try inbox.apply(
          open.map {
            InboxFact(
              id: $0.id, sender: "x", change: .refused(Reason(code: "made_up", message: "words")))
          }, repeated: [], at: bench.wall)
        throw stop
      }
    }
    #expect(try bench.store.inboxItem(1)?.state == .received)
    #expect(try bench.process().count == 1)
  }

  @Test(arguments: StoreKind.all) func factsAreWrittenInTheirOrder(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    for index in 0..<4 { try bench.keep("text \(index)", id: "SM\(index)") }
    let passage = Passage(received: try V1Message.decode(text(0), window: nil))
    let facts = [
      InboxFact(
        id: 1, sender: "+1", change: .passage(passage, warnings: [.unknownPost], isProven: false)),
      InboxFact(id: 2, sender: "+2", change: .passage(passage, warnings: [], isProven: false)),
      InboxFact(id: 3, sender: "+3", change: .report),
      InboxFact(id: 4, sender: "+4", change: .refused(Reason(code: "made_up", message: "words"))),
    ]
    try bench.store.transaction { inbox throws(StorageError) in
      let observation = Observation(
        of: passage, channel: .text, isProven: false, receivedAt: bench.wall)
      let taken = try inbox.take(
        [1, 2].map { PassageArrival(observation, from: PassageArrival.Origin(inboxID: $0)) },
        rules: JudgingRules(), at: bench.wall)
      #expect(taken.receipts.map(\.isFirst) == [true, false])
      #expect(taken.receipts.map(\.isNews) == [true, false])
      try inbox.apply(facts, repeated: [2], at: bench.wall)
    }
    let items = try bench.store.inbox(limit: 10).sorted { $0.id < $1.id }
    #expect(items.map(\.state) == [.decoded, .duplicate, .report, .undecodable])
    #expect(items.map(\.from) == ["+1", "+2", "+3", "+4"])
    #expect(items.map(\.clientID?.isEmpty) == [false, false, nil, nil])
    #expect(items[0].warnings == [.unknownPost])
    #expect(items[3].reason == "made_up")
    #expect(items[3].words == "words")
    let stored = try bench.store.passages(PassageQuery())
    var named = passage
    (named.segment, named.ranger) = ("Banepa", "Sita")
    #expect(stored.map(\.passage) == [named])
    #expect(stored.map(\.insertedAt) == [bench.wall])
    let overview = try bench.store.overview()
    #expect(overview.received == 4)
    #expect(overview.duplicates == 1)
    #expect(overview.undecodable == 1)
    #expect(overview.passages == 1)
  }

  @Test(arguments: StoreKind.all) func thoseThatWaitForAnOperatorArePaged(_ kind: StoreKind) throws
  {
    let bench = try Bench(kind)
    for index in 0..<5 { try bench.receive("nonsense \(index)", id: "SM\(index)") }
    try bench.receive(text(0), id: "SM9", from: "+9779812345678")
    let (page, rest, sender) = try bench.store.transaction { inbox throws(StorageError) in
      (
        try inbox.refused(after: 0, reason: nil, limit: 4).map(\.id),
        try inbox.refused(after: 4, reason: nil, limit: 4).map(\.id),
        try inbox.refused(after: 0, reason: "sender", limit: 4).map(\.id)
      )
    }
    #expect(page == [1, 2, 3, 4])
    #expect(rest == [5, 6])
    #expect(sender == [6])
  }

  /// Two services by mistake, or a service and a command: each message is processed by one of them.
  @Test(arguments: StoreKind.all) func twoProcessorsMakeOneRowOfEach(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let count = 300
    _ = try bench.store.keep((0..<count).map { bench.message(text($0 % 200), id: "SM\($0)") })
    let (rules, wall) = (bench.rules, bench.wall)
    let stores = try [bench.place.open(), bench.place.open()]
    let processed = Mutex<[ProcessedMessage]>([])
    DispatchQueue.concurrentPerform(iterations: stores.count) { index in
      do {
        while true {
          let some = try stores[index].process(rules: rules, at: wall).messages
          if some.isEmpty { return }
          processed.withLock { $0 += some }
        }
      } catch {
        Issue.record(error)
      }
    }
    for store in stores { try store.close() }
    let all = processed.withLock { $0 }
    #expect(all.map(\.id).sorted() == (1...count).map { Int64($0) })
    let passages = all.count { if case .passage = $0.result { true } else { false } }
    #expect(passages == 200)
    #expect(try bench.clientIDs().count == 200)
  }

  /// Providers repeat what was not answered in time: also to another process.
  @Test(arguments: StoreKind.all) func manyWhoKeepTheSameMessageKeepItOnce(_ kind: StoreKind) throws
  {
    let bench = try Bench(kind)
    let messages = (0..<50).map { bench.message(text($0), id: "SM\($0)") }
    let stores = try (0..<4).map { _ in try bench.place.open() }
    let kept = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: stores.count) { index in
      do {
        for first in stride(from: 0, to: messages.count, by: 10) {
          for receipt in try stores[index].keep(Array(messages[first..<first + 10])) {
            if case .kept = receipt { kept.withLock { $0 += 1 } }
          }
        }
      } catch {
        Issue.record(error)
      }
    }
    for store in stores { try store.close() }
    #expect(kept.withLock { $0 } == 50)
    let items = try bench.store.inbox(limit: 100)
    #expect(items.count == 50)
    #expect(items.allSatisfy { $0.timesReceived == 4 })
  }

  @Test(arguments: StoreKind.all) func whatOneUserPutsInAnotherFinds(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    let other = try bench.place.open()
    #expect(try other.put([.post(try post("NEW"))]) == [nil])
    #expect(try bench.store.posts().map(\.code.code).contains("NEW"))
    try bench.receive(text(0), id: "SM1")
    #expect(try other.passages(PassageQuery()).count == 1)
    #expect(try other.keep([bench.message(text(0), id: "SM1")]) == [.known(1)])
    try other.close()
  }

  @Test(arguments: StoreKind.all) func aStoreWithRoomTakesMore(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    #expect(bench.store.shortage == nil)
    #expect(throws: Never.self) { try bench.store.proveWritable() }
  }

  @Test(arguments: StoreKind.all) func afterItsEndNothingIsDone(_ kind: StoreKind) throws {
    let bench = try Bench(kind)
    try bench.store.close()
    #expect(throws: StorageError.self) { try bench.keep(text(0), id: "SM1") }
    #expect(throws: StorageError.self) { try bench.process() }
  }
}
