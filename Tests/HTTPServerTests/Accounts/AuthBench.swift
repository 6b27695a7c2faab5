import Accounts
import CentralCore
import CentralSQLite
import CentralService
import EventLoop
import Events
import JSON
import Log
import NIOCore
import Passages
import Storage
import Synchronization
import TestSupport
import Testing
import Time
import Tokens

@testable import HTTPServer

/// A central with two posts, where Sita of BNP-A and the admin Hari may sign in.
final class AuthBench: Sendable {
  static let wall = WallTime(epochSeconds: 1_790_000_000)
  static let secret = "a secret of the tests that is long enough"
  static let sita = AccountID(random: 1, 1)
  static let hari = AccountID(random: 2, 2)

  let clocks = TestClocks(wall: AuthBench.wall)
  let store: SQLiteCentralStore
  let central: CentralService
  let events = Mutex<[Event]>([])
  let log: ServiceLog
  let desk: AccountDesk
  private let directory: TemporaryDirectory

  init(_ change: (inout AccountSettings) -> Void = { _ in }) throws {
    directory = try TemporaryDirectory()
    let store = try SQLiteCentralStore(path: directory.file("central.db"))
    self.store = store
    central = try CentralService(
      machine: CentralMachine(store: store, rules: CentralRules()), clocks: clocks,
      onEvent: { _ in })
    log = ServiceLog(level: .debug, mask: .short, sinks: [])
    let keys = try #require(TokenKeys([try TokenKey(AuthBench.secret)]))
    var settings = AccountSettings(keys: keys)
    change(&settings)
    let cost = PasswordHash.Cost.least
    desk = AccountDesk(
      store: store, settings: settings, hasher: PasswordHasher(cost: cost), clocks: clocks,
      log: log)
    try AuthBench.fill(store, cost)
  }

  private static func fill(_ store: SQLiteCentralStore, _ cost: PasswordHash.Cost) throws {
    let place = Post.Place(segment: "Banke", index: 0)
    let entries = [
      DirectoryEntry.segment(
        try Segment(
          name: "Banke", distanceKilometres: 45, minimumKilometresPerHour: 10,
          maximumKilometresPerHour: 40)),
      .post(Post(code: try CheckpostCode("BNP-A"), name: "East", place: place)),
    ]
    #expect(try store.put(entries) == [nil, nil])
    let sita = Account(
      id: sita, login: try #require(LoginName("sita", domain: "bnp.local")), fullName: "Sita",
      role: .ranger, phone: "+9779841114567", post: try CheckpostCode("BNP-A"), createdAt: wall)
    let hari = Account(
      id: hari, login: try #require(LoginName("hari", domain: "bnp.local")), fullName: "Hari",
      role: .admin, createdAt: wall)
    let passwords = try ["east-gate-1", "west-gate-2"].map {
      try #require(PasswordHash(of: $0, cost: cost)).description
    }
    let conflicts = try store.accountTransaction { rows throws(StorageError) in
      [
        try rows.insert(sita, password: passwords[0]),
        try rows.insert(hari, password: passwords[1]),
      ]
    }
    #expect(conflicts == [nil, nil])
  }

  /// Changes something in the store, as a command beside the service does.
  func change<Value: Sendable>(
    _ body: (any AccountTransaction) throws(StorageError) -> Value
  ) throws -> Value {
    try store.accountTransaction(body)
  }

  func setActive(_ isActive: Bool, _ id: AccountID = AuthBench.sita) throws {
    try change { rows throws(StorageError) in
      guard var account = try rows.account(id) else { return }
      account.isActive = isActive
      _ = try rows.update(account)
    }
  }

  func addKey(
    _ role: APIKey.Role, _ change: (inout APIKey) -> Void = { _ in }
  ) throws -> (key: APIKey, text: String) {
    var (key, text) = APIKey.make(role, name: "a key", at: AuthBench.wall)
    change(&key)
    let made = key
    #expect(try self.change { rows throws(StorageError) in try rows.insert(made) } == nil)
    return (key, text)
  }

