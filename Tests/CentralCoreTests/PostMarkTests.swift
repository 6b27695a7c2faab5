import CentralCore
import Passages
import Testing
import Time

/// What a post says of how much of it is here.
@Suite struct PostMarkTests {
  private func at(_ second: Int64) -> WallTime { WallTime(epochSeconds: 1_767_225_600 + second) }

  @Test func nobodySpeaksForWhatIsYetToCome() throws {
    let first = try #require(
      PostMark(through: 4_070_908_800, receivedAt: at(0), after: nil, by: .devices))
    #expect(first.through == at(0).epochSeconds && first.wentBackAt == nil)
    // What comes then counts, also where it says less.
    let next = try #require(
      PostMark(through: at(-500).epochSeconds, receivedAt: at(60), after: first, by: .text))
    #expect(next.through == at(-500).epochSeconds && next.wentBackAt == at(60))
    let more = try #require(
      PostMark(through: at(50).epochSeconds, receivedAt: at(70), after: next, by: .text))
    #expect(more.through == at(50).epochSeconds && more.wentBackAt == at(60), "it stays told")
    #expect(
      PostMark(through: at(69).epochSeconds, receivedAt: at(69), after: more, by: .text) == nil)
    // Another device that is further behind took nothing back.
    let other = PostMark(
      through: at(10).epochSeconds, receivedAt: at(80), after: more, by: .devices)
    #expect(other?.wentBackAt == at(60))
  }

  /// A forged heartbeat with a time far ahead keeps none of the genuine ones from being heard.
  @Test func aForgedHeartbeatHidesNothingForGood() throws {
    let post = try CheckpostCode("BNP-A")
    func told(_ last: Int64, _ through: Int64, _ texted: Int64) throws -> H1Message {
      try H1Message(
        checkpost: post, lastNumber: last, syncedThrough: at(through).epochSeconds, waiting: 0,
        texted: texted)
    }
    let before = PostHeartbeat(try told(50, -100, 50), after: nil, at: at(0), came: 50)
    let forged = try #require(
      PostHeartbeat(
        try told(999_999, 3_000_000_000, 999_999), after: before, at: at(3_600), came: 50))
    #expect(forged.message.syncedThrough == at(3_600).epochSeconds)
    // The post has no line, and says the same of what is here as before.
    let genuine = PostHeartbeat(try told(60, -100, 60), after: forged, at: at(14_400), came: 50)
    #expect(genuine?.message.lastNumber == 60)
    // A text that was overtaken on its way changes nothing.
    let newer = try #require(
      PostHeartbeat(try told(70, 15_000, 70), after: genuine, at: at(18_000), came: 50))
    #expect(
      PostHeartbeat(try told(65, 14_000, 65), after: newer, at: at(18_300), came: 50) == nil)
  }
}
