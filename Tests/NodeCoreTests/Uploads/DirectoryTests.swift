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
}
