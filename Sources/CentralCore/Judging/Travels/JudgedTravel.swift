public import Passages

/// One vehicle's way over one segment, judged.
public struct JudgedTravel: Hashable, Sendable {
  /// The passage at the end that it was seen at first.
  public let entry: RecognisedPassage
  /// The passage at the other end.
  public let exit: RecognisedPassage
  /// The segment between the two.
  public let segment: Segment
  /// Whether it took longer than `Pairing.longest`, so that it is one travel only because nothing was seen
  /// in between.
  public let isFar: Bool
  /// What the time means.
  public let verdict: SpeedVerdict
  /// What could make that wrong.
  public let doubts: [TravelDoubt]

  /// What stands between or beside the two ends.
  struct Marks {
    /// Whether texts say that the vehicle was seen in between, which nobody proved.
    var isCrossed = false
    /// Whether the exit is the entry of an ordinary travel back, too.
    var isTurn = false
  }

  init(
    entry: RecognisedPassage, exit: RecognisedPassage, on segment: Segment, rules: JudgingRules,
    marks: Marks = Marks()
  ) {
    // By what held when the vehicle came.
    let segment = segment.held(at: entry.earliest)
    (self.entry, self.exit, self.segment) = (entry, exit, segment)
    isFar = exit.earliest - entry.earliest > Pairing.longest(on: segment)
    let longest = exit.latest - entry.earliest
    let shortest = max(0, exit.earliest - entry.latest)
    verdict = JudgedTravel.verdict(shortest: shortest, longest: longest, on: segment)

    let ends = [entry.content, exit.content]
    var doubts: [TravelDoubt] = []
    if ends.contains(where: \.isTextAlone) { doubts.append(.byTextAlone) }
    if case .overstay = verdict, shortest > rules.longStay || marks.isTurn {
      doubts.append(.longStay)
    }
    let clocks = ends.compactMap(\.clockSeconds).reduce(Int64(0)) { $0.saturatingSum($1) }
    if verdict != .normal, clocks > 0,
      JudgedTravel.verdict(
        shortest: max(0, shortest.saturatingSum(-clocks)), longest: longest.saturatingSum(clocks),
        on: segment) == .normal
    {
      doubts.append(.clocks)
    }
    if ends.contains(where: { !$0.contradictions.isEmpty }) { doubts.append(.contradicted) }
    // Texts of a number that anybody can forge say otherwise.
    let told = (entry.told, exit.told)
    if verdict != .normal, entry.isFounded, exit.isFounded,
      marks.isCrossed
        || JudgedTravel.verdict(
          shortest: max(0, told.1.lowerBound - told.0.upperBound),
          longest: told.1.upperBound - told.0.lowerBound, on: segment) != verdict
    {
      doubts.append(.contradictedByText)
    }
    if marks.isTurn { doubts.append(.turned) }
    if case .speeding = verdict, rules.isImpossible(longest, over: segment.distanceMetres) {
      doubts.append(.impossibleSpeed)
    }
    self.doubts = doubts
  }

  /// The seconds that the verdict was made by. Where an end was written down twice the vehicle may have
  /// been there at either time, and the one counts that is better for the driver: the longest travel
  /// against speeding, the shortest against an overstay.
  public var seconds: Int64 {
    switch verdict {
    case .speeding, .normal: exit.latest - entry.earliest
    case .overstay: max(0, exit.earliest - entry.latest)
    }
  }

  /// The verdict on a travel that took no less and no more than this.
  private static func verdict(
    shortest: Int64, longest: Int64, on segment: Segment
  ) -> SpeedVerdict {
    let fast = SpeedCheck.judge(
      travelSeconds: min(max(0, longest), mostSeconds), on: segment)
    if case .speeding = fast { return fast }
    let slow = SpeedCheck.judge(travelSeconds: min(shortest, mostSeconds), on: segment)
    if case .overstay = slow { return slow }
    return .normal
  }

  /// No travel is longer; far from what the speed check can count.
  private static let mostSeconds: Int64 = 1_000_000_000
}

extension Int64 {
  /// The sum, or the nearest number that there is.
  func saturatingSum(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
