import Testing

@Suite struct ConfigCommandTests {
  @Test func checksWithoutAFile() throws {
    let outcome = try Program.run(["config", "check", "--config", "/dev/null"])
    #expect(outcome.status == 0)
    #expect(outcome.output == "/dev/null: valid\n")
  }

  @Test func listsEveryProblem() throws {
    let files = try ProgramFiles()
    let path = try files.write(
      "checkpost.yaml", "node:\n  chekpost: A\n  fallback_after: soon\n")
    let outcome = try Program.run(["config", "check", "--config", path])
    #expect(outcome.status == 78)
    #expect(outcome.lines.count == 2)
    #expect(
      outcome.lines.first
        == "\(path):2:3: node.chekpost: there is no such setting; did you mean checkpost?")
    #expect(outcome.errors == "checkpost: \(path): 2 problems; correct what is listed\n")
    let json = try Program.run(
      ["config", "check", "--json"], environment: ["CHECKPOST_CONFIG": path])
    #expect(json.status == 78)
    let result = try #require(try json.objects().first)
    #expect(result["valid"] as? Bool == false)
    let problems = try #require(result["problems"] as? [[String: Any]])
    #expect(problems.map { $0["line"] as? Int } == [2, 3])
  }

  // On a machine on which nobody has made them, the service would end at once.
  @Test func whatTheServiceWouldMissIsToldAsWarnings() throws {
    let files = try ProgramFiles()
    let path = try files.write(
      "checkpost.yaml",
      """
      node: {database: \(files.path("data/node.db"))}
      server: {url: "https://a.example"}
      log: {file: \(files.path("log/log.jsonl")), mask_key_file: \(files.path("data/mask.key"))}
      control: {socket: \(files.path("control.sock"))}
      """)
    let outcome = try Program.run(["config", "check", "--config", path])
    #expect(outcome.status == 0)
    #expect(outcome.errorLines.count == 3)
    #expect(outcome.errors.contains("uploading is not built yet"))
    for name in ["data", "log"] {
      #expect(outcome.errors.contains("\(files.path(name)): there is no such directory"))
    }
    let json = try Program.run(["config", "check", "--json", "--config", path]).objects().first
    #expect((json?["warnings"] as? [String])?.count == 3)
    #expect(json?["valid"] as? Bool == true)
  }

  @Test func checksTheSecretsToo() throws {
    let files = try ProgramFiles()
    let key = try files.write("key", "s3cret", permissions: 0o644)
    let path = try files.write("checkpost.yaml", "server: {api_key_file: \(key)}")
    let outcome = try Program.run(["config", "check", "--config", path])
    #expect(outcome.status == 78)
    #expect(outcome.output.contains("is open to every user of this machine; chmod 640 \(key)"))
    #expect(!outcome.output.contains("s3cret"))
  }

  @Test(arguments: [
    ("none.yaml", nil, "no such configuration file"), ("list.yaml", "- a\n", "holds a list"),
    ("broken.yaml", "a: [\n", "not YAML"),
    ("type.yaml", "log:\n  file_count: [1]\n", ":2:15: log.file_count: is a list"),
  ])
  func eachKindOfBadFileHasItsWords(name: String, content: String?, expected: String) throws {
    let files = try ProgramFiles()
    if let content {
      _ = try files.write(name, content)
    }
    let outcome = try Program.run(["log", "--config", files.path(name)])
    #expect(outcome.status == 78)
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.hasPrefix("checkpost: \(files.path(name))"))
    #expect(outcome.errors.contains(expected), "\(outcome.errors)")
  }

  @Test func printsAReferenceThatItReads() throws {
    let reference = try Program.run(["config", "print"])
    #expect(reference.status == 0)
    let files = try ProgramFiles()
    let path = try files.write("checkpost.yaml", reference.output)
    #expect(try Program.run(["config", "check", "--config", path]).status == 0)
  }

  @Test func printsWhereEachSettingComesFrom() throws {
    let files = try ProgramFiles()
    let key = try files.write("key", "s3cret-value")
    let path = try files.write("checkpost.yaml", "server:\n  api_key_file: \(key)\n")
    let environment = ["CHECKPOST_NODE_FALLBACK_AFTER": "1m"]
    let text = try Program.run(
      ["config", "print", "--effective", "--config", path], environment: environment)
    #expect(text.status == 0)
    #expect(text.output.contains("# environment CHECKPOST_NODE_FALLBACK_AFTER"))
    #expect(text.output.contains("# \(path):2; secret ••••••••"))
    #expect(!text.output.contains("s3cret"))
    let json = try Program.run(
      ["config", "print", "--effective", "--json", "--config", path], environment: environment)
    let settings = try json.objects()
    let fallback = try #require(
      settings.first { $0["key"] as? String == "node.fallback_after" })
    #expect(fallback["value"] as? String == "1m")
    #expect(fallback["source"] as? String == "environment CHECKPOST_NODE_FALLBACK_AFTER")
  }

  @Test func warnsOfWhatChangesNothing() throws {
    let outcome = try Program.run(
      ["config", "check", "--config", "/dev/null"], environment: ["CHECKPOST_SERVICE_HOST": "x"])
    #expect(outcome.status == 0)
    #expect(outcome.errors.hasPrefix("checkpost: environment CHECKPOST_SERVICE_HOST"))
  }
}
