import RestAPI
import RestSQL
import Testing

@Suite struct PolicyTests {
  /// The condition that is added to a read of everything; nil for none.
  private func seen(_ table: String, by principal: RestPrincipal) throws -> String {
    try Reading.condition("", table, as: principal)
  }

  @Test func aRangerSeesWhatIsOfTheOwnSegment() throws {
    for table in ["parks", "highway_segments", "checkposts"] {
      #expect(try seen(table, by: Reading.ranger) == "TRUE")
    }
    #expect(try seen("user_profiles", by: Reading.ranger) == "(t0.\"id\" = ?2)")
    for table in ["vehicle_passages", "violations", "proactive_overstay_alerts"] {
      #expect(try seen(table, by: Reading.ranger) == "(t0.\"segment_id\" = ?2)")
    }
    #expect(try seen("sync_metadata", by: Reading.ranger) == "(t0.\"user_id\" = ?2)")
    #expect(
      try seen("violation_outcomes", by: Reading.ranger)
        == "(EXISTS (SELECT 1 FROM \"api_violations\" AS t1 WHERE t1.\"id\" = t0.\"violation_id\""
        + " AND (t1.\"segment_id\" = ?2)))")
  }

  /// A post that ends several segments sees all of them, and a post at the other end of one sees that post's
  /// passages, whichever segment they stand under.
  @Test func aRangerSeesWhatIsOfAllSegmentsOfThePost() throws {
    var middle = Reading.ranger
    middle.furtherSegments = [Reading.client]
    for table in ["vehicle_passages", "violations", "proactive_overstay_alerts"] {
      #expect(try seen(table, by: middle) == "(t0.\"segment_id\" IN (?2, ?3))")
    }
    #expect(
      try seen("violation_outcomes", by: middle).hasSuffix("AND (t1.\"segment_id\" IN (?2, ?3))))"))
    var end = Reading.ranger
    end.postsElsewhere = [Reading.client]
    #expect(
      try seen("vehicle_passages", by: end)
        == "((t0.\"segment_id\" = ?2) OR (t0.\"checkpost_id\" IN (?3)))")
    #expect(try seen("violations", by: end) == "(t0.\"segment_id\" = ?2)")
    // Written is at the own post alone.
    #expect(
      Reading.refusal(
        "POST", body: Reading.passage(["checkpost_id": "\"\(Reading.client)\""]), as: end)?
        .code == "42501")
  }

  @Test func aMachineOfAPostActsForItsPeople() throws {
    let machine = RestPrincipal(.post, post: Reading.post, segment: Reading.segment)
    #expect(try seen("user_profiles", by: machine) == "(t0.\"assigned_checkpost_id\" = ?2)")
    #expect(Reading.refusal("POST", body: Reading.passage(), as: machine) == nil)
    guard
      case .update(let update) = try Reading.plan(
        "PATCH", "vehicle_passages", body: "{\"photo_path\":\"a.jpg\"}", as: machine)
    else { return }
    #expect(SQLWriter.update(update, .sqlite).text.contains("(t0.\"checkpost_id\" = ?2)"))
    #expect(try seen("sync_metadata", by: machine) == "FALSE")
  }

  @Test func othersSeeAllOrNothing() throws {
    for table in Catalogue.tables.map(\.name) {
      #expect(try seen(table, by: .anonymous) == "FALSE")
      #expect(try seen(table, by: .service) == "TRUE")
      #expect(try seen(table, by: RestPrincipal(.admin, user: Reading.user)) == "TRUE")
    }
  }

  @Test func aRangerWithoutAPostSeesAndWritesNoPassage() throws {
    let nobody = RestPrincipal(.ranger, user: Reading.user)
    #expect(try seen("vehicle_passages", by: nobody) == "FALSE")
    #expect(try seen("violation_outcomes", by: nobody).contains("AND FALSE"))
    let error = Reading.refusal("POST", body: Reading.passage(), as: nobody)
    #expect(error?.code == "42501")
    #expect(
      error?.message
        == "new row violates row-level security policy for table \"vehicle_passages\"")
  }

  @Test func outcomesAreRecordedAsOneselfAndChangedForADay() throws {
    func body(_ user: String) -> String {
      "{\"violation_id\":\"\(Reading.client)\",\"outcome_type\":\"fined\",\"fine_amount\":500,"
        + "\"recorded_by\":\"\(user)\"}"
    }
    #expect(
      Reading.refusal("POST", "violation_outcomes", body: body(Reading.user), as: Reading.ranger)
        == nil)
    #expect(
      Reading.refusal("POST", "violation_outcomes", body: body(Reading.post), as: Reading.ranger)?
        .code == "42501")
    guard
      case .update(let update) = try Reading.plan(
        "PATCH", "violation_outcomes", "id=eq.\(Reading.client)", body: "{\"notes\":\"x\"}",
        as: Reading.ranger)
    else { return }
    let statement = SQLWriter.update(update, .sqlite)
    #expect(statement.text.contains("((t0.\"recorded_by\" = ?3) AND (t0.\"recorded_at\" > ?4))"))
    #expect(statement.parameters[3] == .time((1_767_225_600 - 86_400) * 1_000_000))
    #expect(
      Reading.refusal("DELETE", "violation_outcomes", as: Reading.ranger) == nil)
    guard
      case .delete(let delete) = try Reading.plan(
        "DELETE", "violation_outcomes", as: Reading.ranger)
    else { return }
    #expect(SQLWriter.delete(delete, .sqlite).text.contains("WHERE FALSE AND"))
  }

  @Test func aNegativeFineIsNone() {
    let body =
      "{\"violation_id\":\"\(Reading.client)\",\"outcome_type\":\"fined\",\"fine_amount\":-1,"
      + "\"recorded_by\":\"\(Reading.user)\"}"
    #expect(
      Reading.refusal("POST", "violation_outcomes", body: body, as: Reading.ranger)?.code == "23514"
    )
  }
}
