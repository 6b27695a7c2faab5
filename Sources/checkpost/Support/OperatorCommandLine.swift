import ModemSession

extension OperatorCommandLine {
  /// What a final result other than OK means, and what to do. The values of the command are left out: a
  /// PIN may be among them.
  static func words(for final: String, to command: String) -> String {
    let name = command.prefix { $0 != "=" }
    let line = name.count < command.count ? "\(name)=…" : command
    return switch final {
    case "ERROR", "COMMAND NOT SUPPORT":
      "\(line): the modem answers \(final); it does not know the command, or not now (AT+CMEE=2 lets"
        + " some modems say more)"
    case "no answer in time":
      "\(line): no answer in time; wait longer by --timeout, or checkpost modem reset"
    case _ where final.hasPrefix("+CM"):
      "\(line): the modem answers \(final); correct the command, or look at checkpost modem info"
    case "": "\(line): the modem gave no answer; checkpost modem info shows how it stands"
    default: "\(line): \(final); checkpost modem info shows how the modem stands"
    }
  }
}
