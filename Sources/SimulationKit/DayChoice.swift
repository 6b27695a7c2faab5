/// Which days are lived, and as how much of a day: what a person or a failed campaign asks for.
public struct DayChoice: Sendable {
  /// The seeds.
  public var seeds: [UInt64]
  private var without: Set<Int>
  private var until: Duration?
  private var isTraced: Bool

  /// The days that variables of an environment name.
  ///
  /// - `CHECKPOST_TEST_SEED`: one seed.
  /// - `CHECKPOST_TEST_SEEDS`: how many, from 1 on.
  /// - `CHECKPOST_TEST_WITHOUT`: what is left out of the day's plan, by number, with commas.
  /// - `CHECKPOST_TEST_UNTIL`: the second at which all is healed.
  /// - `CHECKPOST_TEST_TRACE`: anything: what happens is printed.
  ///
  /// - Parameters:
  ///   - seeds: How many without any of these.
  ///   - variable: The value of a variable; nil where it is not set.
  public init(seeds count: UInt64, variable: (String) -> String?) {
    if let one = variable("CHECKPOST_TEST_SEED").flatMap({ UInt64($0) }) {
      seeds = [one]
    } else {
      let count = variable("CHECKPOST_TEST_SEEDS").flatMap { UInt64($0) } ?? count
      seeds = Array(1...max(1, count))
    }
    without = Set(
      (variable("CHECKPOST_TEST_WITHOUT") ?? "").split(separator: ",").compactMap { Int($0) })
    until = variable("CHECKPOST_TEST_UNTIL").flatMap { Int64($0) }.map { .seconds($0) }
    isTraced = variable("CHECKPOST_TEST_TRACE") != nil
  }

  /// The day of a seed, with what was chosen left out.
  public func settings(_ seed: UInt64) -> WorldSettings {
    var settings = WorldSettings(seed: seed)
    settings.without = without
    settings.until = until
    if isTraced { settings.trace = { print($0) } }
    return settings
  }

  /// The command that lives a day again.
  ///
  /// - Parameter target: What make is asked for.
  public static func command(_ settings: WorldSettings, target: String) -> String {
    var words = ["CHECKPOST_TEST_SEED=\(settings.seed)"]
    let without = settings.without.sorted().map(String.init).joined(separator: ",")
    if !without.isEmpty { words.append("CHECKPOST_TEST_WITHOUT=\(without)") }
    if let until = settings.until {
      words.append("CHECKPOST_TEST_UNTIL=\(until.components.seconds)")
    }
    return words.joined(separator: " ") + " make \(target)"
  }

  /// The command that lives a day again that failed, made smaller.
  public func smallest(
    _ failure: Campaign.Failure, target: String
  ) -> String {
    var whole = settings(failure.seed)
    whole.trace = nil
    guard let planned = failure.planned else { return DayChoice.command(whole, target: target) }
    let smallest = Shrinking.smallest(of: whole, planned: planned) { settings in
      var day = Campaign()
      day.live(settings)
      return !day.failures.isEmpty
    }
    return DayChoice.command(smallest, target: target)
  }
}
