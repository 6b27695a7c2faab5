import CentralCore
import Testing
import Time

/// What was refused to providers, counted beside a store that is read once and written now and then.
@Suite struct WebhookStandingsTests {
  private let now = WallTime(epochSeconds: 1_709_123_500)
  private let wrong = WebhookRefusal(.signature, "the signature is wrong")

  private func tally(
    _ path: String = "/a", _ kind: WebhookRefusal.Kind = .signature, count: Int,
    since: WallTime? = nil
  ) -> WebhookTally {
    WebhookTally(
      path: path, kind: kind, words: "as it was", count: count, since: since ?? now - .seconds(60),
      last: now - .seconds(30))
  }

  @Test func whatMostWereRefusedForIsTold() {
    var standings = WebhookStandings()
    standings.read([])
    #expect(standings.worst.isEmpty && !standings.isChanged)
    standings.refused(WebhookRefusal(.method, "GET came"), by: "/a", at: now)
    for after in 1...2 as ClosedRange<Int64> {
      standings.refused(wrong, by: "/a", at: now + .seconds(after))
    }
    standings.refused(wrong, by: "/b", at: now)
    #expect(standings.worst.map(\.path) == ["/a", "/b"])
    #expect(
      standings.worst.first
        == WebhookTally(
          path: "/a", kind: .signature, words: wrong.words, count: 2, since: now + .seconds(1),
          last: now + .seconds(2)))
    let change = standings.change()
    #expect(change["/a"]?.map(\.kind) == [.method, .signature])
    let next = standings.change()
    #expect(!standings.isChanged && next.isEmpty)
    // What is told by problems of their own is not told once more.
    for kind in [WebhookRefusal.Kind.storage, .crowded] {
      let counts = standings.refused(WebhookRefusal(kind, "full"), by: "/c", at: now)
      #expect(!counts)
    }
    #expect(!standings.isChanged)
    standings.giveBack(change)
    let again = standings.change()
    #expect(again == change)
  }

  @Test func aTextThatIsTakenEndsIt() {
    var standings = WebhookStandings()
    standings.read([tally(count: 5)])
    #expect(standings.worst.map(\.count) == [5])
    let ends = standings.took(by: "/a")
    #expect(ends && standings.worst.isEmpty)
    let change = standings.change()
    #expect(change == ["/a": []])
    let changesMore = standings.took(by: "/a")
    #expect(!changesMore, "each text that is taken writes nothing")
    #expect(!standings.isChanged)
  }

  /// What comes before the store can be read comes on top of what was there, or ends it.
  @Test func whatComesBeforeTheStoreIsReadCounts() {
    var standings = WebhookStandings()
    standings.refused(wrong, by: "/a", at: now)
    standings.took(by: "/b")
    let kept = [tally(count: 2), tally("/b", count: 9), tally("/c", .method, count: 4)]
    standings.read(kept)
    #expect(standings.worst.map(\.path) == ["/a", "/c"])
    let first = standings.worst.first
    #expect(first?.count == 3 && first?.since == now - .seconds(60) && first?.last == now)
    #expect(first?.words == wrong.words)
    let change = standings.change()
    #expect(change["/a"]?.map(\.count) == [3] && change["/b"] == [] && change["/c"] == nil)
    // Other settings say that nothing of before counts.
    var others = WebhookStandings()
    others.forget()
    others.read(kept)
    #expect(others.worst.isEmpty)
    let cleared = others.change()
    #expect(cleared == ["/a": [], "/b": [], "/c": []])
  }

  /// Another service on the same store took a text, or met a refusal.
  @Test func whatOthersKeptCountsWhereNothingChangedHere() {
    var standings = WebhookStandings()
    standings.read([tally(count: 5), tally("/b", count: 3)])
    standings.refused(wrong, by: "/b", at: now)
    standings.read([tally("/c", count: 7)])
    #expect(standings.worst.map(\.path) == ["/b", "/c"])
    #expect(standings.worst.map(\.count) == [4, 7])
    let change = standings.change()
    #expect(change.keys.sorted() == ["/b"])
  }
}
