/// Finds what a misspelt name was meant to be.
enum Spelling {
  /// The one of `names` that is closest to `name`, if it is close enough to be worth naming.
  static func closest(to name: String, among names: [String]) -> String? {
    let bytes = Array(name.utf8.prefix(64))
    let ranked = names.map { (name: $0, distance: distance(bytes, Array($0.utf8))) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, bytes.count / 3) ? best.name : nil
  }

  /// How many letters must be put in, taken out or changed to make one of the other.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var previous = Array(0...right.count)
    for (row, byte) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        let change = previous[column] + (byte == other ? 0 : 1)
        current.append(min(change, previous[column + 1] + 1, current[column] + 1))
      }
      previous = current
    }
    return previous[right.count]
  }
}
