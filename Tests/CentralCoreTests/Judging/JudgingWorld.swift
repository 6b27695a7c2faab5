import CentralCore
import Passages
import SeededRandom
import Time

/// 30 km between 20 and 60 km/h: from half an hour to an hour and a half.
func sampleRoute(
  _ name: String = "Banepa", posts: [String] = ["BNP-A", "BNP-B"], kilometres: Double = 30,
  slowest: Double = 20, fastest: Double = 60
) throws -> Route {
  Route(
    segment: try Segment(
      name: name, distanceKilometres: kilometres, minimumKilometresPerHour: slowest,
      maximumKilometresPerHour: fastest),
    posts: try posts.map { try CheckpostCode($0) })
}

func samplePlaces(_ rules: JudgingRules = JudgingRules()) throws -> JudgedPlaces {
  JudgedPlaces([try sampleRoute()], rules: rules)
}

/// Three posts on one road: the middle one ends both segments.
func roadPlaces(_ rules: JudgingRules = JudgingRules()) throws -> JudgedPlaces {
  JudgedPlaces(
    [
      try sampleRoute(),
      try sampleRoute("Upper", posts: ["BNP-B", "BNP-C"], kilometres: 12, fastest: 50),
    ], rules: rules)
}

let judgedMorning: Int64 = 1_800_000_000

/// A report of a passage so many seconds after the morning.
func sighting(
  _ second: Int64, _ post: String = "BNP-A", plate: String = "BA1PA1234",
  type: VehicleType = .car, suffix: String = "4567", channel: Observation.Channel = .upload,
  isProven: Bool? = nil, identity: ClientID? = nil, ranger: String? = nil, photo: String? = nil,
  received: Int64? = nil, clock: ClockQuality = .unknown, milliseconds: Int64 = 0
) throws -> Observation {
  let time = WallTime(milliseconds: (judgedMorning + second) * 1_000 + milliseconds)
  let passage = try Passage(
    recording: try Plate(plate), vehicleType: type, checkpost: try CheckpostCode(post),
    recordedAt: time, suffix: PhoneSuffix(suffix) ?? .unknown, identity: identity, ranger: ranger,
    photoPath: photo)
  return Observation(
    of: passage, channel: channel, isProven: isProven ?? (channel != .text),
    receivedAt: WallTime(epochSeconds: judgedMorning + (received ?? second)), clock: clock)
}

/// What comes to a centre in some days, in the order of the clock at the posts: rangers who write the same
/// vehicle down, texts of what is uploaded too, retries, and corrections.
struct JudgingWorld {
  enum Arrival: Hashable {
    case observation(Observation)
    case correction(ReceivedCorrection)
  }

  var arrivals: [Arrival] = []
  private var generator: SplitMix64
  private var identity: UInt64 = 0

  /// Many vehicles that travel in all the ways there are, with whole trips.
  static func days(trips: Int, vehicles: Int, seed: UInt64, corrections: Bool = true) throws -> Self
  {
    var world = JudgingWorld(generator: SplitMix64(seed: seed))
    for trip in 0..<trips {
      let plate = "BA1PA\(1_000 + trip % vehicles)"
      let start = Int64(trip / vehicles) * 20 * 3_600 + world.number(0...60_000)
      let ends = world.number(0...1) == 0 ? ["BNP-A", "BNP-B"] : ["BNP-B", "BNP-A"]
      let stay: Int64 =
        switch world.number(0...9) {
        case 0: world.number(600...1_790)
        case 1: world.number(1_797...1_800)
        case 2: world.number(5_400...5_403)
        case 3: world.number(5_500...30_000)
        case 4: world.number(30_000...100_000)
        default: world.number(1_800...5_400)
        }
      if world.number(0...19) > 0 {
        try world.pass(plate, ends[0], start, corrections: corrections)
      }
      if world.number(0...19) > 0 {
        try world.pass(plate, ends[1], start + stay, corrections: corrections)
      }
    }
    return world
  }

  /// A few vehicles so often within so short a time that every window is met from all sides.
  static func crowd(
    passages: Int, step: Int64, seed: UInt64, corrections: Bool = true,
    posts: [String] = ["BNP-A", "BNP-B", "BNP-A", "BNP-B", "LONE"]
  ) throws -> Self {
    var world = JudgingWorld(generator: SplitMix64(seed: seed))
    for _ in 0..<passages {
      try world.pass(
        "BA1PA\(world.number(1...2))", posts[Int(world.number(0...4))], step * world.number(0...30),
        corrections: corrections)
    }
    return world
  }

  private init(generator: SplitMix64) {
    self.generator = generator
  }

  private mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
    Int64.random(in: range, using: &generator)
  }

  private mutating func pass(
    _ plate: String, _ post: String, _ second: Int64, corrections: Bool
  ) throws {
    try write(plate, post, second, suffix: "4567", corrections: corrections)
    if number(0...6) == 0 {
      try write(
        plate, post, second + number(0...75), suffix: "9801", corrections: corrections)
    }
  }

  /// What one ranger writes down, by every channel that it comes by.
  private mutating func write(
    _ plate: String, _ post: String, _ second: Int64, suffix: String, corrections: Bool
  ) throws {
    let type: VehicleType = [.car, .bus, .other, .pickup][Int(number(0...3))]
    identity += 1
    let random = ClientID(random: identity, generator.next())
    let hasRandom = number(0...2) == 0
    let upload = try sighting(
      second, post, plate: plate, type: type, suffix: suffix,
      identity: hasRandom ? random : nil, ranger: number(0...1) == 0 ? "Sita" : nil,
      photo: number(0...3) == 0 ? "photo-\(identity).jpg" : nil,
      received: second + number(1...200_000), clock: number(0...29) == 0 ? .unset : .unknown,
      milliseconds: number(0...999))
    let isUploaded = number(0...9) > 0
    if isUploaded { arrivals.append(.observation(upload)) }
    for _ in 0..<(isUploaded ? number(0...2) : number(1...2)) {
      arrivals.append(
        .observation(
          try sighting(
            second, post, plate: plate, type: type, suffix: suffix, channel: .text,
            received: second + number(1...200_000))))
    }
    if isUploaded, number(0...3) == 0 {
      var again = upload
      again.receivedAt = upload.receivedAt + .seconds(number(0...5_000))
      arrivals.append(.observation(again))
    }
    if isUploaded, corrections, number(0...9) == 0 {
      try correct(upload, second)
    }
  }

  private mutating func correct(_ upload: Observation, _ second: Int64) throws {
    for _ in 0...number(0...1) {
      var correction = ReceivedCorrection(
        of: upload.clientID,
        madeAt: WallTime(epochSeconds: judgedMorning + second + number(10...9_000)))
      switch number(0...4) {
      case 0: correction.plate = try Plate("BA1PA\(number(1...2))")
      case 3: correction.photoPath = ["", "right.jpg", "other.jpg"][Int(number(0...2))]
      case 1: correction.plate = try Plate("BA1PA\(number(1_000...1_009))")
      case 2: correction.vehicleType = .truck
      default:
        correction.recordedAt = upload.recordedAt + .seconds(number(-300...300))
      }
      arrivals.append(.correction(correction))
    }
  }
}

extension [JudgingWorld.Arrival] {
  var observations: [Observation] {
    compactMap { if case .observation(let observation) = $0 { observation } else { nil } }
  }

  var corrections: [ReceivedCorrection] {
    compactMap { if case .correction(let correction) = $0 { correction } else { nil } }
  }
}
