import Accounts
import CentralCore
import Passages
import RestAPI
import Storage
import Testing
import Time

/// The other tables of the API.
@Suite struct WireTableTests {
  @Test(arguments: StoreKind.shipped) func whatANodeLearnsOfItself(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    let profile =
      world.rows(
        "user_profiles?id=eq.\(WireWorld.sita)&select=*,checkposts(*,highway_segments(*))"
      ).first ?? [:]
    #expect(profile["full_name"] == "Sita" && profile["role"] == "ranger")
    #expect(profile["is_active"] == .flag(true))
    let post = profile["checkposts"]?.object ?? [:]
    #expect(post["code"] == "BNP-A" && post["position_index"] == .number("0"))
    let segment = post["highway_segments"]?.object ?? [:]
    #expect(segment["distance_km"] == .number("45.00"))
    #expect(segment["max_travel_time_minutes"] == .number("270.00"))
    let posts = world.rows(
      "checkposts?segment_id=eq.\(WireWorld.segment)&select=id,code,name,position_index&order=position_index"
    )
    #expect(posts.map { $0["code"]?.text } == ["BNP-A", "BNP-B"])
    #expect(world.rows("user_profiles").count == 1)
    #expect(world.rows("user_profiles", as: .service).count == 2)
  }

  @Test(arguments: StoreKind.shipped) func everyTableCanBeRead(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    for table in Catalogue.tables {
      world.ask("GET", table.name, prefer: "count=exact", as: .service)
      #expect((200..<300).contains(world.status), "\(table.name)")
      for column in table.columns {
        world.ask("GET", "\(table.name)?\(column.name)=not.is.null&order=\(column.name).desc")
        #expect(world.status == 200, "\(table.name).\(column.name)")
      }
    }
  }

  @Test(arguments: StoreKind.shipped) func howFarADeviceIs(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    func body(_ pending: Int, _ user: String = WireWorld.sita) -> String {
      "{\"user_id\":\"\(user)\",\"device_id\":\"post-1\",\"last_sync_at\":\"2026-01-01T00:00:00.5Z\","
        + "\"pending_count\":\(pending)}"
    }
    let target = "sync_metadata?on_conflict=user_id,device_id&select=device_id,pending_count"
    let prefer = "resolution=merge-duplicates,return=representation"
    let first = world.ask("POST", target, body(3), prefer: prefer)
    #expect(world.status == 201)
    #expect(first.written == "[{\"device_id\":\"post-1\",\"pending_count\":3}]")
    let second = world.ask("POST", target, body(1), prefer: prefer)
    #expect(world.status == 200)
    #expect(second.written == "[{\"device_id\":\"post-1\",\"pending_count\":1}]")
    let error = world.ask("POST", "sync_metadata", body(1))
    #expect(world.status == 409)
    #expect(error.object?["message"]?.text?.contains("uq_sync_metadata_user_device") == true)
    world.ask("POST", target, body(1, WireWorld.ram), prefer: prefer)
    #expect(world.status == 403)
    #expect(world.rows("sync_metadata", as: WireWorld.western).isEmpty)
    world.ask("PATCH", "sync_metadata?device_id=eq.post-1", "{\"pending_count\":0}")
    #expect(world.status == 204 && world.field("Content-Range") == "0-0/*")
    #expect(world.rows("sync_metadata").first?["pending_count"] == .number("0"))
    let gone = world.ask(
      "DELETE", "sync_metadata?select=device_id", prefer: "return=representation")
    #expect(gone.written == "[{\"device_id\":\"post-1\"}]")
    #expect(world.rows("sync_metadata").isEmpty)
  }

