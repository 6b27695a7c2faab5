import NodeCore
import Passages
import Testing
import Time

/// What the server tells of the place that a node stands at.
@Suite struct DirectoryTests {
  private func profile(
    post: String? = "BNP-A", isActive: Bool = true
  ) -> ServerProfile {
    var profile = UploadBench.directory.profile
    profile.isActive = isActive
    profile.post = post.map { ServerPost(id: "post", code: $0, name: "", position: 0) }
    if post == nil { profile.segment = nil }
    return profile
  }

  /// A node that knows nothing yet, with a passage that waits, and a server that tells this.
  private func told(_ profile: ServerProfile) throws -> UploadBench {
    var rules = UploadBench.rules
    rules.checkpost = try CheckpostCode("BNP-A")
    var bench = UploadBench(rules, memory: NodeMemory())
    try bench.record()
    bench.tell(.linkChanged(.up))
    bench.answerProbe()
    #expect(bench.push == nil, "what the server calls this place is not known yet")
    bench.answer(
      where: { if case .profile = $0 { true } else { false } }, .success(.profile(profile)))
    bench.answer(
      where: { if case .posts = $0 { true } else { false } },
      .success(.posts([ServerPost(id: "post-b", code: "BNP-B", name: "", position: 1)])))
    return bench
  }

  @Test func passagesGoUnderTheServersNames() throws {
    let bench = try told(UploadBench.directory.profile)
    guard case .push(let pushes) = bench.push else {
      Issue.record("nothing was pushed")
      return
    }
    #expect(pushes.map(\.place) == [UploadBench.place])
    #expect(bench.remembered.directory?.opposite?.code == "BNP-B")
  }

