import GSM

/// The lines that end a command: final result codes (ITU-T V.250 5.7.1, 3GPP TS 27.007 9, 27.005
/// 3.2.5), and what makers say instead.
enum FinalResult {
  /// How a line ends a command; nil when it does not.
  ///
  /// - Parameter acceptsDigits: whether a bare digit is a result, as before `ATV1`.
  static func ending(_ line: String, acceptsDigits: Bool) -> ATAnswer.Ending? {
    switch line {
    case "OK": return .ok
    case "0" where acceptsDigits: return .ok
    case "ERROR", "ABORTED", "NA": return .failed(line)
    case "4" where acceptsDigits: return .failed("ERROR")
    default:
      // The colon and the number are missing from some.
      let prefixes = ["+CMS ERROR", "+CME ERROR", "+EXT ERROR", "MODEM ERROR"]
      return prefixes.contains { line.hasPrefix($0) } || ModemError.isRefusal(inWords: line)
        ? .failed(line) : nil
    }
  }
}
