import Passages
import Testing

struct DerivedIDTests {
  /// Reckoned by another program: hashlib and uuid of Python.
  @Test func itIsWhatOthersReckon() {
    #expect(DerivedID.uuid(.post, "BNP-A") == "ac48f464-17dc-8d4c-8177-a8fc93ff65d7")
  }

  @Test func itDependsOnTheKind() {
    let all = Set(DerivedID.Kind.allCases.map { DerivedID.uuid($0, "BNP-A") })
    #expect(all.count == DerivedID.Kind.allCases.count)
  }
}
