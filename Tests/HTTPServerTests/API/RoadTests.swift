import CentralCore
import CentralSQLite
import NodeCore
import Passages
import RestAPI
import Supabase
import TestSupport
import Testing
import Time

@testable import HTTPServer

/// A node asks a central of this program about a road with three posts, in its own words.
@Suite("A node asks about a road")
struct RoadTests {
  /// BNP-C behind BNP-B, with a segment that comes first by name: rows of BNP-B stand under that one.
  private func road() throws -> APIBench {
    let directory = try TemporaryDirectory()
    let store = try SQLiteCentralStore(path: directory.file("api.db"), reserveBytes: 0)
    let rest = SQLiteRestStore(of: store, rules: { JudgingRules() }, onChanges: { _ in })
    let api = try APIBench(store, rest, in: directory)
    let refusals = try store.put([
      .segment(
        try Segment(
          name: "Alpha", distanceKilometres: 12, minimumKilometresPerHour: 10,
          maximumKilometresPerHour: 40)),
      .post(
        Post(
          code: try CheckpostCode("BNP-B"), name: "West",
          places: [Post.Place(segment: "Banke", index: 1), Post.Place(segment: "Alpha", index: 0)]),
        knowing: .place),
      .post(
        Post(
          code: try CheckpostCode("BNP-C"), name: "Far",
          place: Post.Place(segment: "Alpha", index: 1))),
    ])
    #expect(refusals.allSatisfy { $0 == nil })
    return api
  }

  private func ask(
    _ call: ServerCall, _ client: RouterClient, as who: String
  ) async throws -> ServerResult {
    let api = SupabaseAPI()
    let request = try api.request(for: call)
    let answer = try await client.ask("GET", request.path, as: who)
    let reply = api.reply(
      to: call,
      .success(
        ServerAnswer(
          status: answer.status, contentType: "application/json", headers: [:],
          body: Array(answer.body.utf8))))
    return try reply.result.get()
  }

  @Test("and learns both segments of the middle post, from there and from an end")
  func learnsTheRoad() async throws {
    let api = try road()
    try await api.bench.route { client in
      let ram = ClientID.derived(kind: "profile", name: "9779807654321").description
      guard
        case .profile(let middle) = try await ask(.profile(user: ram), client, as: "west"),
        case .profile(let end) = try await ask(.profile(user: APIBench.sita), client, as: "east")
      else {
        Issue.record("no profile")
        return
      }
      #expect(middle.segment?.name == "Alpha")
      let segments = try #require(middle.post?.segmentIDs)
      #expect(segments.count == 2 && segments.first == middle.segment?.id)
      guard
        case .segments(let further) = try await ask(.segments([segments[1]]), client, as: "west")
      else {
        Issue.record("no segments")
        return
      }
      #expect(further.map(\.name) == ["Banke"])
      #expect(further.first?.checkpostIDs == [APIBench.east, middle.post?.id ?? ""])
      // At the end the row of the other post names another segment.
      #expect(end.segment?.name == "Banke" && end.post?.segmentIDs?.count == 1)
      let ends = try #require(end.segment?.checkpostIDs)
      guard
        case .posts(let named) = try await ask(.postsNamed(ends), client, as: "east"),
        case .posts(let ofSegment) = try await ask(
          .posts(segment: end.segment?.id ?? ""), client, as: "east")
      else {
        Issue.record("no posts")
        return
      }
      #expect(named.map(\.code) == ["BNP-A", "BNP-B"])
      #expect(named.map { $0.segmentIDs?.count } == [1, 2])
      #expect(ofSegment.map(\.code) == ["BNP-A"], "asked as ever, nobody knows the other end")
      let query = PullQuery(
        segmentID: end.segment?.id ?? "", checkpostID: APIBench.east,
        postIDs: [middle.post?.id ?? ""], includesArrivals: true,
        since: WallTime(epochSeconds: 1_700_000_000), limit: 500)
      guard case .remote(let page) = try await ask(.pull(query), client, as: "east") else {
        Issue.record("no page")
        return
      }
      #expect(page.rows == 0)
    }
  }
}
