/// A manual page that is being written, in the man macros that `man` has everywhere.
struct ManualPage {
  /// The name of its file: `checkpost-queue.1`.
  let fileName: String
  /// What was written so far.
  private(set) var text: String

  /// A page with its title and its name.
  ///
  /// - Parameter abstract: What it is about, in one line.
  init(_ name: String, section: Int, version: String, abstract: String) {
    fileName = "\(name).\(section)"
    text =
      ".TH \"\(name.uppercased())\" \"\(section)\" \"\" \"checkpost \(version)\" \"checkpost\"\n"
      + ".nh\n.ad l\n"
    heading("NAME")
    var summary = abstract
    while summary.hasSuffix(".") { summary.removeLast() }
    text += "\(ManualPage.escaped(name)) \\- \(ManualPage.escaped(summary))\n"
  }

  /// Begins a section.
  mutating func heading(_ words: String) {
    text += ".SH \"\(ManualPage.escaped(words))\"\n"
  }

  /// Begins a part of a section.
  mutating func subheading(_ words: String) {
    text += ".SS \"\(ManualPage.escaped(words))\"\n"
  }

  /// Paragraphs with empty lines between them; indented lines stay as they are.
  ///
  /// - Parameter goesOn: Whether a paragraph stands before them.
  mutating func prose(_ words: String, goesOn: Bool = false) {
    var isVerbatim = false
    var isAtStart = true
    if goesOn { text += ".PP\n" }
    for line in words.split(separator: "\n", omittingEmptySubsequences: false) {
      let wantsVerbatim = line.hasPrefix("  ") || (isVerbatim && line.isEmpty)
      if wantsVerbatim != isVerbatim {
        text += wantsVerbatim ? ".nf\n" : ".fi\n"
        isVerbatim = wantsVerbatim
      }
      if line.isEmpty {
        if isVerbatim {
          text += "\n"
        } else if !isAtStart {
          text += ".PP\n"
        }
        continue
      }
      isAtStart = false
      text += ManualPage.safe(ManualPage.escaped(String(line))) + "\n"
    }
    if isVerbatim { text += ".fi\n" }
  }

  /// A term, and below it what it means.
  mutating func entry(_ term: String, _ words: String) {
    text += ".TP\n\\fB\(ManualPage.escaped(term))\\fR\n"
    text += ManualPage.safe(ManualPage.escaped(words.isEmpty ? "-" : words)) + "\n"
  }

  /// Lines that stay as they are.
  mutating func verbatim(_ lines: some Sequence<some StringProtocol>) {
    text += ".nf\n"
    for line in lines { text += ManualPage.safe(ManualPage.escaped(String(line))) + "\n" }
    text += ".fi\n"
  }

  /// The synopsis of a command, after others or the first.
  mutating func synopsis(_ command: CommandDescription, isFirst: Bool = false) {
    var words = "\\fB\(ManualPage.escaped(command.path))\\fR"
    if !command.subcommands.isEmpty { words += " \\fIsubcommand\\fR" }
    for argument in command.ownArguments {
      words += " " + ManualPage.synopsis(argument)
    }
    text += (isFirst ? "" : ".PP\n") + words + "\n"
  }

  private static func synopsis(_ argument: CommandDescription.Argument) -> String {
    let value = "\\fI\(escaped(argument.valueName))\\fR"
    let name = argument.names.last { $0.hasPrefix("--") } ?? argument.names.first
    let form =
      switch argument.kind {
      case .positional: value
      case .flag: "\\fB\(escaped(name ?? ""))\\fR"
      case .option: "\\fB\(escaped(name ?? ""))\\fR \(value)"
      }
    let whole = argument.isOptional ? "[\(form)]" : form
    return argument.isRepeating ? "\(whole) .\\|.\\|." : whole
  }

  /// What the arguments of a command mean.
  mutating func options(of command: CommandDescription) {
    for argument in command.parents.isEmpty ? command.arguments : command.ownArguments {
      var term = argument.names.joined(separator: ", ")
      switch argument.kind {
      case .positional: term = argument.valueName
      case .option: term += " \(argument.valueName)"
      case .flag: break
      }
      var words = argument.words
      if !argument.values.isEmpty { words += " One of \(argument.values.joined(separator: ", "))." }
      if let value = argument.defaultValue, !value.isEmpty, argument.kind != .flag {
        words += " Default: \(value)."
      }
      entry(term, words)
    }
  }

  /// A text in which the formatter obeys nothing, and hyphens stay what was typed.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "\"": escaped += "\\(dq"
      case "'": escaped += "\\(aq"
      case "`": escaped += "\\(ga"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      default: escaped.append(character)
      }
    }
    return escaped
  }

  /// A line that is no request.
  private static func safe(_ line: String) -> String {
    line.hasPrefix(".") ? "\\&" + line : line
  }
}
