import CentralCore
import Passages
import SeededRandom
import Testing

struct DirectoryPlanTests {
  private static func post(_ code: String, _ segment: String? = nil, _ index: Int = 0) throws
    -> Post
  {
    Post(
      code: try CheckpostCode(code), name: code,
      place: segment.map { Post.Place(segment: $0, index: index) })
  }

  /// What stands afterwards, as `A=S0`.
  private func standing(_ plan: DirectoryPlan, _ posts: [Post]) throws -> [String] {
    var places: [CheckpostCode: Post.Place?] = [:]
    for post in posts { places[post.code] = post.place }
    for code in plan.leaving { places[code] = .some(nil) }
    for write in plan.writes {
      guard case .post(let post, let known) = write.entry else { continue }
      guard known.contains(.place) else {
        places[post.code] = places[post.code] ?? .some(nil)
        continue
      }
      // As the index of a database sees it: at no moment do two stand at one end.
      if let place = post.place {
        #expect(!places.contains { $0.value == place && $0.key != post.code }, "\(place)")
      }
      places[post.code] = post.place
    }
    return places.map { code, place in
      "\(code.code)=" + (place.map { "\($0.segment)\($0.index)" } ?? "-")
    }.sorted()
  }

  @Test func twoPostsChangePlaces() throws {
    let posts = try [Self.post("A", "S", 0), Self.post("B", "S", 1)]
    let plan = DirectoryPlan(
      try [.post(Self.post("A", "S", 1)), .post(Self.post("B", "S", 0))], posts: posts,
      segments: ["S"])
    #expect(plan.refusals == [nil, nil])
    #expect(try standing(plan, posts) == ["A=S1", "B=S0"])
  }

  @Test func aRingOfPostsMovesOn() throws {
    let posts = try [Self.post("A", "S", 0), Self.post("B", "S", 1), Self.post("C", "T", 0)]
    let plan = DirectoryPlan(
      try [
        .post(Self.post("A", "S", 1)), .post(Self.post("B", "T", 0)), .post(Self.post("C", "S", 0)),
      ], posts: posts, segments: ["S", "T"])
    #expect(plan.refusals == [nil, nil, nil])
    #expect(try standing(plan, posts) == ["A=S1", "B=T0", "C=S0"])
  }

  @Test func whoStandsThereGoesFirstAndWhoCannotMoveStays() throws {
    let posts = try [Self.post("A", "S", 0), Self.post("B", "S", 1)]
    // A wants the end of B, which stays; so A stays too, and C cannot have its end.
    let plan = DirectoryPlan(
      try [.post(Self.post("C", "S", 0)), .post(Self.post("A", "S", 1))], posts: posts,
      segments: ["S"])
    #expect(plan.refusals == [.endTaken, .endTaken])
    #expect(try standing(plan, posts) == ["A=S0", "B=S1"])
    #expect(plan.leaving.isEmpty)
  }

  @Test func ofTwoThatComeTheFirstOneCounts() throws {
    let plan = DirectoryPlan(
      try [.post(Self.post("B", "S", 0)), .post(Self.post("A", "S", 0))], posts: [], segments: ["S"]
    )
    #expect(plan.refusals == [nil, .endTaken])
    #expect(try standing(plan, []) == ["B=S0"])
  }

  @Test func ofTwoRowsOfOnePostTheLastOneCounts() throws {
    let plan = DirectoryPlan(
      try [
        .post(Self.post("A", "S", 0)), .post(Self.post("B", "S", 0)), .post(Self.post("A", "S", 1)),
      ],
      posts: [], segments: ["S"])
    #expect(plan.refusals == [nil, nil, nil])
    #expect(try standing(plan, []) == ["A=S1", "B=S0"])
  }

  @Test func theOrderOfABatchDoesNotMatter() throws {
    let segment = try Segment(
      name: "S", distanceKilometres: 10, minimumKilometresPerHour: 10, maximumKilometresPerHour: 40)
    let number = try #require(PhoneNumber("+9779800000001"))
    let a = try CheckpostCode("A")
    let plan = DirectoryPlan(
      [
        .number(SenderBinding(number: number, post: a)),
        .ranger(Ranger(name: "Sita", phone: number, checkpost: a)),
        .post(try Self.post("A", "S", 0)),
        .segment(segment),
      ], posts: [], segments: [])
    #expect(plan.refusals == [nil, nil, nil, nil])
    #expect(plan.writes.map(\.index) == [3, 2, 0, 1])
  }

  @Test func whoseReferenceIsRefusedIsRefused() throws {
    let number = try #require(PhoneNumber("+9779800000001"))
    let a = try CheckpostCode("A")
    let plan = DirectoryPlan(
      [
        .post(try Self.post("A", "NOWHERE", 0)),
        .ranger(Ranger(name: "Sita", phone: number, checkpost: a)),
        .number(SenderBinding(number: number, post: a)),
      ], posts: [], segments: ["S"])
    #expect(plan.refusals == [.unknownReference, .unknownReference, .unknownReference])
    #expect(plan.writes.isEmpty)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func whateverIsAskedForNoTwoStandAtOneEnd(_ seed: UInt64) throws {
    var chance = SplitMix64(seed: seed)
    let names = ["A", "B", "C", "D", "E"]
    func place() -> (String?, Int) {
      let draw = Int(chance.next() % 7)
      return draw == 6 ? (nil, 0) : (["S", "T", "U"][draw / 2], draw % 2)
    }
    var posts: [Post] = []
    for name in names where chance.next() % 3 > 0 {
      let (segment, index) = place()
      let post = try Self.post(name, segment, index)
      if post.place == nil || !posts.contains(where: { $0.place == post.place }) {
        posts.append(post)
      }
    }
    let entries: [DirectoryEntry] = try (0..<8).map { _ in
      let (segment, index) = place()
      return .post(
        try Self.post(names[Int(chance.next() % 5)], segment, index),
        knowing: chance.next() % 5 == 0 ? [] : .all)
    }
    let plan = DirectoryPlan(entries, posts: posts, segments: ["S", "T"])
    let after = try standing(plan, posts)
    let ends = after.compactMap { $0.hasSuffix("-") ? nil : $0.split(separator: "=").last }
    #expect(Set(ends).count == ends.count)
    for (entry, refusal) in zip(entries, plan.refusals) {
      guard case .post(let post, let known) = entry, known.contains(.place) else { continue }
      if post.place?.segment == "U" { #expect(refusal == .unknownReference) }
    }
    #expect(plan.writes.count + plan.refusals.count { $0 != nil } == entries.count)
  }
}
