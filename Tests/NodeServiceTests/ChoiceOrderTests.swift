import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import Testing
import Time

/// In one round a passage may come up for its upload and for its text.
@Suite struct ChoiceOrderTests {
  private let matching = MatchingTests()

  /// What one choice claimed is written before the next choice looks: a passage that is on its way to the server is
  /// not texted in that moment, and the node does not end because the store refuses it.
  @Test(arguments: [7, 10, 15, 30, 60] as [Int64])
  func aPassageOnItsWayToTheServerIsNotTextedInThatRound(step: Int64) throws {
    var rules = try matching.rules(.connected)
    rules.sync.userID = "user"
    let bench = try Bench(rules)
    try bench.start()
    let server = MatchingServer()
    server.failing = Set((1...9).map { "BA1PA\($0)" })
    _ = try server.serve(bench, try bench.handle(.linkChanged(.up)))
    var texts = 0
    var plate = 0
    for second in stride(from: 0 as Int64, to: 14_400, by: Int(step)) {
      var outputs: [NodeOutput] = []
      // Others between them, which the server takes.
      if plate < 18, second >= Int64(plate) * 41 {
        plate += 1
        let name = plate % 2 == 1 ? "BA1PA\((plate + 1) / 2)" : "BA2PA\(plate)"
        let passage = try matching.passage(name, "BNP-B", bench.wall)
        outputs += try bench.handle(.record(requestID: Int64(plate), [RecordRequest(passage)]))
      }
      outputs = try server.serve(bench, outputs + (try bench.pass(.seconds(step))))
      while let text = outputs.texts.first {
        texts += 1
        let under = try bench.store.list(QueueQuery()).filter { $0.status == .inFlight }
        #expect(!under.contains { text.body.contains($0.passage.plate.compact) })
        let accepted = NodeInput.outcome(text.id, .accepted(references: [UInt8(texts)]))
        outputs = try server.serve(bench, try bench.handle(accepted))
      }
    }
    #expect(texts == 9)
  }
}
