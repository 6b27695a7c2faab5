import Passages
import Time

/// Passages as they come at a post, each another.
enum PassageSamples {
  /// A moment that the values lie after.
  static let epoch: Int64 = 1_790_000_000

  /// The passage with this number, identified by its content.
  ///
  /// - Parameter moment: its own time; without one, as many seconds after ``epoch`` as its number.
  static func passage(_ number: Int, at moment: WallTime? = nil) throws -> Passage {
    let types = VehicleType.allCases
    var digits = String(number % 10_000)
    digits = String(repeating: "0", count: 4 - digits.utf8.count) + digits
    guard let suffix = PhoneSuffix("4567") else { throw Failure("4567 is a suffix") }
    return try Passage(
      recording: Plate("BA \(number / 10_000 % 90 + 10) PA \(digits)"),
      vehicleType: types[number % types.count],
      checkpost: CheckpostCode(number % 2 == 0 ? "BNP-A" : "BNP-B"),
      recordedAt: moment ?? WallTime(epochSeconds: epoch + Int64(number)), suffix: suffix)
  }

  /// The same passage under an identity that sorts by its number: a million of them are written
  /// quickly, since each goes to the end of its index.
  static func ordered(_ number: Int, like passage: Passage) throws -> Passage {
    var passage = passage
    let digits = String(number, radix: 16)
    let tail = String(repeating: "0", count: 12 - digits.utf8.count) + digits
    guard let identity = ClientID("00000000-0000-4000-8000-" + tail) else {
      throw Failure("\(tail) makes no identity")
    }
    passage.clientID = identity
    passage.contentClientID = identity
    return passage
  }
}
