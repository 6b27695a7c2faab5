/// How a maker's modem is told which access technologies it may use, and how that is read first, so that
/// it can be put back.
public struct AccessSwitch: Hashable, Sendable {
  /// What tells the setting: `AT+CNMP?`.
  public let query: String
  /// What changes it, up to its values: `AT+CNMP=`.
  public let command: String
  /// Which value of the answer is the first of the setting.
  public let first: Int
  /// How many values choose the technology; what stands behind them is kept as it was.
  public let count: Int
  /// What stands behind all values of a change.
  public let suffix: String
  /// The values for one technology alone.
  public let values: [AccessTechnology: String]

  init(
    _ query: String, _ command: String, _ values: [AccessTechnology: String], first: Int = 0,
    count: Int = 1, suffix: String = ""
  ) {
    self.query = query
    self.command = command
    self.first = first
    self.count = count
    self.suffix = suffix
    self.values = values
  }

  /// The command that makes the setting what the answer to ``query`` says; nil when it says nothing.
  func putBack(_ answer: some StringProtocol) -> String? {
    let kept = fields(of: answer).dropFirst(first)
    guard kept.first.map({ !$0.isEmpty }) ?? false else { return nil }
    return command + kept.joined(separator: ",") + suffix
  }

  /// The command that leaves a technology alone, with all else as the answer to ``query`` says.
  func leave(_ technology: AccessTechnology, _ answer: some StringProtocol) -> String? {
    guard let value = values[technology] else { return nil }
    let rest = fields(of: answer).dropFirst(first + count)
    return command + ([value] + rest).joined(separator: ",") + suffix
  }

  /// The values as they stand there, quotes and all.
  private func fields(of answer: some StringProtocol) -> [String] {
    answer.split(separator: ",", maxSplits: 32, omittingEmptySubsequences: false).map {
      String($0.filter { $0 != " " && $0 != "\r" })
    }
  }

  /// SIM7000, SIM7600, A76xx: AT+CNMP.
  static let simcom = AccessSwitch(
    "AT+CNMP?", "AT+CNMP=", [.gsm: "13", .umts: "14", .lte: "38"])
  /// EC2x, EG9x, BG9x: the third value has it take effect at once.
  static let quectel = AccessSwitch(
    "AT+QCFG=\"nwscanmode\"", "AT+QCFG=\"nwscanmode\",", [.gsm: "1", .umts: "2", .lte: "3"],
    first: 1, suffix: ",1")
  /// Sticks: mode and order of acquisition, then bands, roaming and domain, which stay.
  static let huawei = AccessSwitch(
    "AT^SYSCFG?", "AT^SYSCFG=", [.gsm: "13,1", .umts: "14,2"], count: 2)
  /// Sticks with LTE refuse the one above, or do not: the older is asked first.
  static let huaweiLTE = AccessSwitch(
    "AT^SYSCFGEX?", "AT^SYSCFGEX=", [.gsm: "\"01\"", .umts: "\"02\"", .lte: "\"03\""],
    suffix: ",,")
  /// ZTE's sticks.
  static let zte = AccessSwitch("AT+ZSNT?", "AT+ZSNT=", [.gsm: "1", .umts: "2", .lte: "6"])
  /// All of them: no other command is ever put back.
  static let all = [simcom, quectel, huawei, huaweiLTE, zte, standard]

  /// The standard's own (3GPP TS 27.007 5.9), which few have.
  static let standard = AccessSwitch(
    "AT+WS46?", "AT+WS46=", [.gsm: "12", .umts: "22", .lte: "28"])
}
