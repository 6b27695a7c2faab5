/// A measured stretch of road between two posts, and how fast one may and should travel on it.
public struct Segment: Hashable, Sendable {
  /// What people call it.
  public var name: String
  /// Its length in metres; more than zero.
  public var distanceMetres: Int64
  /// The speed limit, in metres an hour: faster is speeding.
  public var maximumMetresPerHour: Int64
  /// The slowest travel that is not an overstay, in metres an hour.
  public var minimumMetresPerHour: Int64
  /// What held before, from the first to the last; none where these numbers always held.
  public var earlier: [EarlierLimits] = []

  /// A segment, with its numbers checked.
  ///
  /// - Throws: `SegmentError` that names the number that is wrong.
  public init(
    name: String, distanceKilometres: Double, minimumKilometresPerHour: Double,
    maximumKilometresPerHour: Double
  ) throws(SegmentError) {
    self.name = name
    distanceMetres = try Segment.thousandths(distanceKilometres, of: .distance)
    minimumMetresPerHour = try Segment.thousandths(minimumKilometresPerHour, of: .minimumSpeed)
    maximumMetresPerHour = try Segment.thousandths(maximumKilometresPerHour, of: .maximumSpeed)
    guard minimumMetresPerHour < maximumMetresPerHour else {
      throw .minimumNotBelowMaximum
    }
  }

  /// Whole metres of kilometres, so that what follows is exact.
  private static func thousandths(_ value: Double, of number: SegmentError.Number)
    throws(SegmentError) -> Int64
  {
    guard value.isFinite, value * 1_000 >= 1, value <= number.largest else {
      throw .outOfRange(number)
    }
    return Int64((value * 1_000).rounded())
  }
}

/// What is wrong with the numbers of a segment.
public enum SegmentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A number of a segment.
  public enum Number: String, Sendable {
    /// Its length in kilometres, below 10,000.
    case distance = "distance_km"
    /// Its lowest speed in kilometres an hour, below 1,000.
    case minimumSpeed = "min_speed_kmh"
    /// Its highest speed in kilometres an hour, below 1,000.
    case maximumSpeed = "max_speed_kmh"

    var largest: Double { self == .distance ? 10_000 : 1_000 }
  }

  /// The number is not above zero, or too large to be meant.
  case outOfRange(Number)
  /// The lowest speed is not below the highest.
  case minimumNotBelowMaximum

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .outOfRange(let number):
      "\(number.rawValue) has to be above 0 and below \(Int(number.largest))"
    case .minimumNotBelowMaximum:
      "min_speed_kmh has to be below max_speed_kmh"
    }
  }
}
