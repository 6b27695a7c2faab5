import Synchronization
import Testing

@testable import Host

/// Settings that are read again: taken up by all parts, or by none.
@Suite struct ReloadTests {
  private struct Refused: Error {}

  @Test func allTakeThemUp() throws {
    let taken = Mutex<[String]>([])
    try Reload.apply([
      { { taken.withLock { $0.append("central") } } },
      { { taken.withLock { $0.append("node") } } },
    ])
    #expect(taken.withLock { $0 } == ["central", "node"])
  }

  @Test func whatOneRefusesNoneTakesUp() {
    let taken = Mutex<[String]>([])
    #expect(throws: Refused.self) {
      try Reload.apply([
        { { taken.withLock { $0.append("central") } } },
        { throw Refused() },
      ])
    }
    #expect(taken.withLock { $0 }.isEmpty)
  }
}
