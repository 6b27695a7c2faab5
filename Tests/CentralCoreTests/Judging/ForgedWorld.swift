import CentralCore
import Foundation
import Passages
import SeededRandom
import Time

/// Proven reports of some vehicles, and texts that anybody may have sent around them.
struct ForgedWorld {
  /// A violation by what it says of the vehicle, without the numbers that depend on what came first.
  struct Standing: Hashable {
    var kind: ViolationFinding.Kind
    var plate: String
    var segment: String
    var entry: ContentKey
    var exit: ContentKey
    var seconds: Int64
    var limitSeconds: Int64
    var isFar: Bool

    init(_ finding: ViolationFinding) {
      (kind, plate, segment) = (finding.kind, finding.plate, finding.segment)
      entry = ContentKey(
        post: finding.entry.post, plate: finding.plate, second: finding.entry.earliest)
      exit = ContentKey(
        post: finding.exit.post, plate: finding.plate, second: finding.exit.earliest)
      (seconds, limitSeconds) = (finding.seconds, finding.limitSeconds)
      isFar = finding.isFar
    }
  }

  let places: JudgedPlaces
  /// What each post said of itself.
  private(set) var reports = PostReports()
  /// What is proven.
  private(set) var proven: [JudgingWorld.Arrival] = []
  /// What is not.
  private(set) var unproven: [JudgingWorld.Arrival] = []
  private var generator: SplitMix64
  private let plate: String

  /// Sets that are tried where nobody asks for another number.
  static func sets(_ usual: UInt64) -> UInt64 {
    ProcessInfo.processInfo.environment["CHECKPOST_TEST_SETS"].flatMap { UInt64($0) } ?? usual
  }

  /// All of it.
  var arrivals: [JudgingWorld.Arrival] { proven + unproven }

  /// All of it in some order.
  var shuffled: [JudgingWorld.Arrival] {
    var generator = generator
    return arrivals.shuffled(using: &generator)
  }

  /// A vehicle of its own for each seed, on a road with three posts or on a segment.
  init(seed: UInt64, isRoad: Bool) throws {
    generator = SplitMix64(seed: seed)
    plate = "BA\(1 + seed / 9_000)PA\(1_000 + seed % 9_000)"
    places = isRoad ? try roadPlaces() : try samplePlaces()
    let posts = isRoad ? ["BNP-A", "BNP-B", "BNP-C"] : ["BNP-A", "BNP-B"]
    let steps: [Int64] = [1, 20, 61, 400, 1_500, 5_000, 9_000, 40_000]
    let step = steps[number(0...7)]
    var seconds: [Int64] = []
    for _ in 0..<number(2...7) {
      let second = step * Int64(number(0...9)) + Int64(number(0...70))
      seconds.append(second)
      let post = posts[number(0...posts.count - 1)]
      proven.append(.observation(try report(second, post)))
      if number(0...4) == 0 {
        proven.append(
          .observation(try report(second + Int64(number(0...75)), post, suffix: "9801")))
      }
    }
    for _ in 0..<number(1...6) {
      let near = [0, 1, -1, 30, -30, 59, 60, 61, -60, -61, 1_800, -1_800, 9_000, 20_000, -20_000]
      let around = seconds[number(0...seconds.count - 1)] + Int64(near[number(0...14)])
      let second = number(0...2) == 0 ? step * Int64(number(0...9)) : around
      unproven.append(
        .observation(
          try sighting(
            second, posts[number(0...posts.count - 1)], plate: plate,
            type: [.car, .truck, .bus][number(0...2)],
            suffix: number(0...2) == 0 ? "1111" : "4567", channel: .text,
            received: second + Int64(number(0...90_000)))))
    }
    for post in posts where number(0...3) > 0 {
      reports.report(
        try CheckpostCode(post), through: judgedMorning + 390_000,
        receivedAt: WallTime(epochSeconds: judgedMorning + 400_000))
    }
  }

  private mutating func report(
    _ second: Int64, _ post: String, suffix: String = "4567"
  ) throws -> Observation {
    let isText = number(0...5) == 0
    return try sighting(
      second, post, plate: plate, suffix: suffix, channel: isText ? .text : .upload, isProven: true,
      received: second + Int64(number(0...90_000)),
      clock: number(0...9) == 0 ? .within(seconds: 40) : .unknown)
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }
}
