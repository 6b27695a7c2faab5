import Testing

/// The same bad value ends every command in the same way.
@Suite(.ownThreads) struct BadOptionTests {
  private let files: ProgramFiles

  init() throws {
    files = try ProgramFiles()
  }

  /// A configuration whose files can be made.
  private func configuration() throws -> String {
    try files.write(
      "checkpost.yaml",
      """
      node: {checkpost: BNP-A, database: \(files.path("node.db"))}
      central: {database: \(files.path("central.db"))}
      log: {file: \(files.path("log.jsonl")), mask_key_file: \(files.path("mask.key"))}
      control: {socket: \(files.path("control.sock"))}
      """)
  }

  @Test(arguments: [
    ["sms", "encode", "--checkpost", "A", "--type", "car", "--plate"],
    ["record", "--type", "car", "--plate"], ["log", "--plate"],
    ["central", "passages", "--plate"],
  ])
  func aPlateThatIsNone(arguments: [String]) throws {
    let settings = arguments[0] == "sms" ? [] : ["--config", try configuration()]
    #expect(try Program.run(arguments + ["BA 日 1"] + settings).status == 64)
  }

  @Test(arguments: [
    ["modem", "send", "--port", "/dev/null"], ["pdu", "encode", "x", "--to"],
    ["simulate", "--number"],
  ])
  func aNumberThatIsNone(arguments: [String]) throws {
    let text = arguments[0] == "modem" ? ["hello"] : []
    #expect(try Program.run(arguments + ["98x"] + text).status == 64)
  }

  @Test(arguments: [
    ["sms", "inbox"], ["central", "passages"], ["central", "inbox", "list"],
  ])
  func aListOfNothing(arguments: [String]) throws {
    for limit in ["0", "-1", "many"] {
      let outcome = try Program.run(
        arguments + ["--limit=\(limit)", "--config", "/dev/null"])
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("--limit"))
    }
  }

  @Test func aTimeoutThatIsNone() throws {
    for timeout in ["0", "301"] {
      let outcome = try Program.run(["modem", "at", "AT", "--timeout", timeout])
      #expect(outcome.status == 64)
    }
  }

  @Test(arguments: [
    ["record", "--file"], ["central", "import", "--posts"], ["simulate", "--script"],
    ["demo", "--examples"],
  ])
  func aFileThatIsNotThere(arguments: [String]) throws {
    let settings =
      ["record", "central"].contains(arguments[0])
      ? ["--config", try configuration()] : []
    #expect(try Program.run(arguments + ["/nonexistent/file"] + settings).status == 74)
  }
}
