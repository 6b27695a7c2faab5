import Events
import GSM
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Storage
import Testing
import Time

/// What another process finds on the disk at the very moment at which the node says something.
@Suite(.timeLimit(.minutes(15))) struct OrderTests {
  @Test func theIntentIsOnDiskBeforeTheModemHearsOfIt() async throws {
    let seen = Said<[String]>()
    let bench = try ServiceBench(onRequest: { request, other in
      guard request.text != nil else { return }
      seen.add((try? other.texts(of: 1).map(\.outcome)) ?? ["unreadable"])
    })
    try await bench.run {
      bench.service.post(.modemReady)
      _ = try await bench.service.record([try sample(1)])
      try await bench.pass(.seconds(301))
      _ = try await bench.text(1)
      bench.service.post(.outcome(1, .accepted(references: [17])))
    }
    #expect(seen.all == [["intent"]])
  }

  @Test func theReferenceIsOnDiskBeforeItIsTold() async throws {
    let seen = Said<[UInt8]?>()
    let bench = try ServiceBench(onEvent: { event, other in
      guard event.name == "text_accepted" else { return }
      seen.add(try? other.texts(of: 1).first?.references)
    })
    try await bench.run {
      bench.service.post(.modemReady)
      _ = try await bench.service.record([try sample(1)])
      try await bench.pass(.seconds(301))
      _ = try await bench.text(1)
      bench.service.post(.outcome(1, .accepted(references: [17])))
    }
    #expect(seen.all == [[17]])
  }

  @Test func whatCameInIsOnDiskBeforeTheModemMayForgetIt() async throws {
    let hex = try deliver("hello")
    let seen = Said<KeepOutcome?>()
    let bench = try ServiceBench(onRequest: { request, other in
      guard request.token != nil else { return }
      // What is known already is kept already.
      let moment = Moment(boot: .seconds(1_000), wall: WallTime(epochSeconds: 1_800_000_000))
      let identity = try? PDU.decode(hex: hex, direction: .mobileTerminated).identity
      let entry = InboxEntry(
        pdu: hex, identity: identity, modem: "modem", content: .undecodable(reason: "not kept"))
      seen.add(
        try? other.transaction { transaction throws(StorageError) in
          try transaction.keep(entry, at: moment)
        })
    })
    try await bench.run {
      bench.service.post(.received(hex, token: 5))
      let confirmed = try await bench.requests.first { $0.token != nil }
      #expect(confirmed.token == 5)
    }
    #expect(seen.all == [.known])
  }

  @Test func whatIsRecordedTogetherSharesACommit() async throws {
    let seen = Said<Int>()
    let bench = try ServiceBench(onEvent: { event, other in
      guard event.name == "passage_recorded" else { return }
      seen.add((try? other.list(QueueQuery()).count) ?? -1)
    })
    // All of them wait when the node takes its first look.
    for number in 1...100 as ClosedRange<Int64> {
      #expect(bench.service.post(.record(requestID: number, [try sample(number)])))
    }
    try await bench.run { try await bench.settle() }
    // When the first of them is told, all of them are there.
    #expect(seen.all == Array(repeating: 100, count: 100))
  }

  @Test func manyTasksRecordAtOnce() async throws {
    let bench = try ServiceBench()
    try await bench.run {
      try await withThrowingTaskGroup(of: [RecordOutcome].self) { group in
        for number in 1...200 as ClosedRange<Int64> {
          group.addTask {
            let outcomes = try await bench.service.record([try sample(number)])
            // Acknowledged is on disk.
            let client = try sample(number).passage.clientID
            #expect(try bench.other.item(client) != nil)
            return outcomes
          }
        }
        var places: Set<Int64> = []
        for try await outcomes in group {
          if case .recorded(_, let queueID) = outcomes.first {
            places.insert(queueID)
          }
        }
        #expect(places.count == 200)
      }
    }
    #expect(try bench.other.list(QueueQuery()).count == 200)
  }
}
