import CentralCore
import CentralSQLite
import Passages
import ServerModel
import ServerSimulator
import TestSupport
import Testing
import Time

@testable import Forwarding

/// Whatever goes wrong with a server, and for however long: nothing is lost meanwhile, and once it is over all of it
/// is there, each once.
@Suite(.timeLimit(.minutes(15))) struct EveryFaultTests {
  /// Which requests a fault befalls.
  enum Reach: CaseIterable, Sendable {
    /// All.
    case everything
    /// Those that hand passages over.
    case handingOver

    var methods: Set<String>? { self == .everything ? nil : ["POST"] }
  }

  /// What came of it.
  private struct Outcome: Sendable {
    /// How often the fault befell a request.
    var met = 0
    /// Passages that the server had while it lasted.
    var storedMeanwhile = 0
    /// Passages of which the central knew then where they stand.
    var knownMeanwhile = 0
    /// Passages that the server has afterwards, and of how many identities.
    var stored = 0
    var identities = 0
    var standing = ForwardStanding(forwarded: 0, waiting: 0, hindered: [:], setAside: 0)
    /// Requests that came once all was handed on.
    var idleRequests = 0
  }

  private static let passages = 3

  // One after the other: all at once would make those slow for which an answer must not be late.
  @Test(.serialized, arguments: ModelFault.allCases, Reach.allCases)
  func whatWasRecognisedIsThereOnceAfterIt(fault: ModelFault, reach: Reach) async throws {
    let outcome = try await onThread { try Self.run(fault, reach) }
    #expect(outcome.met > 0)
    if !fault.isDone { #expect(outcome.storedMeanwhile == 0) }
    #expect(outcome.knownMeanwhile == Self.passages)
    #expect(outcome.stored == Self.passages)
    #expect(outcome.identities == Self.passages)
    #expect(
      outcome.standing
        == ForwardStanding(forwarded: Self.passages, waiting: 0, hindered: [:], setAside: 0))
    #expect(outcome.idleRequests == 0)
  }

  private static func run(_ fault: ModelFault, _ reach: Reach) throws -> Outcome {
    let isSilent = [.silent, .silentAfter, .slow].contains(fault)
    let bench = try ForwardBench(timeout: .seconds(isSilent ? 1 : 60))
    for number in 1...passages { try bench.take(number, "BA1PA\(1_000 + number)") }
    var outcome = Outcome()
    bench.server.inject(InjectedFault(fault, times: nil, methods: reach.methods))
    for turn in 0..<50 where turn < 3 || outcome.met == 0 {
      bench.go()
      outcome.met = bench.server.withModel { $0.fired[fault] ?? 0 }
      bench.clocks.pass(longestPause)
    }
    outcome.storedMeanwhile = bench.stored
    let meanwhile = try bench.store.forwardStanding()
    outcome.knownMeanwhile = meanwhile.forwarded + meanwhile.waiting + meanwhile.setAside

    bench.server.withModel { $0.heal() }
    // A machine that is busy may be late with an answer even then.
    for _ in 0..<50 {
      // What the server refused by itself waits for a person.
      if try bench.store.forwardStanding().setAside > 0 {
        _ = try bench.store.retryForwards(at: bench.clocks.wall())
      }
      bench.go()
      outcome.standing = try bench.store.forwardStanding()
      if outcome.standing.forwarded == passages { break }
      bench.clocks.pass(longestPause)
    }
    outcome.stored = bench.stored
    outcome.identities = bench.server.withModel { model in
      (1...passages).count { number in
        let identity = ClientID(random: UInt64(number), UInt64(number)).description
        return model.passage(clientID: identity) != nil
      }
    }
    let before = bench.server.withModel(\.requests)
    bench.go()
    outcome.idleRequests = bench.server.withModel(\.requests) - before
    return outcome
  }

  /// Longer than anything is waited for, whatever the server asks.
  private static let longestPause: Duration = .seconds(7_200)
}
