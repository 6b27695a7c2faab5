public import Passages

/// A passage as it is typed in one line: `ba1pa1234 c`, `BA 1 PA 1234, car, 18:10`. The plate comes first, then
/// the type by its name or by one or two letters in English or Nepali, then a time, if it was not now.
public struct EntryLine: Hashable, Sendable {
  /// The plate as it was typed.
  public var plate: String
  /// The type as it was typed; nil where it is missing.
  public var type: String?
  /// The time as it was typed; nil for now.
  public var time: String?

  /// Reads a line; nil for an empty one.
  public init?(_ line: String) {
    var words = line.split { $0.isWhitespace || $0 == "," || $0 == ";" }.map(String.init)
    guard !words.isEmpty else { return nil }
    if words.count > 1, let last = words.last, EntryLine.isTime(last) {
      time = last
      words.removeLast()
    }
    // What ends in digits is a plate whose type is missing.
    if words.count > 1, let last = words.last,
      EntryLine.type(last) != nil
        || last.allSatisfy({ !$0.isNumber }) && last.count > 2
    {
      type = last
      words.removeLast()
    }
    plate = words.joined(separator: " ")
  }

  /// `18:10`, `18:10:05`, `2026-11-21T18:10:00Z` or how long ago: `10m`.
  private static func isTime(_ word: String) -> Bool {
    if word.contains(":") { return true }
    guard let unit = word.last, "smh".contains(unit), word.count > 1 else { return false }
    return word.dropLast().allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// The type by its name, its code, or one or two letters of its name in English or Nepali; nil for what is
  /// none of these.
  public static func type(_ text: String) -> VehicleType? {
    let lower = text.lowercased()
    return VehicleType(name: text) ?? types.first { $0.names.contains(lower) }?.type
  }

  /// The short names of a type, the first for the list of them: `c` and `का`.
  public static let types: [(type: VehicleType, names: [String])] = [
    (.car, ["c", "का", "कार"]),
    (.jeepSUV, ["j", "जि", "जी", "जिप", "जीप"]),
    (.minibus, ["mb", "मि", "मिनिबस"]),
    (.bus, ["b", "ब", "बस"]),
    (.truck, ["t", "ट्र", "ट्रक"]),
    (.tanker, ["tk", "ट्या", "ट्यां", "ट्यांकर", "ट्याङ्कर"]),
    (.motorcycle, ["m", "मो", "मोटरसाइकल"]),
    (.autoRickshaw, ["a", "अ", "अटो"]),
    (.tractor, ["tr", "ट्रा", "ट्याक्टर", "ट्र्याक्टर"]),
    (.pickup, ["p", "पि", "पिकअप"]),
    (.van, ["v", "भ्या", "भ्यान"]),
    (.other, ["o", "अन्", "अन्य"]),
  ]
}
