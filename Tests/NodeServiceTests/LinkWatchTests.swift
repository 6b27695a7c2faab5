import NodeCore
import Testing
import Time

@testable import NodeService

/// When the link is looked at.
@Suite struct LinkWatchTests {
  private func looks(_ watch: inout LinkWatch, from start: BootInstant, for duration: Duration)
    -> Int
  {
    var count = 0
    while let next = watch.nextLook, next <= start + duration {
      _ = watch.change(at: next) {
        count += 1
        return .up
      }
    }
    return count
  }

  @Test func withoutNewsItIsLookedAtEveryFewSeconds() {
    var watch = LinkWatch(news: nil)
    watch.isWanted(true, at: .seconds(10))
    #expect(looks(&watch, from: .seconds(10), for: .seconds(60)) == 13)
    #expect(watch.descriptor == -1)
  }

  @Test func onlyChangesAreTold() {
    var watch = LinkWatch(news: nil)
    watch.isWanted(true, at: .seconds(10))
    #expect(watch.change(at: .seconds(9)) { .up } == nil, "it is not time")
    #expect(watch.change(at: .seconds(10)) { .up } == .up)
    #expect(watch.change(at: .seconds(15)) { .up } == nil)
    #expect(watch.change(at: .seconds(20)) { .down } == .down)
    watch.look(at: .seconds(21))
    #expect(watch.change(at: .seconds(21)) { .down } == .down, "whatever was told before")
  }

  @Test func aLinkThatNobodyWantsIsNotLookedAt() {
    var watch = LinkWatch(news: nil)
    #expect(watch.nextLook == nil)
    watch.isWanted(true, at: .seconds(1))
    watch.isWanted(false, at: .seconds(2))
    #expect(watch.change(at: .seconds(100)) { .up } == nil)
  }
}
