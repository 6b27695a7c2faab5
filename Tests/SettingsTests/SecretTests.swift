import Settings
import TestSupport
import Testing

@Suite struct SecretTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func load(keyFile: String) throws -> LoadedSettings {
    let path = try directory.write("checkpost.yaml", "server: {api_key_file: \(keyFile)}")
    return try LoadedSettings.load(path: path, environment: [:])
  }

  @Test func isReadFromItsFile() throws {
    let key = try directory.write("key", "s3cret-value\n", permissions: 0o640)
    #expect(try load(keyFile: key).serverAPIKey()?.value == "s3cret-value")
    #expect(try LoadedSettings().serverAPIKey() == nil)
  }

  @Test func neverShowsItself() {
    let secret = Secret("s3cret-value")
    #expect(!"\(secret)".contains("s3cret"))
    #expect(!String(reflecting: secret).contains("s3cret"))
    var dumped = ""
    dump(secret, to: &dumped)
    #expect(!dumped.contains("s3cret"))
  }

  @Test func isMaskedInTheEffectiveSettings() throws {
    let key = try directory.write("key", "s3cret-value\n")
    let loaded = try load(keyFile: key)
    let setting = try #require(loaded.effective().first { $0.key == "server.api_key_file" })
    #expect(setting.secret == "••••••••")
    #expect(!loaded.effectiveYAML().contains("s3cret"))
  }

  @Test func aFileThatEverybodyCanReadIsRefused() throws {
    let key = try directory.write("key", "s3cret-value\n", permissions: 0o644)
    let loaded = try load(keyFile: key)
    #expect {
      try loaded.serverAPIKey()
    } throws: { error in
      "\(error)".contains("is open to every user of this machine; chmod 640")
        && "\(error)".contains("checkpost.yaml:1:24: server.api_key_file")
    }
    #expect(loaded.secretProblems().count == 1)
  }

  @Test(arguments: [
    ("", "is empty"), (" \n\n", "is empty"), ("a\nb\n", "more than one line"),
    (String(repeating: "x", count: 20_000), "too large"),
    ("\u{FEFF}token", "cannot be seen (U+FEFF)"), ("to\u{200B}ken\n", "cannot be seen (U+200B)"),
    ("token\u{2060}", "cannot be seen (U+2060)"), ("to\u{AD}ken", "cannot be seen (U+00AD)"),
  ])
  func badContentIsRefused(content: String, expected: String) throws {
    let loaded = try load(keyFile: try directory.write("key", content))
    #expect {
      try loaded.serverAPIKey()
    } throws: { error in
      "\(error)".contains(expected) && !"\(error)".contains("xxx")
    }
  }

  @Test func aMissingFileIsNamed() throws {
    let loaded = try load(keyFile: directory.file("none"))
    #expect(loaded.secretProblems().first?.words == "\(directory.file("none")) does not exist")
    #expect(
      try load(keyFile: directory.path).secretProblems().first?.words.hasSuffix("directory") == true
    )
  }
}