  func audit() throws -> [AuditEntry] {
    try store.readAccounts { rows throws(StorageError) in try rows.audit(limit: 1_000) }
  }

  /// Who shows this: the role, or the status and the code of the refusal.
  func principal(
    key: String? = nil, bearer: String? = nil, scheme: String = "Bearer"
  ) async -> String {
    do throws(AccessRefusal) {
      let credentials = Credentials(key: key, authorization: bearer.map { "\(scheme) \($0)" })
      let principal = try await desk.principal(of: credentials)
      return [principal.role.rawValue, principal.post?.code, principal.segment].compactMap { $0 }
        .joined(separator: " ")
    } catch {
      return "\(error.status) \(error.code ?? error.message)"
    }
  }

  private func server(_ rules: DoorRules = DoorRules()) -> HTTPService {
    HTTPService(
      address: "127.0.0.1", port: 0, providers: [], accounts: desk, bounds: Bench.patient,
      rules: rules, central: central, clocks: clocks, log: log, logger: RouterClient.logger)
  }

  /// A client of a server that remembers what it was asked.
  func client(_ rules: DoorRules = DoorRules()) -> RouterClient { RouterClient(server(rules)) }

  /// Asks the router, without a socket between.
  func ask(
    _ path: String, method: String = "POST", headers: [(String, String)] = [],
    _ body: JSONValue? = nil, _ client: RouterClient? = nil
  ) async throws -> AuthAnswer {
    let answer = try await (client ?? self.client()).send(
      path, method: method, headers: headers.map { (name: $0.0, value: $0.1) },
      Array((body.map { JSONText.line($0) } ?? "").utf8))
    return AuthAnswer(answer)
  }

  func signIn(
    _ name: String = "sita@bnp.local", _ password: String = "east-gate-1"
  ) async throws -> AuthAnswer {
    try await ask(
      "/auth/v1/token?grant_type=password",
      ["email": .text(name), "password": .text(password)])
  }

  func refresh(_ token: String) async throws -> AuthAnswer {
    try await ask(
      "/auth/v1/token?grant_type=refresh_token", ["refresh_token": .text(token)])
  }

  /// Runs `body` while the server listens; `body` is given its address.
  func serve(_ body: @escaping @Sendable (String) async throws -> Void) async throws {
    let server = server()
    server.start()
    let port = try #require(await server.boundPort())
    var failure: (any Error)?
    do {
      try await body("http://127.0.0.1:\(port)")
    } catch {
      failure = error
    }
    server.stop()
    try await onThread { Result { try server.join() } }.get()
    if let failure { throw failure }
  }
}

/// An answer in JSON.
struct AuthAnswer: Sendable {
  var status: Int
  var headers: [String: String]
  var json: JSONValue

  init(_ answer: Answer) {
    status = answer.status
    headers = answer.headers
    json = JSONText.decode(Array(answer.body.utf8)) ?? .null
  }

  var refreshToken: String { json["refresh_token"]?.text ?? "" }
  var accessToken: String { json["access_token"]?.text ?? "" }
  /// The status and GoTrue's name of what went wrong.
  var words: String { "\(status) \(json["error_code"]?.text ?? "")" }
}

/// A store in which somebody changes something right after it was first looked into.
final class MeddlingStore: AccountStore {
  typealias Change = @Sendable (any AccountTransaction) throws(StorageError) -> Void

  private let store: SQLiteCentralStore
  private let change: Mutex<Change?>

  init(_ store: SQLiteCentralStore, _ change: @escaping Change) {
    self.store = store
    self.change = Mutex(change)
  }

  func accountTransaction<Value: Sendable>(
    _ body: (any AccountTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    try store.accountTransaction(body)
  }

  func readAccounts<Value: Sendable>(
    _ body: (any AccountTransaction) throws(StorageError) -> Value
  ) throws(StorageError) -> Value {
    let value = try store.readAccounts(body)
    let change = change.withLock { held in
      defer { held = nil }
      return held
    }
    if let change { try store.accountTransaction(change) }
    return value
  }
}
