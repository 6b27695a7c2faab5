import Accounts
import CentralCore
import Passages
import RestAPI
import Storage
import Testing
import Time

/// What an admin and the service key change over the API, alike in both stores, and nobody else.
@Suite struct WirePeopleTests {
  private static let admin = RestPrincipal(.admin, user: WireWorld.client(77))

  @Test(arguments: StoreKind.shipped) func aPassageIsWithdrawn(_ kind: StoreKind) throws {
    var world = try WireWorld(kind)
    world.now = world.now + .seconds(5_000)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1, at: 0))
    world.ask(
      "POST", "vehicle_passages", WireWorld.passage(2, at: 1_800, west: true), as: WireWorld.western
    )
    #expect(world.rows("violations").count == 1)
    let target = "vehicle_passages?client_id=eq.\(WireWorld.client(2))"
    world.ask("DELETE", target, as: WireWorld.western)
    #expect(world.status == 403)
    #expect(world.rows("violations").count == 1)
    world.ask("DELETE", target, as: Self.admin)
    #expect(world.status == 204)
    #expect(world.rows("violations").isEmpty)
  }

  @Test(arguments: StoreKind.shipped) func anAlertIsResolved(_ kind: StoreKind) throws {
    var world = try WireWorld(kind)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1, at: 0))
    world.now = world.now + .seconds(6 * 3_600)
    _ = try world.store.clock(rules: JudgingRules(), at: world.now)
    let alert = try #require(world.rows("proactive_overstay_alerts?resolved=is.false").first)
    let id = try #require(alert["id"]?.text)
    let target = "proactive_overstay_alerts?id=eq.\(id)"
    world.ask("PATCH", target, "{\"resolved\":true}")
    #expect(world.rows(target).first?["resolved"] == .flag(false))
    world.ask("PATCH", target, "{\"resolved\":false}", as: Self.admin)
    #expect(world.status == 400)
    let told = world.ask(
      "PATCH", target, "{\"resolved\":true}", prefer: "return=representation", as: Self.admin)
    #expect(world.status == 200, "\(told)")
    let row = try #require(world.rows(target).first)
    #expect(row["resolved"] == .flag(true) && row["resolved_at"] != .null)
    // It is not raised anew by the clock.
    world.now = world.now + .seconds(600)
    _ = try world.store.clock(rules: JudgingRules(), at: world.now)
    #expect(world.rows("proactive_overstay_alerts?resolved=is.false").isEmpty)
  }

  @Test(arguments: StoreKind.shipped) func whenSomebodyWasToldIsKept(_ kind: StoreKind) throws {
    var world = try WireWorld(kind)
    world.now = world.now + .seconds(5_000)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1, at: 0))
    world.ask(
      "POST", "vehicle_passages", WireWorld.passage(2, at: 1_800, west: true), as: WireWorld.western
    )
    let id = try #require(world.rows("violations").first?["id"]?.text)
    let body = "{\"alert_delivered_at\":\"2026-01-01T02:00:00Z\"}"
    world.ask("PATCH", "violations?id=eq.\(id)", body)
    #expect(world.rows("violations").first?["alert_delivered_at"] == .null)
    world.ask("PATCH", "violations?id=eq.\(id)", body, as: Self.admin)
    #expect(world.status == 204)
    #expect(
      world.rows("violations").first?["alert_delivered_at"]?.text == "2026-01-01T02:00:00+00:00")
    world.ask("PATCH", "violations?id=eq.\(id)", "{\"plate_number\":\"X1\"}", as: Self.admin)
    #expect(world.status == 403)
  }

  @Test(arguments: StoreKind.shipped) func aProfileIsChanged(_ kind: StoreKind) throws {
    var world = try WireWorld(kind)
    let accounts = try #require(world.store as? any AccountStore)
    let id = AccountID(random: 5, 5)
    let account = Account(
      id: id, login: try #require(LoginName("gita", domain: "bnp.local")), fullName: "Gita",
      role: .ranger, phone: "+9779801112233", post: try CheckpostCode("BNP-A"),
      createdAt: world.now)
    let conflict = try accounts.accountTransaction { rows throws(StorageError) in
      try rows.insert(account, password: nil)
    }
    #expect(conflict == nil)
    let target = "user_profiles?id=eq.\(id.text)"
    func change(_ body: String, as principal: RestPrincipal = Self.admin) -> Int {
      world.ask("PATCH", target, body, as: principal)
      return world.status
    }
    #expect(
      change(
        "{\"full_name\":\"Gita K.C.\",\"phone_number\":\"+9779801112244\",\"assigned_checkpost_id\":\"\(WireWorld.west)\"}"
      ) == 204)
    var row = try #require(world.rows(target, as: Self.admin).first)
    #expect(row["full_name"]?.text == "Gita K.C." && row["phone_number"]?.text == "+9779801112244")
    #expect(row["assigned_checkpost_id"]?.text == WireWorld.west)
    #expect(change("{\"is_active\":false}") == 204)
    row = try #require(world.rows(target, as: Self.admin).first)
    #expect(row["is_active"] == .flag(false))
    #expect(change("{\"phone_number\":\"nonsense\"}") == 400)
    #expect(change("{\"assigned_checkpost_id\":\"\(WireWorld.client(9))\"}") == 409)
    #expect(change("{\"role\":\"admin\"}") == 403)
    // One's own row is not one's own to change.
    _ = change(
      "{\"is_active\":true}", as: RestPrincipal(.ranger, user: id.text, post: WireWorld.west))
    #expect(world.rows(target, as: Self.admin).first?["is_active"] == .flag(false))
    let kinds = try accounts.readAccounts { rows throws(StorageError) in
      try rows.audit(limit: 10).map(\.kind)
    }
    #expect(kinds == [.accountDisabled])
    // One who has no account is changed as well.
    world.ask(
      "PATCH", "user_profiles?id=eq.\(WireWorld.sita)", "{\"is_active\":false}", as: Self.admin)
    #expect(world.status == 204)
  }
}
