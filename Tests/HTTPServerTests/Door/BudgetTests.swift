import Hummingbird
import Testing
import Time

@testable import HTTPServer

/// How often somebody may ask.
@Suite struct BudgetTests {
  @Test func aBucketHasWhatAMinuteGives() {
    var buckets = TokenBuckets<String>(perMinute: 6, rows: 8)
    let start = BootInstant.seconds(1_000)
    for _ in 0..<6 { #expect(buckets.take("a", at: start) == nil) }
    #expect(buckets.take("a", at: start) == .seconds(10))
    #expect(buckets.take("b", at: start) == nil, "another one has its own")
    #expect(buckets.take("a", at: start + .seconds(9)) == .seconds(1))
    #expect(buckets.take("a", at: start + .seconds(10)) == nil)
    #expect(buckets.take("a", at: start + .seconds(10)) == .seconds(10))
    // However long nothing was taken, there is no more than a minute's.
    let later = start + .seconds(86_400)
    for _ in 0..<6 { #expect(buckets.take("a", at: later) == nil) }
    #expect(buckets.take("a", at: later) != nil)
  }

  @Test(arguments: [1, 7, 10, 59, 61, 3_000, 6_000, 1_000_000])
  func aMinuteGivesWhatItSays(_ perMinute: Int) {
    var buckets = TokenBuckets<Int>(perMinute: perMinute, rows: 1)
    let start = BootInstant.seconds(5)
    var taken = 0
    while taken <= perMinute, buckets.take(0, at: start) == nil { taken += 1 }
    #expect(taken == perMinute)
  }

  @Test func lookingTakesNothing() {
    var buckets = TokenBuckets<Int>(perMinute: 1, rows: 1)
    let now = BootInstant.zero
    for _ in 0..<10 { #expect(buckets.wait(for: 0, at: now) == nil) }
    #expect(buckets.take(0, at: now) == nil)
    #expect(buckets.wait(for: 0, at: now) == .seconds(60))
  }

  /// A clock that stands still, or one that another process set back, locks nobody out for longer.
  @Test func nobodyWaitsLongerThanAMinute() throws {
    var buckets = TokenBuckets<Int>(perMinute: 2, rows: 1)
    let now = BootInstant.seconds(100_000)
    while buckets.take(0, at: now) == nil {}
    let wait = try #require(buckets.wait(for: 0, at: .zero))
    #expect(wait <= .seconds(60))
  }

  @Test func theTableIsBoundedAndKeepsWhoCameLast() {
    var buckets = TokenBuckets<Int>(perMinute: 1, rows: 16)
    let now = BootInstant.seconds(1)
    for key in 0..<10_000 {
      #expect(buckets.take(key, at: now) == nil)
      #expect(buckets.count <= 32)
    }
    for key in (10_000 - 16)..<10_000 { #expect(buckets.wait(for: key, at: now) != nil) }
    #expect(buckets.wait(for: 0, at: now) == nil, "what was forgotten counts as full")
  }

  @Test func whatIsUsedStaysThoughManyComeBesideIt() {
    var buckets = TokenBuckets<Int>(perMinute: 60, rows: 4)
    var now = BootInstant.seconds(1)
    for _ in 0..<60 { #expect(buckets.take(-1, at: now) == nil) }
    for key in 0..<40 {
      now = now + .seconds(1)
      #expect(buckets.take(-1, at: now) == nil, "one comes in a second")
      #expect(buckets.take(-1, at: now) != nil, "and not two")
      _ = buckets.take(key, at: now)
    }
  }

  @Test func eachPurposeHasItsOwnBudget() throws {
    var limits = RequestLimits()
    limits.badSignatures = 1
    limits.signIns = 1
    limits.reads = 1
    limits.writes = 1
    limits.keyReads = 1
    limits.keyWrites = 1
    var budgets = Budgets(limits)
    let now = BootInstant.seconds(1)
    let address = try #require(IPAddress("192.0.2.1"))
    for kind in [RequestClass.signIn, .read, .write] {
      #expect(budgets.take(kind, address: address, at: now) == nil)
      #expect(budgets.take(kind, address: address, at: now) != nil)
    }
    for kind in [RequestClass.read, .write] {
      #expect(budgets.take(kind, key: "k", at: now) == nil)
      #expect(budgets.take(kind, key: "k", at: now) != nil)
    }
    for kind in [RequestClass.webhook, .health] {
      for _ in 0..<5 { #expect(budgets.take(kind, address: address, at: now) == nil) }
    }
    #expect(budgets.signatureWait(address, at: now) == nil)
    budgets.signatureWas(false, address, at: now)
    #expect(budgets.signatureWait(address, at: now) == .seconds(60))
  }

  @Test func zeroBoundsNothing() throws {
    var limits = RequestLimits()
    limits.badSignatures = 0
    limits.reads = 0
    var budgets = Budgets(limits)
    let address = try #require(IPAddress("192.0.2.1"))
    for _ in 0..<20_000 {
      #expect(budgets.take(.read, address: address, at: .zero) == nil)
      budgets.signatureWas(false, address, at: .zero)
    }
    #expect(budgets.signatureWait(address, at: .zero) == nil)
  }

  /// A provider calls for all its customers from the same addresses, and any of them can have it call us
  /// with a signature that is none of ours.
  @Test func whoSignedWellLatelyDoesNotWait() throws {
    var budgets = Budgets(RequestLimits())
    let address = try #require(IPAddress("192.0.2.1"))
    var now = BootInstant.seconds(1)
    budgets.signatureWas(true, address, at: now)
    for _ in 0..<100 { budgets.signatureWas(false, address, at: now) }
    #expect(budgets.signatureWait(address, at: now) == nil)
    now = now + .seconds(24 * 3_600)
    for _ in 0..<100 { budgets.signatureWas(false, address, at: now) }
    #expect(budgets.signatureWait(address, at: now) != nil)
  }

  @Test(arguments: [
    ("POST", "/auth/v1/token", "grant_type=password", RequestClass.signIn),
    ("POST", "//auth/v1//token/", "", .signIn), ("POST", "/auth/v1/signup", "", .signIn),
    ("POST", "/auth/v1/token", "grant_type=refresh_token", .write),
    ("POST", "/auth/v1/token", "a=grant_type=refresh_token", .signIn),
    ("POST", "/auth/v1/logout", "", .write), ("GET", "/auth/v1/user", "", .read),
    ("GET", "/rest/v1/vehicle_passages", "", .read), ("HEAD", "/", "", .read),
    ("PATCH", "/rest/v1/vehicle_passages", "", .write), ("POST", "/nothing", "", .write),
    ("POST", "/hook", "", .webhook), ("GET", "//hook", "a=b", .webhook),
    ("GET", "/healthz", "", .health),
  ])
  func aRequestIsForSomething(
    _ method: String, _ path: String, _ query: String, _ kind: RequestClass
  ) throws {
    let method = try #require(HTTPRequest.Method(method))
    #expect(RequestClass(method: method, path: path, query: query, webhooks: ["/hook"]) == kind)
  }
}
