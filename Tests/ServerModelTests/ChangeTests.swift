import JSON
import ServerModel
import Testing

@Suite struct ChangeTests {
  @Test func aCorrectionChangesThePassageOfThatIdentity() throws {
    var asking = try Asking.east()
    _ = asking.ask("POST", Asking.once, Asking.passage())
    let target = Asking.passages + "?client_id=eq.\(Asking.clientID)"
    let plate: JSONValue = ["plate_number": "BA1PA1235"]
    let changed = asking.ask("PATCH", target, plate, prefer: "return=representation")
    #expect(changed.status == 200)
    #expect(changed.json?.list?.map { $0["plate_number"] } == ["BA1PA1235"])
    #expect(asking.ask("PATCH", target, plate).status == 204)

    let none = asking.ask(
      "PATCH", Asking.passages + "?client_id=eq.\(Asking.other)", plate,
      prefer: "return=representation")
    #expect(none.status == 200)
    #expect(none.json == [])
  }

  @Test func passagesOfOthersStayAsTheyAre() throws {
    var asking = try Asking.east()
    asking.putWestern("2026-01-01T00:00:00Z")
    let changed = asking.ask(
      "PATCH", Asking.passages + "?client_id=eq.\(Asking.other)", ["photo_path": "x.jpg"],
      prefer: "return=representation")
    #expect(changed.json == [])
    let given = asking.ask(
      "PATCH", "/rest/v1/user_profiles?id=eq.\(ServerModel.Pilot.eastRanger)",
      ["role": "admin"], prefer: "return=representation")
    #expect(given.json == [])
  }

  @Test func aPassageCannotBeGivenAway() throws {
    var asking = try Asking.east()
    _ = asking.ask("POST", Asking.once, Asking.passage())
    let given = asking.ask(
      "PATCH", Asking.passages + "?client_id=eq.\(Asking.clientID)",
      ["ranger_id": .text(ServerModel.Pilot.westRanger)])
    #expect(given.status == 403)
    #expect(
      asking.model.passage(clientID: Asking.clientID)?["ranger_id"]
        == .text(ServerModel.Pilot.eastRanger))
  }

  @Test func aChangeThatBreaksARuleChangesNothing() throws {
    var asking = try Asking.east()
    _ = asking.ask("POST", Asking.once, Asking.passage())
    let refused = asking.ask(
      "PATCH", Asking.passages + "?client_id=eq.\(Asking.clientID)",
      ["plate_number": "X", "vehicle_type": "hovercraft"])
    #expect(refused.json?["code"] == "23514")
    #expect(
      asking.model.passage(clientID: Asking.clientID)?["plate_number"] == "BA1PA1234")
  }

  @Test func rangersRemoveNothing() throws {
    var asking = try Asking.east()
    _ = asking.ask("POST", Asking.once, Asking.passage())
    let removed = asking.ask(
      "DELETE", Asking.passages + "?client_id=eq.\(Asking.clientID)",
      prefer: "return=representation")
    #expect(removed.json == [])
    #expect(asking.model.count(of: "vehicle_passages") == 1)
  }

  @Test func whatIsReferredToStays() throws {
    var asking = try Asking.east()
    _ = asking.ask("POST", Asking.once, Asking.passage())
    let hasRemovedEast = asking.model.remove(ServerModel.Pilot.east, from: "checkposts")
    #expect(!hasRemovedEast)
    // Nobody stands at the other post's passages; the ranger loses it.
    let hasRemovedWest = asking.model.remove(ServerModel.Pilot.west, from: "checkposts")
    #expect(hasRemovedWest)
    let western = asking.model.rows(of: "user_profiles").first { $0["full_name"] == "Ram" }
    #expect(western?["assigned_checkpost_id"] == .null)
  }
}

@Suite struct PairingTests {
  @Test func aPassageIsPairedAsItComesAndJudged() throws {
    var asking = try Asking.east()
    asking.putWestern("2026-01-01T00:00:00Z")
    let answer = asking.ask(
      "POST", Asking.once, Asking.passage(["recorded_at": "2026-01-01T00:45:00Z"]),
      prefer: Asking.ignoring)
    #expect(answer.json?.list?.first?["matched_passage_id"] == .null)
    let exit = try #require(asking.model.passage(clientID: Asking.clientID))
    let entry = try #require(asking.model.passage(clientID: Asking.other))
    #expect(exit["matched_passage_id"] == entry["id"])
    #expect(entry["matched_passage_id"] == exit["id"])
    #expect(entry["is_entry"] == true)
    #expect(exit["is_entry"] == false)
    let violation = try #require(asking.model.rows(of: "violations").first)
    #expect(violation["violation_type"] == "speeding")
    #expect(violation["travel_time_minutes"]?.number == 45)
    #expect(violation["calculated_speed_kmh"]?.number == 60)
    #expect(violation["threshold_minutes"]?.number == 67.5)
  }

