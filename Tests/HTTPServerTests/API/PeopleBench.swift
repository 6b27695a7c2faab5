import Accounts
import CentralCore
import CentralPostgreSQL
import CentralSQLite
import CentralService
import EventLoop
import Events
import Log
import Passages
import PostgreSQL
import RestAPI
import Storage
import Synchronization
import TestSupport
import Testing
import Time
import Tokens

@testable import HTTPServer

/// A central as it serves: accounts, tables and the service that judges, on either store, with the pilot's directory.
final class PeopleBench: Sendable {
  /// Where its rows are; they stay when a bench is gone.
  enum Place: Sendable, CustomTestStringConvertible {
    case sqlite
    case postgreSQL

    static let all: [Place] = [.sqlite] + (PostgreSQLServer.binaries == nil ? [] : [.postgreSQL])

    var testDescription: String { self == .sqlite ? "SQLite" : "PostgreSQL" }

    func make() async throws -> Rows {
      switch self {
      case .sqlite: .file(try TemporaryDirectory())
      case .postgreSQL: .database(try await ServedDatabase.make().settings)
      }
    }
  }

  enum Rows: Sendable {
    case file(TemporaryDirectory)
    case database(PostgreSQLSettings)
  }

  static let wall = WallTime(epochSeconds: 1_790_000_000)
  static let segment = ClientID.derived(kind: "segment", name: "Banke").description
  static let east = ClientID.derived(kind: "post", name: "BNP-A").description
  static let west = ClientID.derived(kind: "post", name: "BNP-B").description
  static let sita = AccountID(random: 1, 1)
  static let hari = AccountID(random: 2, 2)

  let store: any CentralStore & AccountStore
  let rest: CountingStore
  let central: CentralService
  let client: RouterClient

  init(on rows: Rows, isNew: Bool = true, bounds: ConnectionBounds = Bench.patient) throws {
    let clocks = TestClocks(wall: PeopleBench.wall)
    let log = ServiceLog(level: .debug, mask: .short, sinks: [])
    func service(_ store: any CentralStore) throws -> CentralService {
      try CentralService(
        machine: CentralMachine(store: store, rules: CentralRules()), clocks: clocks,
        onEvent: { _ in })
    }
    switch rows {
    case .file(let directory):
      let store = try SQLiteCentralStore(path: directory.file("people.db"), reserveBytes: 0)
      let central = try service(store)
      (self.store, self.central) = (store, central)
      rest = CountingStore(
        SQLiteRestStore(of: store, rules: { JudgingRules() }) { central.tell(ofRequest: $0) })
    case .database(let settings):
      let store = try PostgreSQLCentralStore(settings, clocks: SystemClocks())
      let central = try service(store)
      (self.store, self.central) = (store, central)
      rest = CountingStore(PostgreSQLRestStore(of: store) { central.tell(ofRequest: $0) })
    }
    let keys = try #require(TokenKeys([try TokenKey(AuthBench.secret)]))
    let desk = AccountDesk(
      store: store, settings: AccountSettings(keys: keys),
      hasher: PasswordHasher(cost: .least), clocks: clocks, log: log)
    client = RouterClient(
      HTTPService(
        address: "127.0.0.1", port: 0, providers: [], accounts: desk, bounds: bounds,
        api: CentralAPI(store: rest, authenticator: desk), central: central, clocks: clocks,
        log: log, logger: RouterClient.logger))
    if isNew { try fill() }
  }

  private func fill() throws {
    var entries: [DirectoryEntry] = [
      .segment(
        try Segment(
          name: "Banke", distanceKilometres: 45, minimumKilometresPerHour: 10,
          maximumKilometresPerHour: 40))
    ]
    for (code, name, index) in [("BNP-A", "East", 0), ("BNP-B", "West", 1)] {
      let place = Post.Place(segment: "Banke", index: index)
      entries.append(.post(Post(code: try CheckpostCode(code), name: name, place: place)))
    }
    #expect(try store.put(entries).allSatisfy { $0 == nil })
    let accounts = [
      Account(
        id: PeopleBench.sita, login: try #require(LoginName("sita", domain: "bnp.local")),
        fullName: "Sita", role: .ranger, phone: "+9779841114567",
        post: try CheckpostCode("BNP-A"), createdAt: PeopleBench.wall),
      Account(
        id: PeopleBench.hari, login: try #require(LoginName("hari", domain: "bnp.local")),
        fullName: "Hari", role: .admin, createdAt: PeopleBench.wall),
    ]
    for (account, password) in zip(accounts, ["east-gate-1", "west-gate-2"]) {
      let hash = try #require(PasswordHash(of: password, cost: .least)).description
      let conflict = try store.accountTransaction { rows throws(StorageError) in
        try rows.insert(account, password: hash)
      }
      #expect(conflict == nil)
    }
  }

