import NodeCore
import NodeSQLite
import Passages
import SeededRandom
import Testing
import Time

/// What a killed process leaves behind, at many moments of its work.
@Suite struct CrashTests {
  @Test(arguments: 1...8) func whatWasAcknowledgedIsThere(_ seed: UInt64) throws {
    let bench = try Bench()
    var random = SplitMix64(seed: seed)
    var recorded: Set<Int64> = []
    var accepted: Set<Int64> = []
    var texts: TextID = 0
    for number in 1...40 as ClosedRange<Int64> {
      recorded.insert(try bench.record(number))
      bench.pass(.seconds(30))
      if let due = try bench.choose().text {
        texts += 1
        try bench.begin(due.queueID, text: texts)
        if random.happens(onceIn: 3) {
          try bench.end(texts, .refused, .againAfterRefusal(at: bench.moment.boot))
        } else {
          try bench.end(texts, .fine, .texted)
          accepted.insert(due.queueID)
        }
      }
      guard random.happens(onceIn: 4) else { continue }
      let image = try bench.crashImage("image")
      let store = try SQLiteNodeStore(path: image, bootID: "boot-1")
      _ = try store.recover(rules: NodeRules(), at: bench.moment)
      let items = try store.list(QueueQuery())
      #expect(Set(items.map(\.queueID)) == recorded, "seed \(seed), after \(number)")
      #expect(Set(items.filter(\.isTexted).map(\.queueID)) == accepted, "seed \(seed)")
      try store.close()
    }
  }
}