  @Test func aUserWithoutAPostIsToldOf() throws {
    var bench = try told(profile(post: nil))
    #expect(bench.push == nil)
    #expect(bench.effects.facts.contains(.directoryFault(.noPost)))
    bench.pass(.seconds(3_600))
    #expect(bench.rows[1]?.upload.attempts == 0)
    #expect(
      bench.effects.facts.filter { $0 == .directoryFault(.noPost) }.count == 1, "once and not again"
    )
  }

  @Test func aUserWhoMayNotWorkAnyMoreIsToldOf() throws {
    let bench = try told(profile(isActive: false))
    #expect(bench.push == nil)
    #expect(bench.effects.facts.contains(.directoryFault(.inactive)))
  }

  @Test func theUserOfAnotherPostSendsNothingForThisOne() throws {
    let bench = try told(profile(post: "BNP-B"))
    #expect(bench.push == nil)
    #expect(
      bench.effects.facts.contains(
        .directoryFault(.otherPost(theirs: "BNP-B", ours: try CheckpostCode("BNP-A")))))
  }

  @Test func itGoesOnceTheServerTellsOfAPost() throws {
    var bench = try told(profile(post: nil))
    for _ in 0..<60 where bench.push == nil {
      bench.pass(.seconds(10))
      bench.answerDirectory()
    }
    #expect(bench.pushed.count == 1)
  }

  @Test func whatWasToldBeforeServesWhileTheServerDoesNotTell() throws {
    var bench = UploadBench()
    try bench.record()
    bench.tell(.linkChanged(.up))
    bench.answerProbe()
    bench.answer(
      where: { if case .profile = $0 { true } else { false } }, .failure(.failing))
    bench.pass(.seconds(40))
    #expect(bench.pushed.count == 1)
  }

  @Test func itIsAskedAgainAfterAWhile() throws {
    var bench = try UploadBench.online()
    #expect(!bench.asked.contains { if case .profile = $0.call { true } else { false } })
    bench.pass(.seconds(7 * 3_600))
    #expect(bench.asked.contains { if case .profile = $0.call { true } else { false } })
  }

  // MARK: - A post that ends several segments

  /// BNP-A as the middle one of three posts: to BNP-B by its own row, to BNP-C beside it.
  private static let upper = ServerSegment(
    id: "upper", name: "Upper", distanceKilometres: 12, minimumKilometresPerHour: 20,
    maximumKilometresPerHour: 50, checkpostIDs: ["post-a", "post-c"])
  private static let further = [
    ServerPost(
      id: "post-a", code: "BNP-A", name: "", position: 0, segmentIDs: ["segment", "upper"]),
    ServerPost(id: "post-b", code: "BNP-B", name: "", position: 1, segmentIDs: ["segment"]),
    ServerPost(id: "post-c", code: "BNP-C", name: "", position: 1, segmentIDs: ["upper"]),
  ]

  private var middle: ServerProfile {
    var profile = UploadBench.directory.profile
    profile.post?.segmentIDs = ["segment", "upper"]
    profile.segment?.checkpostIDs = ["post-a", "post-b"]
    return profile
  }

  private func asked(_ bench: UploadBench) -> [ServerCall] {
    bench.asked.map(\.call).filter {
      switch $0 {
      case .profile, .posts, .postsNamed, .segments: true
      default: false
      }
    }
  }

  private func online(_ rules: NodeRules = UploadBench.rules) -> UploadBench {
    var bench = UploadBench(rules, memory: NodeMemory())
    bench.tell(.linkChanged(.up))
    // How far back passages are asked for is counted by the server's clock.
    bench.answer(
      where: { $0 == .probe }, .success(.done), serverTime: WallTime(epochSeconds: 1_800_000_000))
    return bench
  }

  private func pull(_ bench: UploadBench) -> PullQuery? {
    for case .pull(let query) in bench.asked.map(\.call) { return query }
    return nil
  }

  @Test func theFurtherSegmentsOfThePostAreAskedFor() throws {
    var bench = online()
    bench.answer(
      where: { if case .profile = $0 { true } else { false } }, .success(.profile(middle)))
    #expect(asked(bench) == [.segments(["upper"])])
    bench.answer(where: { _ in true }, .success(.segments([Self.upper])))
    #expect(asked(bench) == [.postsNamed(["post-a", "post-b", "post-c"])])
    bench.answer(where: { _ in true }, .success(.posts(Self.further)))
    let told = try #require(bench.remembered.directory)
    #expect(told.opposites.map(\.code) == ["BNP-B", "BNP-C"])
    #expect(told.further.map(\.segment.name) == ["Upper"])
    #expect(bench.core.matchingPlace?.oppositePosts.map(\.code) == ["BNP-B", "BNP-C"])
    // Passages of both are asked for, by the names of the posts.
    let query = try #require(pull(bench))
    #expect(query.postIDs == ["post-b", "post-c"])
    #expect(!query.includesArrivals)
    // As far back as the slowest way over either segment.
    #expect(bench.core.matchingPlace?.slowestTravel == .seconds(16_200))
  }

  /// The post at the other end is the middle one, and its own row names the other segment.
  @Test func theOtherPostMayEndSeveralSegments() throws {
    var bench = online()
    var profile = UploadBench.directory.profile
    profile.post?.segmentIDs = ["segment"]
    profile.segment?.checkpostIDs = ["post-a", "post-b"]
    bench.answer(
      where: { if case .profile = $0 { true } else { false } }, .success(.profile(profile)))
    #expect(asked(bench) == [.postsNamed(["post-a", "post-b"])])
    let middle = ServerPost(
      id: "post-b", code: "BNP-B", name: "", position: 0, segmentIDs: ["alpha", "segment"])
    bench.answer(where: { _ in true }, .success(.posts([Self.further[0], middle])))
    #expect(bench.remembered.directory?.opposite?.code == "BNP-B")
    #expect(bench.remembered.directory?.further.isEmpty == true)
    let query = try #require(pull(bench))
    #expect(query.postIDs == ["post-b"])
    #expect(
      query.includesArrivals, "what ended a travel from the third post may be on its way here")
  }

  /// A server that knows one segment of a post is asked as ever.
  @Test func aServerThatKnowsOneSegmentIsAskedAsEver() throws {
    var bench = online()
    bench.answer(
      where: { if case .profile = $0 { true } else { false } },
      .success(.profile(UploadBench.directory.profile)))
    #expect(asked(bench) == [.posts(segment: "segment")])
    bench.answer(
      where: { _ in true }, .success(.posts([UploadBench.directory.opposite].compactMap { $0 })))
    let query = try #require(pull(bench))
    #expect(query.postIDs.isEmpty && !query.includesArrivals)
    #expect(query.segmentID == "segment" && query.checkpostID == "post-a")
  }

  /// Where the server fails half way, what it told before stands.
  @Test func whatWasKnownStandsWhileTheServerTellsHalf() throws {
    var bench = UploadBench()
    bench.tell(.linkChanged(.up))
    bench.answerProbe()
    bench.answer(
      where: { if case .profile = $0 { true } else { false } }, .success(.profile(middle)))
    bench.answer(where: { if case .segments = $0 { true } else { false } }, .failure(.failing))
    #expect(bench.core.matchingPlace?.oppositePosts.map(\.code) == ["BNP-B"])
    bench.pass(.seconds(600))
    bench.answer(
      where: { if case .profile = $0 { true } else { false } }, .success(.profile(middle)))
    // It leaves out what it named: the segment is not known then.
    bench.answer(where: { if case .segments = $0 { true } else { false } }, .success(.segments([])))
    bench.answer(
      where: { if case .postsNamed = $0 { true } else { false } },
      .success(.posts(Array(Self.further.prefix(2)))))
    #expect(bench.core.matchingPlace?.oppositePosts.map(\.code) == ["BNP-B"])
    #expect(bench.remembered.directory?.profile.post?.segmentIDs == ["segment", "upper"])
  }
}
