import ArgumentParser
import Control
import EventLoop
import Glibc

/// `help TOPIC`, `help topics` and `help man --directory PATH`: what the parser's own `help COMMAND` does
/// not know.
enum HelpRequest: Hashable {
  case topics
  case topic(HelpTopic)
  case manual(directory: String)
  /// Help on what is neither a command nor a topic.
  case unknown(String)

  /// The request that these arguments are; nil when they are another one.
  init?(_ arguments: some Collection<String>) {
    let words = Array(arguments)
    guard words.first == "help" else { return nil }
    if words.count == 2, words[1] == "topics" {
      self = .topics
    } else if words.count == 2, let topic = HelpTopic(rawValue: words[1]) {
      self = .topic(topic)
    } else if words.count == 4, words[1] == "man", words[2] == "--directory" {
      self = .manual(directory: words[3])
    } else if words.count > 1, !words[1].hasPrefix("-"), !HelpRequest.commands.contains(words[1]) {
      self = .unknown(words[1])
    } else {
      return nil
    }
  }

  private static let commands: Set<String> = Set(
    Checkpost.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"])

  /// Writes it to standard output, or the manual into its directory.
  func answer() throws {
    let out = StandardOutput()
    switch self {
    case .topics:
      for topic in HelpTopic.allCases {
        let name = topic.rawValue
        let space = String(repeating: " ", count: max(1, 14 - name.count))
        try out.line("checkpost help \(name)\(space)\(topic.words)")
      }
      try out.line("checkpost help man --directory PATH  writes the manual pages there")
    case .topic(let topic):
      try out.lines(topic.lines(isColoured: Terminal.showsColours(STDOUT_FILENO)))
    case .unknown("man"):
      throw CommandFailure(
        .usage, "help man: name a directory by --directory PATH, and nothing else")
    case .unknown(let name):
      throw CommandFailure(
        .usage,
        "help \(name): there is no such command or topic; see `checkpost help` and `checkpost"
          + " help topics`")
    case .manual(let directory):
      for page in try ManualPages.all() {
        try out.line(try HelpRequest.write(page, into: directory))
      }
    }
    try out.flush()
  }

  private static func write(_ page: ManualPage, into directory: String) throws(CommandFailure)
    -> String
  {
    let path = "\(directory)/\(page.fileName)"
    if mkdir(directory, 0o755) != 0, errno != EEXIST {
      throw CommandFailure(
        .inputOutput, "\(directory): \(systemMessage(errno)); name a directory that can be made")
    }
    let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard number >= 0 else {
      throw CommandFailure(
        .inputOutput, "\(path): \(systemMessage(errno)); name a directory that can be written")
    }
    let descriptor = Descriptor(owning: number)
    defer { descriptor.close() }
    var rest = Array(page.text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw CommandFailure(.inputOutput, "\(path): \(systemMessage(errno)); make room for it")
      }
      rest = rest.dropFirst(count)
    }
    return path
  }
}
