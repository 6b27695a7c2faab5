import Foundation
import Testing

@Suite(.ownThreads) struct ConfigCommandTests {
  private static let node = [
    "CHECKPOST_ROLES_NODE": "true", "CHECKPOST_NODE_CHECKPOST": "BNP-A",
  ]

  @Test func checksAnEmptyFile() throws {
    let outcome = try Program.run(
      ["config", "check", "--config", "/dev/null"], environment: Self.node)
    #expect(outcome.status == 0)
    #expect(outcome.output == "/dev/null: valid\n")
  }

  // `run` does not start with it, and `doctor` calls it bad: all three say so in the same words.
  @Test func settingsWithoutARoleAreNoServices() throws {
    let files = try ProgramFiles()
    let path = try files.write("checkpost.yaml", "log: {file: null, mask_key_file: null}\n")
    let words = "\(path): roles: no role is enabled, so there is nothing to run"
    let check = try Program.run(["config", "check", "--config", path])
    #expect(check.status == 78)
    #expect(check.output == "\(words); set roles.node or roles.central to true\n")
    let run = try Program.run(["run", "--config", path])
    #expect(run.status == 78)
    #expect(run.errors.contains(words))
    let doctor = try Program.run(["doctor", "--json", "--config", path]).objects()
    let finding = doctor.first { $0["check"] as? String == "settings" }
    #expect(finding?["state"] as? String == "bad")
    #expect(finding?["words"] as? String == words)
    #expect(finding?["remedy"] as? String == "set roles.node or roles.central to true")
  }

  // A PIN file that anybody may read: `run` refuses it, so whoever checks has to say so.
  @Test(arguments: [
    "modem: {port: /dev/null, pin_file: PIN}",
    "modems: [{name: a, port: /dev/null, pin_file: PIN}]",
  ])
  func aPINFileThatAnybodyMayReadIsToldByAll(modem: String) throws {
    let files = try ProgramFiles()
    let pin = try files.write("pin", "1234", permissions: 0o644)
    let path = try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(files.path("node.db")), gateway: "+9779801000002"}
      log: {file: null, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      \(modem.replacingOccurrences(of: "PIN", with: pin))
      """)
    let words = "\(pin) is open to every user of this machine"
    for command in [["config", "check"], ["run"]] {
      let outcome = try Program.run(command + ["--config", path])
      #expect(outcome.status == 78, "\(command)")
      #expect((outcome.output + outcome.errors).contains("\(words); chmod 640 \(pin)"))
    }
    let doctor = try Program.run(["doctor", "--json", "--config", path]).objects()
    let finding = doctor.first { $0["check"] as? String == "settings" }
    #expect(finding?["state"] as? String == "bad")
    #expect((finding?["words"] as? String)?.contains(words) == true)
    let status = try Program.run(["status", "--json", "--config", path]).objects().first
    let problems = status?["problems"] as? [[String: Any]] ?? []
    #expect(problems.contains { $0["name"] as? String == "secret_unusable" })
  }

  // A secret of the role that this machine has not is none of its service's business.
  @Test func aSecretOfTheOtherRoleIsNotLookedAt() throws {
    let files = try ProgramFiles()
    let pin = try files.write("pin", "1234", permissions: 0o644)
    let path = try files.write("checkpost.yaml", "central: {modem: {pin_file: \(pin)}}\n")
    let outcome = try Program.run(["config", "check", "--config", path], environment: Self.node)
    #expect(outcome.status == 0, "\(outcome.output)")
  }

  // What keeps texts from leaving keeps no service from starting.
  @Test func whatANodeLacksToSendIsToldAsWarnings() throws {
    let outcome = try Program.run(
      ["config", "check", "--json", "--config", "/dev/null"], environment: Self.node)
    let warnings = try #require(try outcome.objects().first?["warnings"] as? [String])
    for key in ["modem.port", "node.gateway"] {
      #expect(warnings.contains { $0.contains("(\(key))") && $0.contains("no text can leave") })
    }
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
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(files.path("data/node.db")), gateway: "+9779801000002"}
      modem: {port: auto}
      server: {url: "http://a.example"}
      log: {file: \(files.path("log/log.jsonl")), mask_key_file: \(files.path("data/mask.key"))}
      control: {socket: \(files.path("control.sock"))}
      """)
    let outcome = try Program.run(["config", "check", "--config", path])
    #expect(outcome.status == 0)
    #expect(outcome.errorLines.count == 3)
    #expect(outcome.errors.contains("server.url goes without TLS"))
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
    let check = try Program.run(["config", "check", "--config", path], environment: Self.node)
    #expect(check.status == 0)
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
      ["config", "check", "--config", "/dev/null"],
      environment: Self.node.merging(["CHECKPOST_SERVICE_HOST": "x"]) { $1 })
    #expect(outcome.status == 0)
    #expect(outcome.errors.hasPrefix("checkpost: environment CHECKPOST_SERVICE_HOST"))
  }
}
