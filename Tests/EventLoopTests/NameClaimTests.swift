import EventLoop
import Testing

@Suite struct NameClaimTests {
  @Test func aNameHasOneOwner() throws {
    let name = "a test's own \(UInt64.random(in: .min ... .max))"
    let claim = try #require(try NameClaim(name))
    #expect(try NameClaim(name) == nil)
    #expect(try NameClaim(name + "x") != nil)
    claim.release()
    #expect(try NameClaim(name) != nil)
  }
}