  @Test func whatIsOfAnotherPlateOrThePostItselfStaysAlone() throws {
    var asking = try Asking.east()
    asking.putWestern("2026-01-01T00:00:00Z", plate: "BA 1 PA 1234")
    _ = asking.ask("POST", Asking.once, Asking.passage())
    #expect(asking.model.passage(clientID: Asking.clientID)?["matched_passage_id"] == .null)
  }

  @Test func theLatestWithoutAPartnerIsTaken() throws {
    var asking = try Asking.east()
    let older = "00000000-0000-4000-8000-000000000001"
    asking.putWestern("2026-01-01T00:30:00Z")
    asking.putWestern("2025-12-31T00:00:00Z", clientID: older)
    _ = asking.ask(
      "POST", Asking.once, Asking.passage(["recorded_at": "2026-01-01T02:00:00Z"]))
    #expect(asking.model.passage(clientID: older)?["matched_passage_id"] == .null)
    #expect(asking.model.passage(clientID: Asking.other)?["matched_passage_id"] != .null)
    #expect(asking.model.count(of: "violations") == 0)
  }

  @Test func aTripTooShortForItsColumnIsRefusedWithItsPassage() throws {
    var asking = try Asking.east()
    asking.putWestern("2026-01-01T00:00:00Z")
    let refused = asking.ask("POST", Asking.once, Asking.passage())
    #expect(refused.status == 400)
    #expect(refused.json?["code"] == "22003")
    #expect(asking.model.passage(clientID: Asking.clientID) == nil)
    #expect(asking.model.passage(clientID: Asking.other)?["matched_passage_id"] == .null)
  }

  @Test func aPairIsConfirmedOnce() throws {
    var asking = try Asking.east()
    asking.model.settings.pairsOnInsert = false
    asking.putWestern("2026-01-01T00:00:00Z")
    _ = asking.ask("POST", Asking.once, Asking.passage(["recorded_at": "2026-01-01T05:00:00Z"]))
    let entry = try #require(asking.model.passage(clientID: Asking.other)?["id"])
    let exit = try #require(asking.model.passage(clientID: Asking.clientID)?["id"])
    asking.model.put(
      [
        "entry_passage_id": entry, "segment_id": .text(ServerModel.Pilot.segment),
        "plate_number": "BA1PA1234", "vehicle_type": "car", "entry_time": "2026-01-01T00:00:00Z",
        "expected_exit_by": "2026-01-01T04:30:00Z",
      ], into: "proactive_overstay_alerts")
    // The wrong way round, which the times put right.
    let body: JSONValue = ["entry_passage_id": exit, "exit_passage_id": entry]
    let answer = asking.ask("POST", "/functions/v1/match-passage", body)
    #expect(answer.status == 200)
    #expect(answer.json?["entry_passage_id"] == entry)
    #expect(answer.json?["travel_time_minutes"]?.number == 300)
    #expect(answer.json?["violation"]?["type"] == "overstay")
    #expect(answer.json?["alerts_resolved"] == 1)

    let again = asking.ask("POST", "/functions/v1/match-passage", body)
    #expect(again.status == 409)
    #expect(again.json?["passage_id"] == exit)
  }

  @Test func pairsThatAreNoneAreRefused() throws {
    var asking = try Asking.east()
    _ = asking.ask("POST", Asking.once, Asking.passage())
    let id = try #require(asking.model.passage(clientID: Asking.clientID)?["id"])
    let call = "/functions/v1/match-passage"
    #expect(asking.ask("POST", call, ["entry_passage_id": id]).status == 400)
    #expect(
      asking.ask("POST", call, ["entry_passage_id": id, "exit_passage_id": id]).status == 400)
    let strange: JSONValue = ["entry_passage_id": id, "exit_passage_id": .text(Asking.other)]
    #expect(asking.ask("POST", call, strange).status == 400)
    #expect(asking.ask("GET", call).status == 405)
    asking.token = nil
    #expect(asking.ask("POST", call, strange).status == 401)
  }
}
