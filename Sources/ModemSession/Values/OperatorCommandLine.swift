/// A command line that an operator wants written to a modem.
public enum OperatorCommandLine {
  /// Commands after which a modem waits for a message instead of answering, wherever in the line.
  private static let askForMessage = ["+CMGS", "+CMGW", "+CNMA", "+CMGC"]

  /// Why a line is not written; nil when it may be.
  public static func refusal(of line: String) -> String? {
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
}
