/// What a modem complains of by itself.
public enum ModemTrouble: String, CaseIterable, Hashable, Sendable {
  /// Its supply is too low or too high.
  case supply
  /// It is too hot or too cold.
  case temperature
  /// It switches itself off.
  case powerDown = "power_down"

  /// Whether a line complains of the voltage: `UNDER-VOLTAGE WARNNING`. Some write `UNDER_VOLTAGE`, and
  /// the warning in two ways.
  static func isVoltage(_ line: String) -> Bool {
    (line.hasPrefix("UNDER") || line.hasPrefix("OVER"))
      && line.dropFirst(4).prefix(10).contains("VOLTAGE")
  }
}
