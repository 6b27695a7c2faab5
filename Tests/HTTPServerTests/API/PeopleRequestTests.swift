import Accounts
import CentralCore
import Passages
import RestAPI
import TestSupport
import Testing
import Time

@testable import HTTPServer

/// What central's people write over HTTP, with tokens that they signed in for, alike on both stores.
@Suite(.timeLimit(.minutes(10))) struct PeopleRequestTests {
  /// A travel of half an hour over 45 km, which was too fast.
  private func speed(_ bench: PeopleBench, _ admin: String) async throws {
    for (number, second, isWest) in [(1, 0, false), (2, 1_800, true)] {
      let answer = try await bench.ask(
        "POST", "/rest/v1/vehicle_passages",
        PeopleBench.passage(number, at: second, west: isWest), as: admin)
      #expect(answer.status == 201, "\(answer.body)")
    }
    #expect(try await bench.rows("violations", as: admin).count == 1)
  }

  /// Asks until there are so many violations: the service judges beside those who write.
  private func waits(
    for count: Int, _ bench: PeopleBench, _ admin: String
  ) async throws -> Bool {
    for _ in 0..<5_000 {
      if try await bench.rows("violations", as: admin).count == count { return true }
      await Task.yield()
    }
    return false
  }

  @Test(arguments: PeopleBench.Place.all) func whatIsJudgedFollowsTheDirectory(
    _ place: PeopleBench.Place
  ) async throws {
    try await PeopleBench.run(on: try await place.make()) { bench in
      let admin = try #require(try await bench.token("hari", "west-gate-2"))
      let ranger = try #require(try await bench.token("sita", "east-gate-1"))
      try await speed(bench, admin)
      let segment = "/rest/v1/highway_segments?id=eq.\(PeopleBench.segment)"
      let since = (PeopleBench.wall - .seconds(86_400)).rfc3339
      let faster = "{\"max_speed_kmh\":120,\"since\":\"\(since)\"}"
      #expect(try await bench.ask("PATCH", segment, faster, as: ranger).status != 200)
      #expect(try await bench.rows("violations", as: admin).count == 1)
      let changed = try await bench.ask("PATCH", segment, faster, as: admin)
      #expect(changed.status == 204, "\(changed.body)")
      #expect(try await waits(for: 0, bench, admin))
      let back = "{\"max_speed_kmh\":40,\"since\":\"\(since)\"}"
      #expect(try await bench.ask("PATCH", segment, back, as: admin).status == 204)
      #expect(try await waits(for: 1, bench, admin))

      // A post that moves away, since before the vehicle passed, was not at the end of this segment then.
      let park = try await bench.rows("parks", as: admin).first?["id"]?.text ?? ""
      let other = ClientID(random: 70, 70).description
      let made = try await bench.ask(
        "POST", "/rest/v1/highway_segments",
        "{\"id\":\"\(other)\",\"park_id\":\"\(park)\",\"name\":\"Far\",\"distance_km\":20,"
          + "\"max_speed_kmh\":40,\"min_speed_kmh\":10}", as: admin)
      #expect(made.status == 201, "\(made.body)")
      let post = "/rest/v1/checkposts?id=eq.\(PeopleBench.west)"
      let moved = try await bench.ask(
        "PATCH", post, "{\"segment_ids\":[\"\(other)\"],\"since\":\"\(since)\"}", as: admin)
      #expect(moved.status == 204, "\(moved.body)")
      #expect(try await waits(for: 0, bench, admin))
      // And so it is again, with a second one beside it.
      let both = try await bench.ask(
        "PATCH", post,
        "{\"segment_ids\":[\"\(PeopleBench.segment)\",\"\(other)\"],\"since\":\"\(since)\"}",
        as: admin)
      #expect(both.status == 204, "\(both.body)")
      #expect(try await waits(for: 1, bench, admin))
      let row = try await bench.rows("checkposts?id=eq.\(PeopleBench.west)", as: ranger).first
      #expect(row?["segment_ids"] == .list([.text(PeopleBench.segment), .text(other)]))
    }
  }

  @Test(arguments: PeopleBench.Place.all) func theRestOfWhatTheyWrite(
    _ place: PeopleBench.Place
  ) async throws {
    try await PeopleBench.run(on: try await place.make()) { bench in
      let admin = try #require(try await bench.token("hari", "west-gate-2"))
      let ranger = try #require(try await bench.token("sita", "east-gate-1"))
      try await speed(bench, admin)
      func change(_ target: String, _ body: String, as token: String) async throws -> Int {
        try await bench.ask("PATCH", "/rest/v1/\(target)", body, as: token).status
      }
      func value(_ target: String, _ column: String) async throws -> RestJSON? {
        try await bench.rows(target, as: admin).first?[column]
      }

      // Parks are put in, changed and removed; a ranger does none of it.
      // One that is not in use is nobody's park by itself.
      let park = "{\"name\":\"Bardiya\",\"code\":\"BDY\",\"is_active\":false}"
      #expect(try await bench.ask("POST", "/rest/v1/parks", park, as: ranger).status == 403)
      #expect(try await bench.ask("POST", "/rest/v1/parks", park, as: admin).status == 201)
      #expect(try await change("parks?code=eq.BDY", "{\"name\":\"East\"}", as: admin) == 204)
      let id = try #require(try await value("parks?code=eq.BDY", "id")?.text)
      #expect(try await value("parks?code=eq.BDY", "name")?.text == "East")

      // When somebody was told of a violation.
      let told = "{\"alert_delivered_at\":\"2026-09-01T02:00:00Z\"}"
      _ = try await change("violations?violation_type=eq.speeding", told, as: ranger)
      #expect(try await value("violations", "alert_delivered_at") == .null)
      #expect(try await change("violations?violation_type=eq.speeding", told, as: admin) == 204)
      #expect(
        try await value("violations", "alert_delivered_at")?.text == "2026-09-01T02:00:00+00:00")

      // A vehicle that nobody waits for any more.
      let late = PeopleBench.passage(3, "BA3PA3", at: -20 * 3_600)
      #expect(
        try await bench.ask("POST", "/rest/v1/vehicle_passages", late, as: admin).status == 201)
      _ = try await onThread {
        Result { try bench.store.clock(rules: JudgingRules(), at: PeopleBench.wall) }
      }.get()
      let open = "proactive_overstay_alerts?resolved=is.false"
      #expect(try await bench.rows(open, as: admin).count == 1)
      _ = try await change(open, "{\"resolved\":true}", as: ranger)
      #expect(try await bench.rows(open, as: admin).count == 1)
      #expect(try await change(open, "{\"resolved\":true}", as: admin) == 204)
      #expect(try await bench.rows(open, as: admin).isEmpty)

      // A passage that never was.
      let second = "vehicle_passages?client_id=eq.\(ClientID(random: 2, 2))"
      #expect(try await bench.ask("DELETE", "/rest/v1/\(second)", as: ranger).status == 403)
      #expect(try await bench.ask("DELETE", "/rest/v1/\(second)", as: admin).status == 204)
      #expect(try await bench.rows("violations", as: admin).isEmpty)

      // Profiles: another number, another park, and nobody who may sign in any more.
      let sita = "user_profiles?id=eq.\(PeopleBench.sita.text)"
      let body = "{\"phone_number\":\"+9779801112244\",\"assigned_park_id\":\"\(id)\"}"
      _ = try await change(sita, body, as: ranger)
      #expect(try await value(sita, "phone_number")?.text == "+9779841114567")
      #expect(try await change(sita, body, as: admin) == 204)
      #expect(try await value(sita, "phone_number")?.text == "+9779801112244")
      #expect(try await value(sita, "assigned_park_id")?.text == id)
      #expect(try await change(sita, "{\"is_active\":false}", as: admin) == 204)
      #expect(try await bench.token("sita", "east-gate-1") == nil)
      #expect(
        try await bench.ask("GET", "/rest/v1/vehicle_passages", as: ranger).status == 401,
        "a session that was open is over")
      #expect(try await change(sita, "{\"is_active\":true}", as: admin) == 204)
      #expect(try await bench.token("sita", "east-gate-1") != nil)
      #expect(
        try await bench.ask("DELETE", "/rest/v1/parks?code=eq.BDY", as: admin).status == 204)
      #expect(try await value(sita, "assigned_park_id")?.text != id)
    }
  }

  @Test(arguments: PeopleBench.Place.all) func passwordsAreChanged(
    _ place: PeopleBench.Place
  ) async throws {
    try await PeopleBench.run(on: try await place.make()) { bench in
      let admin = try #require(try await bench.token("hari", "west-gate-2"))
      let ranger = try #require(try await bench.token("sita", "east-gate-1"))
      let own = try await bench.ask(
        "PUT", "/auth/v1/user", "{\"password\":\"east-gate-9\"}", as: ranger)
      #expect(own.status == 200, "\(own.body)")
      #expect(try await bench.token("sita", "east-gate-1") == nil)
      #expect(try await bench.token("sita", "east-gate-9") != nil)
      let path = "/auth/v1/admin/users/\(PeopleBench.sita.text)"
      let body = "{\"password\":\"east-gate-10\"}"
      #expect(try await bench.ask("PUT", path, body, as: ranger).status == 403)
      #expect(try await bench.ask("PUT", path, body, as: admin).status == 200)
      #expect(try await bench.token("sita", "east-gate-10") != nil)
      #expect(
        try await bench.ask("GET", "/rest/v1/checkposts", as: ranger).status == 401,
        "every session of before is over")
    }
  }
}
