import CentralCore
import Testing
import Time

/// What was refused to providers is there after a restart.
struct WebhookRefusalTests {
  @Test(arguments: StoreKind.all) func whatWasRefusedIsKeptUntilATextIsTaken(
    _ kind: StoreKind
  ) throws {
    let bench = try Bench(kind)
    func tally(
      _ path: String, _ kind: WebhookRefusal.Kind, _ count: Int, _ words: String = "why"
    ) -> WebhookTally {
      WebhookTally(
        path: path, kind: kind, words: words, count: count,
        since: bench.wall - .milliseconds(60_001), last: bench.wall)
    }
    #expect(try bench.store.webhookTallies().isEmpty)
    let first = [
      tally("/a", .method, 1, "नमस्ते 'quoted'"), tally("/a", .signature, 3),
      tally("/b", .parameters, 2),
    ]
    try bench.store.keep(["/a": Array(first[..<2]), "/b": [first[2]]])
    try bench.reopen()
    #expect(try bench.store.webhookTallies() == first)
    // Of the paths that are named all of it is another; of others nothing is.
    try bench.store.keep(["/a": [tally("/a", .signature, 4)]])
    #expect(try bench.store.webhookTallies() == [tally("/a", .signature, 4), first[2]])
    try bench.store.keep(["/a": [], "/c": []])
    try bench.reopen()
    #expect(try bench.store.webhookTallies() == [first[2]])
    try bench.store.keep([:])
    #expect(try bench.store.webhookTallies() == [first[2]])
  }
}
