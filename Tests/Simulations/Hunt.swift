#if CHECKPOST_MUTANTS
  import EventLoop
  import Glibc
  import Mutants
  import SimulationKit

  /// Whether the simulation sees anything: for each fault that is built in on purpose, one after the
  /// other, days are lived until one of them does not end well.
  ///
  /// `CHECKPOST_TEST_MUTANT` names one that is hunted alone; what chooses days chooses them here, too.
  struct Hunt {
    /// Days that are lived at most for a fault.
    private static let days: UInt64 = 2_000

    /// Seconds after which the system ends the program: one that makes the node go round and round within
    /// one moment lives no day to its end, and its name is the last one printed.
    private static let patience: UInt32 = 1_800

    private let mutants: [Mutant]
    private let choice: DayChoice

    /// - Parameter variable: the value of a variable of the environment; nil where it is not set.
    /// - Returns: nil where a fault is named that there is not.
    init?(variable: (String) -> String?) {
      choice = DayChoice(seeds: Hunt.days, variable: variable)
      guard let name = variable("CHECKPOST_TEST_MUTANT") else {
        mutants = Mutant.allCases
        return
      }
      guard let mutant = Mutant(rawValue: name) else {
        print("there is no fault \(name); there are:")
        for mutant in Mutant.allCases { print(mutant.rawValue) }
        return nil
      }
      mutants = [mutant]
    }

    /// Hunts each, and prints what caught it.
    ///
    /// - Returns: whether each was caught.
    func catchAll() throws(LinkError) -> Bool {
      var survivors: [Mutant] = []
      for mutant in mutants {
        print("\(mutant.rawValue): ", terminator: "")
        fflush(nil)
        if let failure = try day(thatCatches: mutant) {
          let days = (choice.seeds.firstIndex(of: failure.seed) ?? 0) + 1
          print("seed \(failure.seed), after \(days) days: \(failure.words.first ?? "")")
        } else {
          print("SURVIVED \(choice.seeds.count) days")
          survivors.append(mutant)
        }
      }
      print("\(mutants.count - survivors.count) of \(mutants.count) were caught")
      print("repeat one with: CHECKPOST_TEST_MUTANT=name CHECKPOST_TEST_SEED=n make prove-mutants")
      return survivors.isEmpty
    }

    /// The first day that does not end well with a fault, and does without.
    private func day(thatCatches mutant: Mutant) throws(LinkError) -> Campaign.Failure? {
      alarm(Hunt.patience)
      defer { alarm(0) }
      var next = 0
      while next < choice.seeds.count {
        Mutant.activate(mutant)
        let (campaign, end) = try Days(choice, from: next, endsWithFailure: true).campaign()
        Mutant.activate(nil)
        if let failure = campaign.failures.first(where: { !failsAnyway($0.seed) }) {
          return failure
        }
        next = end
      }
      return nil
    }

    /// Whether a day does not end well with no fault built in.
    private func failsAnyway(_ seed: UInt64) -> Bool {
      var settings = choice.settings(seed)
      settings.trace = nil
      var day = Campaign()
      day.live(settings)
      return !day.failures.isEmpty
    }
  }
#endif
