/// What a modem complains of by itself.
public enum ModemTrouble: String, CaseIterable, Hashable, Sendable {
  /// Its supply is too low or too high.
  case supply
  /// It is too hot or too cold.
  case temperature
  /// It switches itself off.
  case powerDown = "power_down"

  /// What a line complains of; nil when it complains of nothing.
  ///
  /// - Parameters:
  ///   - line: the whole line.
  ///   - name: what stands before its colon.
  ///   - value: what stands behind it, without leading blanks.
  init?(line: String, name: Substring, value: Substring) {
    switch name {
    // SIMCom, critical temperature: 0 is normal.
    case "+CMTE": self.init(.temperature, when: Parameters(value).integer(0))
    // Cinterion, board temperature: 0 is normal.
    case "^SCTM_B": self.init(.temperature, when: Parameters(value).integer(0))
    // u-blox, smart temperature supervisor: mode, event, of which 0 is inside the range.
    case "+UUSTS": self.init(.temperature, when: Parameters(value).integer(1))
    case "^SBC" where value.hasPrefix("Undervoltage") || value.hasPrefix("Overvoltage"):
      self = .supply
    case "^SHUTDOWN", "NORMAL POWER DOWN", "POWERED DOWN": self = .powerDown
    default:
      // Some write `UNDER_VOLTAGE`, and the warning in two ways.
      guard line.hasPrefix("UNDER") || line.hasPrefix("OVER"),
        line.dropFirst(4).prefix(10).contains("VOLTAGE")
      else { return nil }
      self = .supply
    }
  }

  private init?(_ trouble: ModemTrouble, when state: Int?) {
    guard let state, state != 0 else { return nil }
    self = trouble
  }
}

extension Unsolicited {
  /// Whether a result says that a storage of messages is full: `+QIND: "smsfull","SM"` (Quectel),
  /// `+CIEV: "smsfull",1` (Cinterion, SIMCom), where 0 says that it is not.
  static func isFullStorage(name: Substring, value: Substring) -> Bool {
    guard name == "+QIND" || name == "+CIEV" else { return false }
    let fields = Parameters(value)
    return fields.text(0)?.lowercased() == "smsfull" && fields.integer(1) != 0
  }

  /// Whether a line has the form of a result with a name: a mark, capital letters and digits, and
  /// nothing more or a colon. Bare text never has.
  static func hasName(_ line: String) -> Bool {
    guard let mark = line.utf8.first, "+^*%$#&_!@".utf8.contains(mark) else { return false }
    let name = line.utf8.dropFirst().prefix {
      (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_")
    }
    guard name.count > 1, let first = name.first, (0x41...0x5A).contains(first) else {
      return false
    }
    let rest = line.utf8[name.endIndex...].drop { $0 == 0x20 }
    return rest.isEmpty || rest.first == UInt8(ascii: ":")
  }
}
