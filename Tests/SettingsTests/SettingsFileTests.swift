import Events
import SeededRandom
import TestSupport
import Testing

@testable import Settings

@Suite struct SettingsFileTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func load(_ yaml: String) throws(SettingsError) -> LoadedSettings {
    let path = directory.file("checkpost.yaml")
    do {
      try directory.write("checkpost.yaml", yaml)
    } catch {
      throw .missing(path: path)
    }
    return try LoadedSettings.load(path: path, environment: [:])
  }

  @Test func aKeyThatStandsThereTwiceIsShownWhereItIsRepeated() {
    let yaml = "roles: {node: false}\nnode:\n  checkpost: A\n  sms: {}\n  checkpost: B\n"
    #expect(
      problems(yaml).first?.hasPrefix("checkpost.yaml:5:3: not YAML: checkpost stands") == true)
  }

  // A password in a URL would be printed with the settings; and an error must not print it either.
  @Test func aURLHoldsNoPassword() {
    for yaml in [
      "server: {url: \"https://user:hunter2@a.example\"}",
      "central: {twilio: {public_urls: [\"https://user:hunter2@a.example/x\"]}}",
    ] {
      let found = problems(yaml)
      #expect(found.count == 1)
      #expect(found.first?.contains("without a user or a password") == true)
      #expect(found.first?.contains("hunter2") == false)
    }
    #expect(problems("server: {url: \"https://a.example/x@y\"}").isEmpty)
  }

  /// A port that no machine has is said when the file is read, and not once nothing can be asked.
  @Test(arguments: [
    ("a.example:8443/x", true), ("[2001:db8::1]", true), ("[2001:db8::1]:65535", true),
    ("a.example:", true), ("a.example:65536", false), ("127.0.0.1:191100", false),
    ("a.example:0", false), ("a.example:80a", false), ("[2001:db8::1]:65536", false),
  ])
  func aPortIsOneThatMachinesHave(rest: String, isAllowed: Bool) {
    for key in ["url", "proxy"] {
      #expect(problems("server: {\(key): \"https://\(rest)\"}").isEmpty == isAllowed)
    }
  }

  /// A name would be compared with addresses, and never be one.
  @Test func aProxyIsAnAddress() {
    let found = problems("central: {http: {proxies: [proxy.example]}}")
    #expect(found.count == 1)
    #expect(found.first?.contains("an IPv4 or IPv6 address") == true)
    #expect(problems("central: {http: {proxies: [\"2001:db8::1\", 192.0.2.1]}}").isEmpty)
    #expect(problems("central: {http: {proxies: []}}").isEmpty)
  }

  private func problems(_ yaml: String) -> [String] {
    do {
      _ = try load(yaml)
      return []
    } catch {
      return error.lines.map { $0.replacing(directory.path + "/", with: "") }
    }
  }

  @Test func takesWhatItSays() throws {
    let loaded = try load(
      """
      # a comment
      roles:
        node: true
      node:
        checkpost: BNP-A
        gateway: +9779801234567
        fallback_after: 10m
        identity: random
        sms: {per_day: 50, validity: 2d}
      modem:
        port: /dev/serial/by-id/usb-HUAWEI
      log:
        level: debug
        file_size: 1MB
      """)
    let settings = loaded.settings
    #expect(settings.roles.node && !settings.roles.central)
    #expect(settings.node.checkpost == "BNP-A")
    #expect(settings.node.gateways == ["+9779801234567"])
    #expect(settings.node.fallbackAfter == .seconds(600))
    #expect(settings.node.identity == .random)
    #expect(settings.node.sms.perDay == 50)
    #expect(settings.node.sms.perMinute == 15)
    #expect(settings.node.sms.validity == .seconds(172_800))
    #expect(settings.modem.port == "/dev/serial/by-id/usb-HUAWEI")
    #expect(settings.central.modem.port == nil)
    #expect(settings.log.level == .debug)
    #expect(settings.log.fileSize == 1_048_576)
    let path = directory.file("checkpost.yaml")
    #expect(
      loaded.origin(of: "node.fallback_after") == .file(path: path, line: 7, column: 19))
    #expect(loaded.origin(of: "node.sms.per_minute") == .standard)
  }

  @Test(arguments: ["", "# nothing\n", "---\n", "null\n", "node:\nserver:\n"])
  func emptyIsAllDefaults(yaml: String) throws {
    #expect(try load(yaml).settings == Settings())
  }

  @Test func namesFileLineColumnKeyAndWhatIsAllowed() {
    #expect(
      problems("node:\n  fallback_after: 5\n") == [
        """
        checkpost.yaml:2:19: node.fallback_after: "5" is not allowed; allowed: a duration from 0s \
        to 24h, such as 30s, 5m or 72h
        """
      ])
    #expect(
      problems("node:\n  identity: uuid\n") == [
        "checkpost.yaml:2:13: node.identity: \"uuid\" is not allowed; allowed: content, random"
      ])
    #expect(
      problems("node:\n  sms:\n    per_day: 0\n") == [
        """
        checkpost.yaml:3:14: node.sms.per_day: "0" is not allowed; allowed: a whole number from 1 \
        to 10000
        """
      ])
  }

  @Test func unknownKeysAreErrors() {
    #expect(
      problems("node:\n  falback_after: 5m\n") == [
        """
        checkpost.yaml:2:3: node.falback_after: there is no such setting; did you mean \
        fallback_after?
        """
      ])
    #expect(
      problems("nodes:\n  checkpost: A\n") == [
        "checkpost.yaml:1:1: nodes: there is no such setting; did you mean node?"
      ])
    #expect(
      problems("control:\n  zzzzzzzz: 1\n") == [
        "checkpost.yaml:2:3: control.zzzzzzzz: there is no such setting; allowed here: socket"
      ])
    // A name that is no plain word is unknown too, and nothing crashes.
    #expect(problems("? [a, b]\n: 1\n").count == 1)
  }

  @Test(arguments: [
    ("node: 5\n", "is a section, and holds a single value"),
    ("node: [checkpost]\n", "is a section, and holds a list"),
    ("node:\n  checkpost: [A]\n", "is a list"),
    ("node:\n  checkpost: {a: 1}\n", "is a section"),
    ("node:\n  database: null\n", "has no value"),
    ("roles:\n  node: yes\n", "\"yes\" is not allowed; allowed: true or false"),
    ("central:\n  twilio:\n    public_urls: https://a.example\n", "is a single value"),
    ("central:\n  twilio:\n    public_urls: [ftp://a.example]\n", "\"ftp://a.example\" is not"),
    ("central:\n  twilio:\n    public_urls: [[a]]\n", "is a list"),
    ("node:\n  checkpost: bnp-a\n", "allowed: 1 to 10 of A-Z"),
    ("node:\n  checkpost: ABCDEFGHIJK\n", "\"ABCDEFGHIJK\" is not allowed"),
    ("node:\n  gateway: 9801234567\n", "with its country code"),
    ("node:\n  gateway: \"+97798012345678901\"\n", "with its country code"),
    ("control:\n  socket: run/control.sock\n", "a path that begins with /"),
    ("modem:\n  baud: 96OO\n", "a whole number"),
    ("log:\n  file_size: 10\n", "a size from 64KB to 1GB"),
    ("central:\n  ingress:\n    numbers: [\"+9779801234567\"]\n", "a number, = and a post"),
  ])
  func wrongTypesAreErrors(yaml: String, expected: String) {
    let found = problems(yaml)
    #expect(found.count == 1)
    #expect(found.first?.contains(expected) == true, "\(found)")
  }

  @Test func everyProblemIsFound() {
    let found = problems(
      """
      roles: {node: maybe}
      node:
        checkpost: x
        sms:
          per_dya: 3
      server:
        timeout: forever
      """)
    #expect(found.count == 4)
    #expect(
      found.map { String($0.prefix { $0 != " " }) } == [
        "checkpost.yaml:1:15:", "checkpost.yaml:3:14:", "checkpost.yaml:5:5:",
        "checkpost.yaml:7:12:",
      ])
  }

  @Test func theFirstLineSaysThatThereAreMore() {
    #expect {
      try load("node: {checkpost: x, segment: [], identity: z}")
    } throws: { error in
      "\(error)".contains("(and 2 more: `checkpost config check` lists them)")
    }
  }

  @Test(arguments: [
    ("node:\n  checkpost: \"A\n", 3), ("node:\n\tcheckpost: A\n", 2), ("node: [\n", 2),
    ("a: 1\na: 2\n", 2), ("node:\n  checkpost: A\n  checkpost: B\n", 3), ("a: *b\n", 1),
    ("--- {}\n--- {}\n", 2), ("node: {}}\n", 1), ("a: \u{1}\n", 1),
  ])
  func notYAMLNamesTheLine(yaml: String, line: Int) {
    #expect {
      try load(yaml)
    } throws: { error in
      guard case SettingsError.notYAML(_, let found, let column, let reason) = error else {
        return false
      }
      return abs(found - line) <= 1 && column >= 1 && !reason.isEmpty
    }
  }

  @Test func aListIsNoConfiguration() {
    #expect(throws: SettingsError.self) { try load("- a\n- b\n") }
    #expect(problems("- a\n").first?.contains("holds a list where sections are expected") == true)
    #expect(problems("hello\n").first?.contains("holds a single value where") == true)
  }

  @Test func filesThatCannotBeReadAreErrorsOfTheirOwn() throws {
    #expect(throws: SettingsError.missing(path: directory.file("none.yaml"))) {
      try LoadedSettings.load(path: directory.file("none.yaml"), environment: [:])
    }
    #expect(throws: SettingsError.isDirectory(path: directory.path)) {
      try LoadedSettings.load(path: directory.path, environment: [:])
    }
    let binary = try directory.write("binary", bytes: [0x6E, 0xFF, 0xFE])
    #expect(throws: SettingsError.notText(path: binary)) {
      try LoadedSettings.load(path: binary, environment: [:])
    }
    let large = try directory.write(
      "large", bytes: [UInt8](repeating: 0x23, count: Limits.configurationBytes + 1))
    #expect(throws: SettingsError.tooLarge(path: large)) {
      try LoadedSettings.load(path: large, environment: [:])
    }
  }

  @Test func textsStayAsTheyAreWritten() throws {
    let loaded = try load("node: {segment: 0012, gateway: +9779801234567}\n")
    #expect(loaded.settings.node.segment == "0012")
    #expect(loaded.settings.node.gateways == ["+9779801234567"])
  }

  @Test func randomBytesGiveSettingsOrAnError() throws {
    var generator = SplitMix64(seed: 7)
    let reference = Array(Settings.referenceYAML().utf8)
    for round in 0..<300 {
      var bytes = reference
      for _ in 0...Int.random(in: 0..<4, using: &generator) {
        let place = bytes.indices.randomElement(using: &generator) ?? 0
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
      }
      let path = try directory.write("mutated.yaml", bytes: bytes)
      do {
        _ = try LoadedSettings.load(path: path, environment: [:])
      } catch {
        #expect(!error.lines.isEmpty, "round \(round)")
        #expect(error.lines.allSatisfy { !$0.contains("\n") }, "round \(round): \(error)")
      }
    }
  }
}
