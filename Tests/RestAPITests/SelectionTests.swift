import RestAPI
import RestSQL
import Testing

@Suite struct SelectionTests {
  private func members(_ query: String, _ table: String = "vehicle_passages") throws -> [String] {
    try Reading.read(query, table).selection.items.map(\.name)
  }

  @Test func everythingWhereNothingIsSaid() throws {
    let all = Catalogue.passages.columns.map(\.name)
    #expect(try members("") == all)
    #expect(try members("select=") == all)
    #expect(try members("select=*") == all)
    #expect(try members("select=*,id,*") == all)
  }

  @Test func columnsWithOtherNames() throws {
    #expect(try members("select=id,plate:plate_number,id") == ["id", "plate"])
    let statement = try Reading.sqlite("select=a%22%27b:id")
    #expect(statement.parameters.first == .text("a\"'b"))
    #expect(statement.text.hasPrefix("SELECT json_object(?1, t0.\"id\") FROM"))
  }

  @Test func whatANodeAsksOfItsProfile() throws {
    let statement = try Reading.sqlite(
      "id=eq.\(Reading.user)&select=*,checkposts(*,highway_segments(id,name))", "user_profiles")
    #expect(
      statement.text.contains(
        "json((SELECT json_object(")
        && statement.text.contains(
          " FROM \"api_checkposts\" AS t1 WHERE t1.\"id\" = t0.\"assigned_checkpost_id\" LIMIT 1))")
        && statement.text.contains(
          " FROM \"api_highway_segments\" AS t2 WHERE t2.\"id\" = t1.\"segment_id\" LIMIT 1))")
    )
  }

  @Test func rowsThatReferHereAreAList() throws {
    let statement = try Reading.sqlite("select=code,vehicle_passages(id)", "checkposts")
    #expect(
      statement.text.hasPrefix(
        "SELECT json_object(?1, t0.\"code\", ?4, json((SELECT json_group_array(json(t2.\"row\"))"
          + " FROM (SELECT json_object(?2, t1.\"id\") AS \"row\" FROM \"api_vehicle_passages\" AS t1"
          + " WHERE t1.\"checkpost_id\" = t0.\"id\" ORDER BY t1.\"id\" LIMIT ?3) AS t2)))"))
  }

  @Test func aRelationThatHasToBeThere() throws {
    let sql = try Reading.sqlite("select=id,post:checkposts!inner(code)").text
    #expect(
      sql.contains(
        " WHERE EXISTS (SELECT 1 FROM \"api_checkposts\" AS t2"
          + " WHERE t2.\"id\" = t0.\"checkpost_id\") LIMIT"))
    let bare = try Reading.sqlite("select=id,checkposts!inner()").text
    #expect(bare.hasPrefix("SELECT json_object(?1, t0.\"id\") FROM") && bare.contains("EXISTS"))
  }

  @Test func ofSeveralRelationsOneHasToBeNamed() throws {
    let error = Reading.refusal("GET", "violations", "select=id,vehicle_passages(id)")
    #expect(error?.code == "PGRST201" && error?.status(isAnonymous: false) == 300)
    for hint in ["exit_passage_id", "violations_exit_passage_id_fkey"] {
      let sql = try Reading.sqlite("select=id,exit:vehicle_passages!\(hint)(id)", "violations").text
      #expect(sql.contains("t1.\"id\" = t0.\"exit_passage_id\""))
    }
  }

  @Test func rowsAlongAreThoseThatMayBeSeen() throws {
    let sql = try Reading.sqlite(
      "select=id,user_profiles(full_name)", as: Reading.ranger)
    #expect(sql.text.contains("t1.\"id\" = t0.\"ranger_id\" AND (t1.\"id\" = ?"))
    let nobody = try Reading.sqlite("select=id", as: .anonymous)
    #expect(nobody.text.contains(" WHERE FALSE LIMIT"))
  }

  @Test(arguments: [
    ("select=nonsense", "42703"),
    ("select=id,", "42703"),
    ("select=,", "42703"),
    ("select=nonsense(*)", "PGRST200"),
    ("select=parks(*)", "PGRST200"),
    ("select=checkposts(nonsense)", "42703"),
    ("select=checkposts(*", "PGRST100"),
    ("select=checkposts*)", "PGRST100"),
    ("select=checkposts!a!b(*)", "PGRST100"),
    ("select=checkposts!nonsense(*)", "PGRST200"),
    ("select=...checkposts(code)", "0A000"),
    ("select=count()", "PGRST123"),
    ("select=id::xml", "42704"),
    ("select=id->a", "0A000"),
    ("select=:id", "PGRST100"),
    ("select=a%00b:id", "PGRST100"),
    ("select=id;DROP", "PGRST100"),
    ("order=nonsense", "42703"),
    ("order=id.up", "PGRST100"),
    ("order=id.nullsfirst.desc", "PGRST100"),
    ("order=id.desc.nullslast.x", "PGRST100"),
    ("limit=-1", "PGRST103"),
    ("offset=-1", "PGRST103"),
    ("limit=x", "PGRST100"),
    ("limit=", "PGRST100"),
    ("limit=99999999999999999999", "PGRST100"),
    ("offset=1.5", "PGRST100"),
    ("offset=9999999999", "54001"),
  ])
  func nonsense(query: String, code: String) {
    #expect(Reading.refusal("GET", "vehicle_passages", query)?.code == code)
  }

  @Test func selectionsAreBounded() {
    let deep =
      String(repeating: "checkposts(vehicle_passages(", count: 3)
      + String(repeating: "))", count: 3)
    // Rows of rows are bounded as those that are asked for, whatever the request says.
    for limit in ["", "&vehicle_passages.limit=100000"] {
      let rows = try? Reading.sqlite("select=id,vehicle_passages(id)&limit=7\(limit)", "checkposts")
      #expect(
        rows?.parameters.contains(.integer(Int64(RestLimits.rows))) == true, "\(rows?.text ?? "")")
      #expect(rows?.parameters.contains(.integer(100_000)) == false)
    }
    let wide = (0..<49).map { "a\($0):id" }.joined(separator: ",")
    // Two at each level, four levels deep: none is there too often, and none lies too deep.
    let many = ["vehicle_passages", "checkposts", "vehicle_passages", "checkposts"].reduce("id") {
      inside, name in "a:\(name)(\(inside)),b:\(name)(\(inside))"
    }
    let few = "a:checkposts(c:vehicle_passages(id)),b:checkposts(c:vehicle_passages(id))"
    let long = String(repeating: "a", count: 64) + ":id"
    #expect(Reading.refusal("GET", "vehicle_passages", "select=\(deep)")?.code == "54001")
    #expect(Reading.refusal("GET", "vehicle_passages", "select=\(wide)")?.code == "54001")
    #expect(Reading.refusal("GET", "vehicle_passages", "select=\(many)")?.code == "54001")
    #expect(Reading.refusal("GET", "vehicle_passages", "select=\(few)") == nil)
    #expect(Reading.refusal("GET", "vehicle_passages", "select=\(long)")?.code == "PGRST100")
    // Under other names the same rows would be told, and held, as often.
    let twice = "a:checkposts(id),b:checkposts(id)"
    #expect(Reading.refusal("GET", "vehicle_passages", "select=\(twice)") == nil)
    #expect(
      Reading.refusal("GET", "vehicle_passages", "select=\(twice),c:checkposts(code)")?.code
        == "54001")
  }

  @Test func sortedAndCut() throws {
    let statement = try Reading.sqlite(
      "select=id&order=recorded_at.desc,id,is_entry.asc.nullsfirst,plate_number.desc.nullslast"
        + "&limit=5&offset=7")
    #expect(
      statement.text.hasSuffix(
        " ORDER BY t0.\"recorded_at\" DESC, t0.\"id\" ASC,"
          + " t0.\"is_entry\" ASC NULLS FIRST, t0.\"plate_number\" DESC"
          + " LIMIT ?2 OFFSET ?3"))
    #expect(statement.parameters.suffix(2) == [.integer(5), .integer(7)])
  }

  @Test(arguments: [
    ("", nil as String?, 0, 1_000), ("limit=10", nil, 0, 10), ("limit=0", nil, 0, 0),
    ("limit=5000", nil, 0, 1_000), ("limit=10&limit=20", nil, 0, 10), ("", "0-499", 0, 500),
    ("", "items=10-19", 10, 10), ("", "10-", 10, 1_000), ("", "nonsense", 0, 1_000),
    ("", "-5", 0, 1_000), ("", "99999999999999999999-", 0, 1_000), ("limit=3", "10-19", 10, 3),
    ("offset=4", "10-19", 4, 10), ("", "0-99999999999", 0, 1_000),
  ])
  func range(query: String, header: String?, offset: Int, limit: Int) throws {
    let read = try Reading.read(query, headers: header.map { ["range": $0] } ?? [:])
    #expect(read.offset == offset && read.limit == limit)
  }

  @Test func aRangeThatEndsBeforeItBegins() {
    let error = Reading.refusal("GET", "vehicle_passages", headers: ["range": "9-3"])
    #expect(error?.code == "PGRST103" && error?.status(isAnonymous: false) == 416)
  }
}
