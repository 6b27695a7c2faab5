import ArgumentParser

@main struct Checkpost: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "checkpost")
  func run() async throws { print("checkpost") }
}
