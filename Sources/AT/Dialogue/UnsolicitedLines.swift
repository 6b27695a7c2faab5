/// What makers' modems tell by themselves, as data: the lines by which each thing is told.
///
/// The results of the standards are known without it, and so are those that only start with one of the
/// marks of makers (`^`, `*`, `%`, `$`, `#`, `&`) and tell nothing of use.
public struct UnsolicitedLines: Hashable, Sendable {
  /// What a result with a name may tell.
  public enum Rule: Hashable, Sendable {
    /// The strength of the signal, as `+CSQ` counts it.
    case signal
    /// The network's time.
    case networkTime
    /// A storage of messages is full.
    case storageFull
    /// A storage of messages is full where the first value is a number other than 0.
    case storageFullUnlessZero
    /// A storage of messages is full where the first value is `smsfull`, or the number of the indicator of
    /// that name, and the second is not 0.
    case storageFullEvent
    /// Messages can be asked for where the value, without quotes, begins with one of these.
    case messagesReady([String])
    /// The modem complains.
    case trouble(ModemTrouble)
    /// The modem complains where the value at this place is a number other than 0.
    case troubleUnlessZero(ModemTrouble, at: Int)
    /// The modem complains where the value begins with one of these.
    case troubleBeginning(ModemTrouble, with: [String])
    /// Nothing that matters here.
    case noise
  }

  /// How lines begin that tell of a restart: `RDY`.
  public var restarts: [String] = []
  /// How lines begin that come in the course of a start, up to half a minute after it: `Call Ready`.
  public var starts: [String] = []
  /// How lines begin that tell that messages can be asked for: `SMS Ready`.
  public var messagesReady: [String] = []
  /// Results by what stands before their colon: `^RSSI`. The first rule that fits holds.
  public var named: [String: [Rule]] = [:]
  /// Lines without a mark that tell nothing of use: `VOICE CALL`.
  public var noise: [String] = []

  /// The modem's indicators in the order in which `+CIEV` counts them, from 1 on; empty while they are unknown.
  public var indicators: [String] = []

  /// No lines.
  public init() {}

  /// Results with these names tell nothing of use. Only those with a `+` have to be named.
  public mutating func ignore(_ names: String...) {
    for name in names { named[name, default: []].append(.noise) }
  }

  /// Both together: a modem is listened to before its maker is known.
  public func merged(with other: UnsolicitedLines) -> UnsolicitedLines {
    var lines = self
    lines.restarts += other.restarts.filter { !restarts.contains($0) }
    lines.starts += other.starts.filter { !starts.contains($0) }
    lines.messagesReady += other.messagesReady.filter { !messagesReady.contains($0) }
    lines.named.merge(other.named) { mine, theirs in
      let rules = mine + theirs.filter { !mine.contains($0) }
      return rules.filter { $0 != .noise } + rules.filter { $0 == .noise }.prefix(1)
    }
    lines.noise += other.noise.filter { !noise.contains($0) }
    if indicators.isEmpty { lines.indicators = other.indicators }
    return lines
  }

  /// The lines that the standards have, and those of many makers on the same chips.
  public static let common: UnsolicitedLines = {
    var lines = UnsolicitedLines()
    lines.restarts = ["RDY", "MODEM:STARTUP", "+SYSSTART"]
    lines.starts = ["Call Ready", "PB DONE", "+CFUN: 1"]
    lines.messagesReady = ["SMS Ready", "SMS DONE"]
    for name in ["+CTZE", "+CTZV", "+CTZEU", "+NITZ"] { lines.named[name] = [.networkTime] }
    for name in ["POWERED DOWN", "NORMAL POWER DOWN"] { lines.named[name] = [.trouble(.powerDown)] }
    lines.named["+CIEV"] = [.storageFullEvent, .noise]
    for name in ["+SMS FULL", "+SMSFULL", "SMS FULL", "+CMSFULL", "^SMMEMFULL"] {
      lines.named[name] = [.storageFull]
    }
    lines.ignore(
      "+CMT", "+CDS", "+CBM", "+CBMI", "+CUSD", "+CRING", "+CLIP", "+CTZDST", "+CCWA", "+CSSI",
      "+CSSU", "+CGEV", "+CGREGURC", "+CFUN", "+COPN", "+XCALLSTAT", "+ECIND", "+EIND", "+CPI",
      "+CIREPI", "+CIREPH", "+CMGSI")
    lines.noise = [
      "RING", "NO CARRIER", "BUSY", "NO ANSWER", "NO DIALTONE", "NO DIAL TONE", "VOICE CALL",
      "MISSED_CALL", "OPERATOR",
    ]
    return lines
  }()
}
