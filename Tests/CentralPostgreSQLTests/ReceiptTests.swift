import CentralCore
import CentralPostgreSQL
import Passages
import PostgreSQL
import TestSupport
import Testing
import Time

/// What the service is told of what it hands in.
@Suite(.needsPostgreSQL)
struct ReceiptTests {
  private static let now = WallTime(epochSeconds: judgedMorning + 100)

  @Test func ofEverythingThereIs() async throws {
    let database = try await JudgedDatabase.make()
    try await database.with { connection throws in
      let judging = JudgingDatabase(connection)
      let upload = try sighting(0, identity: ClientID(random: 1, 1))
      let text = try sighting(0, channel: .text)
      let second = try sighting(40, suffix: "9801", channel: .text)
      var other = try sighting(900, identity: upload.clientID)
      other.receivedAt = Self.now
      var early = ReceivedCorrection(of: ClientID(random: 9, 9), madeAt: Self.now)
      early.vehicleType = .bus
      var late = ReceivedCorrection(of: upload.clientID, madeAt: Self.now)
      late.vehicleType = .truck
      let own = ClientID(random: 5, 5)
      let receipts = try judging.take(
        [
          PassageArrival(upload, from: .init(inboxID: 7, uuid: own)), PassageArrival(early),
          PassageArrival(text), PassageArrival(second), PassageArrival(other),
          PassageArrival(upload), PassageArrival(late), PassageArrival(late),
        ], at: Self.now
      ).receipts
      #expect(
        receipts.map(\.outcome) == [
          .report(.new), .early, .report(.alias(of: 1)), .report(.new),
          .report(.contradiction(of: 1)), .report(.known(1)), .correction, .correction,
        ])
      #expect(receipts.map(\.isNews) == [true, true, true, true, true, false, true, false])
      #expect(receipts.map(\.record) == [1, nil, 1, 2, 1, 1, 1, 1])
      let name = PassageName(row: 1, uuid: own, clientID: upload.clientID)
      #expect(receipts.map(\.passage) == [name, nil] + Array(repeating: name, count: 6))
      #expect(receipts.map(\.isFirst) == [true] + Array(repeating: false, count: 7))
      #expect(
        try connection.texts(
          "SELECT times || ' ' || o.inbox_id FROM checkpost.records r"
            + " JOIN checkpost.observations o ON o.record = r.number WHERE o.number = 1") == ["4 7"]
      )
    }
  }

  @Test func ofNothing() async throws {
    let database = try await JudgedDatabase.make()
    let receipts = try await database.with { connection throws in
      try JudgingDatabase(connection).take([], at: Self.now).receipts
    }
    #expect(receipts.isEmpty)
  }
}
