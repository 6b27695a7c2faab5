import Accounts
import CentralCore
import Passages
import PostgreSQL
import RestAPI
import Storage
import Testing
import Time

/// Whoever has an account, as the tables of the API and passages name them.
@Suite struct WireAccountTests {
  private static let id = AccountID(random: 3, 3)

  /// What the migration grants is enough for a service that does not own the schema.
  @Test(.needsPostgreSQL) func whoWasGrantedItLetsPeopleIn() throws {
    let place = try GrantedPlace()
    var world = try WireWorld(place)
    try addSita(to: world)
    let store = try #require(world.store as? any AccountStore)
    let now = world.now
    try store.accountTransaction { rows throws(StorageError) in
      try rows.keep(Session(id: "s", account: Self.id, createdAt: now), token: nil)
      try rows.record(AuditEntry(at: now, .signedIn, account: Self.id))
      try rows.forgetSessions(unusedFor: .seconds(1), at: now)
    }
    let sita = RestPrincipal(
      .ranger, user: Self.id.text, post: WireWorld.east, segment: WireWorld.segment)
    for (number, isWest) in [(1, false), (2, true)] {
      world.ask(
        "POST", "vehicle_passages",
        WireWorld.passage(
          number, at: isWest ? 1_800 : 0, west: isWest,
          isWest ? [:] : ["ranger_id": "\"\(Self.id)\""]),
        as: isWest ? WireWorld.western : sita)
      #expect(world.status == 201)
    }
    world.ask(
      "PATCH", "vehicle_passages?client_id=eq.\(WireWorld.client(1))", "{\"vehicle_type\":\"bus\"}",
      as: sita)
    #expect(world.field("Content-Range") == "0-0/*")
    let violation = world.rows("violations").first?["id"]?.text ?? ""
    let body =
      "{\"violation_id\":\"\(violation)\",\"outcome_type\":\"warned\",\"recorded_by\":\"\(Self.id)\"}"
    world.ask("POST", "violation_outcomes", body, as: sita)
    #expect(world.status == 201)
    for table in Catalogue.tables {
      world.ask("GET", table.name, as: .service)
      #expect(world.status == 200, "\(table.name)")
    }
    try world.store.close()
  }

  /// Adds an account with the number of somebody of the directory.
  private func addSita(to world: WireWorld) throws {
    let store = try #require(world.store as? any AccountStore)
    let sita = Account(
      id: Self.id, login: try #require(LoginName("sita", domain: "bnp.local")), fullName: "Sita",
      role: .ranger, phone: "+9779801234567", post: try CheckpostCode("BNP-A"),
      createdAt: world.now)
    let conflict = try store.accountTransaction { rows throws(StorageError) in
      try rows.insert(sita, password: nil)
    }
    #expect(conflict == nil)
  }

  @Test(arguments: StoreKind.shipped) func somebodyWithAnAccountIsNotThereTwice(
    kind: StoreKind
  ) throws {
    var world = try WireWorld(kind)
    defer { try? world.store.close() }
    try addSita(to: world)
    let told = world.rows(
      "user_profiles?full_name=eq.Sita&select=id,role,phone_number,checkposts(code),parks(name)",
      as: .service)
    #expect(told.count == 1)
    #expect(told.first?["id"]?.text == Self.id.text)
    #expect(told.first?["role"] == "ranger")
    #expect(told.first?["phone_number"] == "+9779801234567")
    #expect(told.first?["checkposts"]?.object?["code"] == "BNP-A")
    #expect(told.first?["parks"]?.object?["name"] == "Park")
    #expect(try world.store.rangers().map(\.name) == ["Sita", "Ram"])
  }

  @Test(arguments: StoreKind.shipped) func anUploadStandsUnderTheAccount(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    defer { try? world.store.close() }
    try addSita(to: world)
    let sita = RestPrincipal(
      .ranger, user: Self.id.text, post: WireWorld.east, segment: WireWorld.segment)
    world.ask(
      "POST", "vehicle_passages",
      WireWorld.passage(1, at: 0, west: false, ["ranger_id": "\"\(Self.id)\""]), as: sita)
    #expect(world.status == 201)
    let told = world.rows(
      "vehicle_passages?select=ranger_id,user_profiles(full_name)", as: .service)
    #expect(told.first?["ranger_id"]?.text == Self.id.text)
    #expect(told.first?["user_profiles"]?.object?["full_name"] == "Sita")
    world.ask(
      "PATCH", "vehicle_passages?client_id=eq.\(WireWorld.client(1))", "{\"vehicle_type\":\"bus\"}",
      as: sita)
    #expect(world.field("Content-Range") == "0-0/*")
    let body =
      "{\"user_id\":\"\(Self.id)\",\"device_id\":\"post-1\",\"pending_count\":1}"
    world.ask("POST", "sync_metadata", body, as: sita)
    #expect(world.status == 201)
  }
}

/// A database that is used by somebody to whom the migration granted it.
private final class GrantedPlace: StorePlace {
  private let place: PostgreSQLPlace
  private let name: String

  init() throws {
    place = try PostgreSQLPlace()
    name = "granted_\(place.database.suffix(12))"
    try place.execute("CREATE ROLE \(name) LOGIN BYPASSRLS IN ROLE service_role")
  }

  deinit {
    try? place.execute("REVOKE service_role FROM \(name); DROP ROLE \(name)")
  }

  func open() throws -> any CentralStore { try place.openStore { [name] in $0.user = name } }
}
