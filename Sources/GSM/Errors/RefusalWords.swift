extension ModemError {
  /// Whether a line refuses a command in plain words instead of by `ERROR`, as the firmware of some
  /// Huawei modules does: `TOO MANY PARAMETERS`, `COMMAND NOT SUPPORT`. Capitals do not matter, nor
  /// does a full stop.
  public static func isRefusal(inWords line: some StringProtocol) -> Bool {
    let bytes = line.utf8
    guard (11...24).contains(bytes.count), let first = bytes.first,
      (0x41...0x5A).contains(first & 0xDF)
    else { return false }
    let words = line.uppercased()
    return refusals.contains(words.hasSuffix(".") ? String(words.dropLast()) : words)
  }

  /// The first two are known from the field; the others say the same.
  private static let refusals: Set<String> = [
    "TOO MANY PARAMETERS", "COMMAND NOT SUPPORT",
    "TOO MANY PARAMETER", "TOO FEW PARAMETERS", "TOO FEW PARAMETER", "COMMAND NOT SUPPORTED",
    "NOT SUPPORT", "NOT SUPPORTED", "OPERATION NOT SUPPORTED", "OPERATION NOT ALLOWED",
    "UNKNOWN COMMAND", "INVALID COMMAND", "INVALID PARAMETER", "INVALID PARAMETERS",
    "PARAMETER ERROR", "SYNTAX ERROR",
  ]
}