  @Test(arguments: StoreKind.shipped) func whatCameOfAViolation(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    world.ask(
      "POST", "vehicle_passages", WireWorld.passage(2, at: 1_800, west: true),
      as: WireWorld.western)
    let violation = world.rows("violations").first?["id"]?.text ?? ""
    let body =
      "{\"violation_id\":\"\(violation)\",\"outcome_type\":\"fined\",\"fine_amount\":500.5,"
      + "\"notes\":\"he admits it\",\"recorded_by\":\"\(WireWorld.sita)\"}"
    for empty in ["\"\"", "\" \"", "null"] {
      let refused = world.ask(
        "POST", "violation_outcomes", body.replacing("\"he admits it\"", with: empty))
      #expect(world.status == 400 && refused.object?["code"] == "23514")
      #expect(refused.object?["message"]?.text?.contains("needs a reason in notes") == true)
    }
    #expect(world.rows("violation_outcomes").isEmpty)
    let told = world.ask(
      "POST", "violation_outcomes?select=outcome_type,fine_amount,violations(plate_number)", body,
      prefer: "return=representation")
    #expect(
      told.written
        == "[{\"fine_amount\":500.50,\"outcome_type\":\"fined\",\"violations\":{\"plate_number\":\"BA1PA1234\"}}]"
    )
    let again = world.ask("POST", "violation_outcomes", body)
    #expect(again.object?["message"]?.text?.contains("violation_outcomes_violation_id_key") == true)
    let unknown = world.ask(
      "POST", "violation_outcomes", body.replacing(violation, with: WireWorld.client(9)))
    // Whether there is one, nobody learns who could not see it.
    #expect(unknown.object?["code"] == "42501" && world.status == 403)
    let missing = world.ask(
      "POST", "violation_outcomes", body.replacing(violation, with: WireWorld.client(9)),
      as: .service)
    #expect(missing.object?["code"] == "23503" && world.status == 409)
    #expect(world.rows("violation_outcomes", as: WireWorld.western).count == 1)
    world.ask("PATCH", "violation_outcomes", "{\"notes\":\"paid\"}", as: WireWorld.western)
    #expect(world.field("Content-Range") == "*/*")
    world.ask("PATCH", "violation_outcomes", "{\"notes\":\"paid\"}")
    #expect(world.field("Content-Range") == "0-0/*")
    world.ask("PATCH", "violation_outcomes", "{\"notes\":\"\"}")
    #expect(world.status == 400)
    #expect(world.rows("violation_outcomes").first?["notes"] == "paid")
    world.now = world.now + .seconds(86_401)
    world.ask("PATCH", "violation_outcomes", "{\"notes\":\"late\"}")
    #expect(world.field("Content-Range") == "*/*")
    // A violation that is none any more stays as long as something was made of it.
    world.ask(
      "PATCH", "vehicle_passages?client_id=eq.\(WireWorld.client(1))",
      "{\"plate_number\":\"BA1PA9\"}")
    #expect(world.rows("violations").count == 1)
  }

  @Test(arguments: StoreKind.shipped) func whoNotedWhatIsKept(kind: StoreKind) throws {
    var world = try WireWorld(kind)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    world.ask(
      "POST", "vehicle_passages", WireWorld.passage(2, at: 1_800, west: true),
      as: WireWorld.western)
    let violation = world.rows("violations").first?["id"]?.text ?? ""
    func body(_ more: String = "") -> String {
      "{\"violation_id\":\"\(violation)\",\"outcome_type\":\"fined\","
        + "\"notes\":\"admitted\",\"recorded_by\":\"\(WireWorld.sita)\"\(more)}"
    }
    // One of tomorrow could be changed for longer than a day.
    let ahead = world.ask(
      "POST", "violation_outcomes", body(",\"recorded_at\":\"2026-01-02T00:00:00Z\""))
    #expect(world.status == 403 && ahead.object?["code"] == "42501")
    let office = RestPrincipal(.service, key: "cpk_1234")
    let merging = "resolution=merge-duplicates"
    world.ask("POST", "violation_outcomes", body(",\"recorded_at\":\"2025-12-31T23:00:00Z\""))
    #expect(world.status == 201)
    let id = world.rows("violation_outcomes").first?["id"]?.text
    world.ask("PATCH", "violation_outcomes", "{\"notes\":\"paid\"}")
    world.ask("PATCH", "violation_outcomes", "{\"notes\":\"paid\"}", as: WireWorld.western)
    world.ask(
      "POST", "violation_outcomes?on_conflict=violation_id", body(",\"fine_amount\":5"),
      prefer: merging, as: office)
    #expect(world.status == 200)
    world.ask("DELETE", "violation_outcomes", as: office)
    let store = try #require(world.store as? any AccountStore)
    let entries = try store.readAccounts { rows throws(StorageError) in try rows.audit(limit: 9) }
    #expect(
      entries.reversed().map { "\($0.kind.rawValue) \($0.actor ?? "")" } == [
        "outcome_added \(WireWorld.sita)", "outcome_changed \(WireWorld.sita)",
        "outcome_changed key cpk_1234", "outcome_removed key cpk_1234",
      ])
    let outcome = try #require(id)
    #expect(
      entries.reversed().map(\.detail) == [
        "\(outcome), although provisional: admitted", "\(outcome), although provisional: paid",
        "\(outcome), although provisional: admitted", outcome,
      ])
    #expect(entries.allSatisfy { $0.at == world.now })
  }

  @Test(arguments: StoreKind.shipped) func patternsKnowSmallFromCapitalLetters(kind: StoreKind)
    throws
  {
    var world = try WireWorld(kind)
    world.ask("POST", "vehicle_passages", WireWorld.passage(1))
    func found(_ filter: String) -> Int { world.rows("vehicle_passages?\(filter)").count }
    #expect(found("plate_number=like.BA*") == 1 && found("plate_number=like.ba*") == 0)
    #expect(found("plate_number=ilike.ba*34") == 1 && found("plate_number=like.BA_PA1234") == 1)
    #expect(found("plate_number=like.*%5B*") == 0 && found("plate_number=like.%3F*") == 0)
    #expect(found("or=(plate_number.eq.X,source.eq.app)") == 1 && found("source=in.()") == 0)
    #expect(found("source=not.in.(app)") == 0 && found("is_entry=is.null") == 1)
  }
}