  /// Runs `body` while the service judges, and lets go of the store.
  static func run(
    on rows: Rows, isNew: Bool = true, bounds: ConnectionBounds = Bench.patient,
    _ body: (PeopleBench) async throws -> Void
  ) async throws {
    let bench = try await onThread {
      Result { try PeopleBench(on: rows, isNew: isNew, bounds: bounds) }
    }.get()
    try bench.central.start()
    var failure: (any Error)?
    do { try await body(bench) } catch { failure = error }
    bench.central.stop()
    await bench.central.finished()
    try await onThread { Result { try bench.close() } }.get()
    if let failure { throw failure }
  }

  /// Runs `body` while what it asks comes over sockets; `body` is given the port.
  func serve(_ body: (UInt16) async throws -> Void) async throws {
    let server = client.server
    server.start()
    let port = try #require(await server.boundPort())
    var failure: (any Error)?
    do { try await body(UInt16(port)) } catch { failure = error }
    server.stop()
    try await onThread { Result { try server.join() } }.get()
    if let failure { throw failure }
  }

  private func close() throws {
    if let store = store as? PostgreSQLCentralStore { try store.close() }
    if let store = store as? SQLiteCentralStore { try store.close() }
  }

  /// Asks with a token.
  func ask(
    _ method: String, _ path: String, _ body: String = "", as token: String?,
    prefer: String? = nil
  ) async throws -> Answer {
    var fields = prefer.map { [("Prefer", $0)] } ?? []
    if !body.isEmpty { fields.append(("Content-Type", "application/json")) }
    return try await client.ask(method, path, Array(body.utf8), as: token, fields)
  }

  /// The rows of a table that the holder of a token sees.
  func rows(_ target: String, as token: String) async throws -> [[String: RestJSON]] {
    let answer = try await ask("GET", "/rest/v1/\(target)", as: token)
    guard case .list(let list)? = RestJSON(Array(answer.body.utf8)) else { return [] }
    return list.compactMap(\.object)
  }

  /// The token of who signs in; nil where they may not.
  func token(_ name: String, _ password: String) async throws -> String? {
    let answer = try await ask(
      "POST", "/auth/v1/token?grant_type=password",
      "{\"email\":\"\(name)@bnp.local\",\"password\":\"\(password)\"}", as: nil)
    return answer.status == 200 ? AuthAnswer(answer).accessToken : nil
  }

  /// A passage in JSON, so many seconds after two hours ago.
  static func passage(
    _ number: Int, _ plate: String = "BA1PA1234", at second: Int = 0, west isWest: Bool = false
  ) -> String {
    let client = ClientID(random: UInt64(number), UInt64(number))
    let time = (wall + .seconds(second - 7_200)).rfc3339
    return "{\"client_id\":\"\(client)\",\"plate_number\":\"\(plate)\",\"vehicle_type\":\"jeep\","
      + "\"checkpost_id\":\"\(isWest ? west : east)\",\"segment_id\":\"\(segment)\","
      + "\"ranger_id\":\"\(sita.text)\",\"recorded_at\":\"\(time)\",\"source\":\"app\"}"
  }
}

/// Tables, and how often somebody asked for what changed in them.
final class CountingStore: RestStore, Sendable {
  private let store: any RestStore & Sendable
  /// How often somebody asked for changes, and how many at most.
  let asked = Mutex((times: 0, most: 0))
  /// How often changes behind a mark were handed out.
  let handed = Mutex([RestMark?: Int]())

  init(_ store: any RestStore & Sendable) {
    self.store = store
  }

  func read(_ read: RestRead) throws(RestError) -> RestRows { try store.read(read) }
  func rows(of reads: [RestRead]) throws(RestError) -> [String] { try store.rows(of: reads) }
  func insert(_ insert: RestInsert, at now: WallTime) throws(RestError) -> RestChange {
    try store.insert(insert, at: now)
  }
  func update(_ update: RestUpdate, at now: WallTime) throws(RestError) -> RestChange {
    try store.update(update, at: now)
  }
  func delete(_ delete: RestDelete, at now: WallTime) throws(RestError) -> RestChange {
    try store.delete(delete, at: now)
  }
  func notes(after mark: RestMark?, limit: Int) throws(RestError) -> RestNotes {
    asked.withLock { $0 = ($0.times + 1, max($0.most, limit)) }
    let notes = try store.notes(after: mark, limit: limit)
    if !notes.notes.isEmpty { handed.withLock { $0[mark, default: 0] += 1 } }
    return notes
  }
}
