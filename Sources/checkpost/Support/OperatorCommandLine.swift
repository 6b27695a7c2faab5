/// What an operator may write to a modem, and what a bad answer to it means.
enum OperatorCommandLine {
  /// Commands after which a modem waits for a message instead of answering, wherever in the line.
  private static let askForMessage = ["+CMGS", "+CMGW", "+CNMA", "+CMGC"]

  /// Why a line is not written; nil when it may be.
  static func refusal(of line: String) -> String? {
    let upper = line.uppercased()
    guard upper.hasPrefix("AT"), upper.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      return "a command line starts with AT and has only characters that print"
    }
    let squeezed = upper.filter { $0 != " " }
    guard !askForMessage.contains(where: { squeezed.contains("\($0)=") || squeezed.hasSuffix($0) })
    else {
      return "it would wait for a message; use checkpost modem send"
    }
    return nil
  }

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
