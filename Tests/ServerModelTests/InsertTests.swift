import JSON
import ServerModel
import Testing

@Suite struct InsertTests {
  private let once = Asking.once

  @Test func aPassageIsTakenOnce() throws {
    var asking = try Asking.east()
    let first = asking.ask("POST", once, Asking.passage(), prefer: Asking.ignoring)
    #expect(first.status == 201)
    let row = try #require(first.json?.list?.first)
    #expect(row["client_id"] == .text(Asking.clientID))
    #expect(row["recorded_at"] == "2026-01-01T00:00:00.412+00:00")
    #expect(row["source"] == "app")
    #expect(row["matched_passage_id"] == .null)
    #expect(
      first.header("Preference-Applied")
        == "resolution=ignore-duplicates, return=representation"
        || first.header("Preference-Applied")
          == "return=representation, resolution=ignore-duplicates"
    )

    let again = asking.ask("POST", once, Asking.passage(), prefer: Asking.ignoring)
    #expect(again.status == 201)
    #expect(again.json == [])
    #expect(asking.model.count(of: "vehicle_passages") == 1)
  }

  @Test func withoutPreferenceARepetitionIsADuplicateByName() throws {
    var asking = try Asking.east()
    #expect(asking.ask("POST", Asking.passages, Asking.passage()).status == 201)
    let again = asking.ask("POST", Asking.passages, Asking.passage())
    #expect(again.status == 409)
    #expect(again.json?["code"] == "23505")
    #expect(
      again.json?["message"]
        == #"duplicate key value violates unique constraint "vehicle_passages_client_id_key""#)
    #expect(again.json?["details"] == .null)
  }

  @Test func ignoringDuplicatesWithoutACommonColumnLooksAtTheKeyAlone() throws {
    var asking = try Asking.east()
    let prefer = "resolution=ignore-duplicates"
    #expect(asking.ask("POST", Asking.passages, Asking.passage(), prefer: prefer).status == 201)
    let again = asking.ask("POST", Asking.passages, Asking.passage(), prefer: prefer)
    #expect(again.status == 409)
    #expect(again.json?["code"] == "23505")
  }

  @Test func aRowThatIsHiddenIsADuplicateAllTheSame() throws {
    var asking = try Asking.east()
    let hidden = "0b000000-0000-4000-8000-0000000000ff"
    asking.model.put(
      [
        "id": .text(hidden), "park_id": .text(ServerModel.Pilot.park), "name": "Elsewhere",
        "distance_km": 10, "max_speed_kmh": 40, "min_speed_kmh": 10,
      ], into: "highway_segments")
    let row = Asking.passage(["segment_id": .text(hidden)])
    let isTaken = asking.model.put(row.object ?? [:], into: "vehicle_passages")
    #expect(isTaken)
    #expect(asking.ask("GET", Asking.passages).json == [])
    #expect(asking.ask("POST", Asking.passages, Asking.passage()).status == 409)
  }

  @Test func theOwnerOfTheDatabaseIsToldTheKey() {
    var asking = Asking()
    asking.token = "model-service-key"
    #expect(asking.ask("POST", Asking.passages, Asking.passage()).status == 201)
    let again = asking.ask("POST", Asking.passages, Asking.passage())
    #expect(again.json?["details"] == .text("Key (client_id)=(\(Asking.clientID)) already exists."))
    let row = Asking.passage(["vehicle_type": "tractor"])
    let details = asking.ask("POST", Asking.passages, row).json?["details"]?.text
    #expect(details?.contains("2026-01-01 00:00:00.412+00") == true)
  }

  @Test func aPostOfOthersIsForbidden() throws {
    var asking = try Asking.east()
    let row = Asking.passage(["checkpost_id": .text(ServerModel.Pilot.west)])
    let refused = asking.ask("POST", once, row, prefer: Asking.ignoring)
    #expect(refused.status == 403)
    #expect(refused.json?["code"] == "42501")
    #expect(
      refused.json?["message"]
        == #"new row violates row-level security policy for table "vehicle_passages""#)
    #expect(asking.model.count(of: "vehicle_passages") == 0)
  }

  @Test func whoHasNotSignedInIsToldTo() {
    var asking = Asking()
    let refused = asking.ask("POST", once, Asking.passage())
    #expect(refused.status == 401)
    #expect(refused.json?["code"] == "42501")
  }

  @Test func whatIsReferredToHasToBeThere() throws {
    var asking = try Asking.east()
    let row = Asking.passage(["ranger_id": "0d000000-0000-4000-8000-0000000000ee"])
    let refused = asking.ask("POST", once, row, prefer: Asking.ignoring)
    #expect(refused.status == 409)
    #expect(refused.json?["code"] == "23503")
    #expect(
      refused.json?["message"]
        == .text(
          "insert or update on table \"vehicle_passages\" violates foreign key constraint"
            + " \"vehicle_passages_ranger_id_fkey\""))
  }

  @Test(arguments: [
    ("vehicle_type", "auto_rickshaw", 400, "23514"), ("client_id", "not-a-uuid", 400, "22P02"),
    ("recorded_at", "yesterday-ish", 400, "22007"),
    ("recorded_at", "2026-13-01T00:00:00Z", 400, "22008"), ("source", "pigeon", 400, "23514"),
    ("colour", "red", 400, "PGRST204"), ("plate_number", nil, 400, "23502"),
    ("client_id", nil, 400, "23502"), ("plate_number", "a\0b", 400, "22P05"),
  ])
  func badValuesAreRefusedByTheirCode(
    column: String, value: String?, status: Int, code: String
  ) throws {
    var asking = try Asking.east()
    let row = Asking.passage([column: value.map(JSONValue.text) ?? .null])
    let refused = asking.ask("POST", once, row, prefer: Asking.ignoring)
    #expect(refused.status == status)
    #expect(refused.json?["code"] == .text(code))
    #expect(asking.model.count(of: "vehicle_passages") == 0)
  }

  @Test func aBatchIsTakenWholeOrNotAtAll() throws {
    var asking = try Asking.east()
    let good = Asking.passage()
    let bad = Asking.passage(["client_id": .text(Asking.other), "vehicle_type": "tractor"])
    #expect(asking.ask("POST", once, [good, bad], prefer: Asking.ignoring).status == 400)
    #expect(asking.model.count(of: "vehicle_passages") == 0)

    let second = Asking.passage(["client_id": .text(Asking.other)])
    #expect(asking.ask("POST", once, good, prefer: Asking.ignoring).status == 201)
    let both = asking.ask("POST", once, [good, second], prefer: Asking.ignoring)
    #expect(both.status == 201)
    #expect(both.json?.list?.map { $0["client_id"] } == [.text(Asking.other)])
    #expect(asking.model.count(of: "vehicle_passages") == 2)
  }

  @Test func oneIdentityTwiceInABatchIsOneRow() throws {
    var asking = try Asking.east()
    let both = asking.ask(
      "POST", once, [Asking.passage(), Asking.passage()], prefer: Asking.ignoring)
    #expect(both.status == 201)
    #expect(both.json?.list?.count == 1)
  }

  @Test func objectsOfABatchHaveTheSameKeysOrNamedColumns() throws {
    var asking = try Asking.east()
    var short = Asking.passage(["client_id": .text(Asking.other)]).object ?? [:]
    short.removeValue(forKey: "source")
    let batch: JSONValue = [Asking.passage(), .object(short)]
    let refused = asking.ask("POST", once, batch, prefer: Asking.ignoring)
    #expect(refused.status == 400)
    #expect(refused.json?["message"] == "All object keys must match")

    let columns =
      once + "&columns=client_id,plate_number,vehicle_type,checkpost_id,segment_id,ranger_id,"
      + "recorded_at,source"
    let nulled = asking.ask("POST", columns, batch, prefer: Asking.ignoring)
    #expect(nulled.json?["code"] == "23502")
    let filled = asking.ask(
      "POST", columns, batch, prefer: Asking.ignoring + ",missing=default")
    #expect(filled.status == 201)
    #expect(filled.json?.list?.map { $0["source"] } == ["app", "app"])
  }

  @Test func syncMetadataIsKeptOnceForEachDevice() throws {
    var asking = try Asking.east()
    let target = "/rest/v1/sync_metadata?on_conflict=user_id,device_id"
    func mark(_ pending: Int64) -> JSONValue {
      [
        "user_id": .text(ServerModel.Pilot.eastRanger), "device_id": "BNP-A",
        "last_sync_at": "2026-01-01T00:00:00Z", "pending_count": .integer(pending),
      ]
    }
    let prefer = "resolution=merge-duplicates,return=minimal"
    #expect(asking.ask("POST", target, mark(7), prefer: prefer).status == 201)
    #expect(asking.ask("POST", target, mark(0), prefer: prefer).status == 200)
    let rows = asking.model.rows(of: "sync_metadata")
    #expect(rows.map { $0["pending_count"] } == [0])
  }

  @Test func whatTheTableDoesNotKnowIsNamed() throws {
    var asking = try Asking.east()
    let unknown = asking.ask("GET", "/rest/v1/vehicles")
    #expect(unknown.status == 404)
    #expect(unknown.json?["code"] == "PGRST205")
    let broken = asking.model.handle(
      ModelRequest(
        "POST", once,
        headers: ["apikey": "model-anon-key", "authorization": "Bearer \(asking.token ?? "")"],
        body: Array("{\"client_id\":".utf8)), at: asking.now)
    #expect(broken.status == 400)
    #expect(broken.json?["code"] == "PGRST102")
  }
}
