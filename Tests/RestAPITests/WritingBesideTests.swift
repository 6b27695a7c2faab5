import Synchronization
import Testing
import Time

@testable import RestAPI

/// What is told of rows that were written is never put together while they are written.
@Suite struct WritingBesideTests {
  /// A store that writes down what it was asked, in order.
  private final class AskedStore: RestStore, Sendable {
    struct Asked: Equatable {
      var what: String
      /// Whether rows of other tables were wanted.
      var embeds: Bool
      var rows: Int
    }

    private let state = Mutex<[Asked]>([])
    private let keys: [String]

    init(keys: [String]) { self.keys = keys }

    var asked: [Asked] { state.withLock { $0 } }

    private func note(_ what: String, _ selection: RestSelection, _ rows: Int) {
      let embeds = selection.items.contains { item in
        if case .related = item.content { true } else { false }
      }
      state.withLock { $0.append(Asked(what: what, embeds: embeds, rows: rows)) }
    }

    func read(_ read: RestRead) throws(RestError) -> RestRows {
      note("read", read.selection, keys.count)
      return RestRows(keys.map { "{\"id\":\"\($0)\"}" })
    }

    func rows(of reads: [RestRead]) throws(RestError) -> [String] {
      if let first = reads.first { note("tell", first.selection, reads.count) }
      return reads.map { _ in "{}" }
    }

    func insert(_ insert: RestInsert, at now: WallTime) throws(RestError) -> RestChange {
      note("insert", insert.telling.selection, insert.rows.count)
      let rows = insert.rows.map { "{\"client_id\":\"\($0["client_id"]?.text ?? "")\"}" }
      return RestChange(rows, count: rows.count)
    }

    func update(_ update: RestUpdate, at now: WallTime) throws(RestError) -> RestChange {
      var wanted: [RestValue] = []
      if case .all(let parts) = update.filter, case .oneOf(_, let values)? = parts.first {
        wanted = values
      }
      note("update", update.telling.selection, wanted.count)
      let column = update.telling.selection.items.first?.name ?? ""
      let rows = wanted.compactMap(\.text).map { "{\"\(column)\":\"\($0)\"}" }
      return RestChange(rows, count: wanted.count)
    }

    func delete(_ delete: RestDelete, at now: WallTime) throws(RestError) -> RestChange {
      note("delete", delete.telling.selection, keys.count)
      return RestChange(keys.map { "{\"id\":\"\($0)\"}" }, count: keys.count)
    }
  }

  private static let now = WallTime(epochSeconds: 1_767_225_600)

  private func ask(
    _ store: AskedStore, _ method: String, _ table: String, _ query: String, _ body: String = ""
  ) -> RestAnswer {
    RestHandler.answer(
      RestRequest(
        method, table, query: query, headers: ["prefer": "return=representation"],
        body: Array(body.utf8)),
      as: .service, from: store, at: Self.now)
  }

  private static func id(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  private static let embedding = "select=client_id,checkposts(*,vehicle_passages(*))"

  @Test func insertedRowsAreToldAfterwards() {
    let store = AskedStore(keys: [])
    let row =
      "{\"client_id\":\"\(Self.id(1))\",\"plate_number\":\"BA1PA1\",\"vehicle_type\":\"car\","
      + "\"checkpost_id\":\"\(Self.id(2))\",\"segment_id\":\"\(Self.id(3))\","
      + "\"ranger_id\":\"\(Self.id(4))\",\"recorded_at\":\"2026-01-01T00:00:00Z\"}"
    let answer = ask(store, "POST", "vehicle_passages", Self.embedding, row)
    #expect(answer.status == 201 && answer.body == "[{}]")
    #expect(
      store.asked == [
        .init(what: "insert", embeds: false, rows: 1), .init(what: "tell", embeds: true, rows: 1),
      ])
  }

  @Test func manyAreChangedSomeAtATimeAndToldAtTheEnd() {
    let store = AskedStore(keys: (1...120).map(Self.id))
    let answer = ask(
      store, "PATCH", "vehicle_passages", Self.embedding + "&plate_number=eq.X",
      "{\"vehicle_type\":\"bus\"}")
    #expect(answer.status == 200)
    #expect(
      store.asked == [
        .init(what: "read", embeds: false, rows: 120),
        .init(what: "update", embeds: false, rows: 50),
        .init(what: "update", embeds: false, rows: 50),
        .init(what: "update", embeds: false, rows: 20),
        .init(what: "tell", embeds: true, rows: 120),
      ])
  }

  @Test func moreThanAreTakenAreRefusedBeforeTheFirstIsChanged() {
    let store = AskedStore(keys: (1...1_001).map(Self.id))
    let answer = ask(
      store, "PATCH", "vehicle_passages", "plate_number=eq.X", "{\"vehicle_type\":\"bus\"}")
    #expect(answer.status == 413)
    #expect(store.asked.map(\.what) == ["read"])
  }

  @Test func removedRowsAreToldAsTheyWereBefore() {
    let store = AskedStore(keys: [Self.id(1), Self.id(2)])
    let answer = ask(
      store, "DELETE", "sync_metadata", "select=device_id,user_profiles(*)&device_id=eq.a")
    #expect(answer.status == 200 && answer.body == "[{},{}]")
    #expect(
      store.asked == [
        .init(what: "read", embeds: false, rows: 2), .init(what: "tell", embeds: true, rows: 2),
        .init(what: "delete", embeds: false, rows: 2),
      ])
  }

  @Test func aColumnStandsTwiceAtMost() {
    func status(_ select: String) -> Int {
      ask(AskedStore(keys: []), "GET", "vehicle_passages", "select=\(select)").status
    }
    #expect(status("*,x:plate_number") == 200)
    #expect(status("a:plate_number,b:plate_number") == 200)
    #expect(status("*,a:plate_number,b:plate_number") == 413)
    #expect(status((1...47).map { "a\($0):plate_number" }.joined(separator: ",")) == 413)
  }
}
