import ArgumentParser
import GSM

/// `checkpost pdu`: short messages as modems carry them.
struct PDUCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pdu", abstract: "Make and read the PDUs of short messages.",
    subcommands: [PDUEncode.self, PDUDecode.self])
}
