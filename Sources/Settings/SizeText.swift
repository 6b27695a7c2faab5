/// Sizes of files as people write them: `512KB`, `10MB`, `1GB`, in powers of 1,024.
enum SizeText {
  private static let units: [(name: String, bytes: Int)] = [
    ("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10), ("B", 1),
  ]

  /// Reads a whole number with its unit; a number without one is nil.
  static func parse(_ text: some StringProtocol) -> Int? {
    guard let unit = units.first(where: { text.hasSuffix($0.name) }) else { return nil }
    let digits = text.dropLast(unit.name.count)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(digits)
    else {
      return nil
    }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: unit.bytes)
    return overflow ? nil : bytes
  }

  /// Writes a size in the largest unit in which it is whole.
  static func format(_ bytes: Int) -> String {
    let unit = units.first { bytes >= $0.bytes && bytes % $0.bytes == 0 } ?? ("B", 1)
    return "\(bytes / unit.bytes)\(unit.name)"
  }
}
