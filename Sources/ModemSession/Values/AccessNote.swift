import ModemMakers

/// What puts a modem's choice of access technologies back, remembered over restarts of the program: a
/// modem keeps the choice itself.
public struct AccessNote: Hashable, Sendable {
  /// The modem's own number; nil when it does not tell it.
  public var imei: String?
  /// The command that makes the setting what it was.
  public var putBack: String

  /// A note of a modem and a command.
  public init(imei: String?, putBack: String) {
    self.imei = imei
    self.putBack = putBack
  }

  /// Reads what ``text`` wrote; nil when it is anything else, above all any command but those that are
  /// used here.
  public init?(text: String) {
    let line = text.prefix { $0 != "\n" }
    guard line.utf8.count <= Limits.accessNoteBytes, let blank = line.firstIndex(of: " ") else {
      return nil
    }
    let command = String(line[line.index(after: blank)...])
    guard MakerList.known.accessSwitches.contains(where: { command.hasPrefix($0.command) }),
      command.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ";") })
    else { return nil }
    imei = line[..<blank] == "-" ? nil : String(line[..<blank])
    putBack = command
  }

  /// The note as a line of text.
  public var text: String { "\(imei ?? "-") \(putBack)\n" }
}
