#if CHECKPOST_MUTANTS
  import Glibc
  import Mutants
  import SimulationKit
  import TestSupport
  import Testing

  /// Whether the simulation sees anything: each fault that is built in on purpose has to be caught.
  @Suite(.serialized) struct MutantTests {
    /// Days that are lived until one of them shows the fault.
    static let seeds: ClosedRange<UInt64> = 1...150

    /// Those that are built in: `CHECKPOST_TEST_MUTANT` names one.
    static let mutants = Mutant.allCases.filter { mutant in
      getenv("CHECKPOST_TEST_MUTANT").map { String(cString: $0) == mutant.rawValue } ?? true
    }

    @Test(arguments: mutants) func everyMutantIsCaught(_ mutant: Mutant) async throws {
      let found = await onThread { () -> (seed: UInt64, words: String)? in
        Mutant.activate(mutant)
        defer { Mutant.activate(nil) }
        for seed in MutantTests.seeds {
          do {
            if let words = try SimulationTests.live(seed).violations.first {
              return (seed, words)
            }
          } catch {
            return (seed, "the node ended: \(error)")
          }
        }
        return nil
      }
      let caught = try #require(
        found, "\(mutant.rawValue) was not caught in \(MutantTests.seeds.count) days")
      print("\(mutant.rawValue): seed \(caught.seed): \(caught.words)")
    }
  }
#endif
