/// The numbers by which the centre judges, in whole seconds.
public struct JudgingRules: Hashable, Sendable {
  /// What two rangers of one post write down of one vehicle within this time, counted from the first of
  /// it, is one passage. Never more than the shortest lawful travel of the post's segment.
  public private(set) var rangerWindow: Int64 = 60
  /// How long after an entry the next passage at the other end is its exit, when nothing was seen in
  /// between. Never less than `Pairing.longest` of the segment.
  public private(set) var pairingWindow: Int64 = 72 * 3_600
  /// Segments whose pairing window is another, by name.
  public private(set) var pairingWindows: [String: Int64] = [:]
  /// A stay that took longer is looked at by a person: an exit that nobody saw explains it as well.
  public private(set) var longStay: Int64 = 12 * 3_600
  /// A violation that rests on a post which does not report is final this long after it came to be as it
  /// is, and flagged.
  public private(set) var provisionalFor: Int64 = 24 * 3_600
  /// Faster than this no vehicle is, in kilometres an hour: where two posts say so, something is wrong, and a person
  /// has to look.
  public private(set) var fastest: Int64 = 200

  /// The speeds that ``fastest`` may have.
  public static let fastestRange: ClosedRange<Int64> = 50...1_000

  /// A number of the rules.
  public enum Number: String, CaseIterable, Sendable {
    /// `rangerWindow`
    case rangerWindow = "ranger_window"
    /// `pairingWindow`, and that of a segment
    case pairingWindow = "pairing_window"
    /// `longStay`
    case longStay = "long_stay"
    /// `provisionalFor`
    case provisionalFor = "provisional_for"

    /// The seconds that are accepted.
    public var range: ClosedRange<Int64> {
      switch self {
      case .rangerWindow: 0...600
      case .pairingWindow: 5 * 3_600...30 * 86_400
      case .longStay: 3_600...30 * 86_400
      case .provisionalFor: 0...365 * 86_400
      }
    }
  }

  /// The rules with everything at its default.
  public init() {}

  /// All the numbers in one line: two that judge alike have the same.
  public var words: String {
    let windows = pairingWindows.sorted { $0.key < $1.key }
    return
      (["\(rangerWindow) \(pairingWindow) \(longStay) \(provisionalFor) \(fastest)"]
      + windows.map { "\($0.value) \($0.key)" }).joined(separator: "\n")
  }

  /// Changes one of the numbers.
  ///
  /// - Throws: `JudgingRulesError` when it is out of its range; nothing is changed then.
  public mutating func set(_ number: Number, to seconds: Int64) throws(JudgingRulesError) {
    guard number.range.contains(seconds) else { throw JudgingRulesError(number: number) }
    switch number {
    case .rangerWindow: rangerWindow = seconds
    case .pairingWindow: pairingWindow = seconds
    case .longStay: longStay = seconds
    case .provisionalFor: provisionalFor = seconds
    }
  }

  /// Changes ``fastest``.
  ///
  /// - Throws: `JudgingRulesError` when it is out of its range; nothing is changed then.
  public mutating func setFastest(kilometresPerHour: Int64) throws(JudgingRulesError) {
    guard JudgingRules.fastestRange.contains(kilometresPerHour) else {
      throw JudgingRulesError(number: nil)
    }
    fastest = kilometresPerHour
  }

  /// Whether nothing drives so many metres in so many seconds.
  func isImpossible(_ seconds: Int64, over metres: Int64) -> Bool {
    // A kilometre an hour is 1,000 metres in 3,600 seconds.
    max(seconds, 0) * fastest * 1_000 < metres * 3_600
  }

  /// Changes the pairing window of one segment.
  ///
  /// - Throws: `JudgingRulesError` when it is out of its range; nothing is changed then.
  public mutating func setPairingWindow(
    of segment: String, to seconds: Int64
  ) throws(JudgingRulesError) {
    guard Number.pairingWindow.range.contains(seconds) else {
      throw JudgingRulesError(number: .pairingWindow)
    }
    pairingWindows[segment] = seconds
  }
}

/// A number of the rules is out of its range.
public struct JudgingRulesError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Which one; nil of ``JudgingRules/fastest``.
  public var number: JudgingRules.Number?

  /// That number is out of its range.
  public init(number: JudgingRules.Number?) {
    self.number = number
  }

  /// What is wrong, and what to do.
  public var description: String {
    guard let number else {
      let range = JudgingRules.fastestRange
      return "fastest has to be from \(range.lowerBound) to \(range.upperBound) kilometres an hour"
    }
    let range = number.range
    return "\(number.rawValue) has to be from \(range.lowerBound) to \(range.upperBound) seconds"
  }
}
