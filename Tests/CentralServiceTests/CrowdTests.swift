import Testing
import Time

@testable import CentralService

/// When messages that come close to each other are kept, and when what is kept is processed.
struct CrowdTests {
  private let start = BootInstant.seconds(1_000)

  @Test func oneAloneIsProcessedAtOnce() {
    var agenda = CentralAgenda(at: start)
    agenda.kept(1, at: start)
    #expect(!agenda.isCrowded)
  }

  @Test func severalAreKeptFirst() {
    var agenda = CentralAgenda(at: start)
    agenda.kept(2, at: start)
    #expect(agenda.isCrowded)
    #expect(agenda.next == start)  // What is looked at after a start is not put off.
    agenda.endCrowd(at: start + .milliseconds(2))
    #expect(!agenda.isCrowded)
    #expect(agenda.processAgainAt == start + .milliseconds(2))
  }

  /// Answered one by one, a crowd comes back one by one.
  @Test func oneThatComesBeforeThoseAreProcessedIsOfTheCrowd() {
    var agenda = CentralAgenda(at: start)
    agenda.kept(2, at: start)
    agenda.kept(1, at: start + .milliseconds(1))
    #expect(agenda.isCrowded)
  }

  /// However long a crowd goes on, some are processed meanwhile.
  @Test func aCrowdDoesNotPutProcessingOffForEver() {
    var agenda = CentralAgenda(at: start)
    var processed = 0
    for millisecond in 0..<1_000 {
      let now = start + .milliseconds(millisecond)
      agenda.kept(64, at: now)
      if !agenda.isCrowded {
        processed += 1
        agenda.processedAt = now
        agenda.processAgainAt = now
      }
    }
    #expect(processed == 19)
  }
}
