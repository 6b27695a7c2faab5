import ArgumentParser

/// `checkpost sms`: passages as V1 text messages.
struct SMSCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sms",
    abstract: "Make and read the V1 text messages of passages, and see what came in.",
    subcommands: [SMSEncode.self, SMSDecode.self, SMSInbox.self])
}
