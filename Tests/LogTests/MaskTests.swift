import Events
import Log
import Settings
import TestSupport
import Testing
import Time

@Suite struct MaskTests {
  private func key(_ directory: TemporaryDirectory) throws -> MaskKey {
    var loaded = LoadedSettings()
    loaded.settings.log.maskKeyFile = directory.file("mask.key")
    return try #require(try MaskKey.load(loaded, makesMissing: true))
  }

  @Test func onePlateHasOneMask() throws {
    let directory = try TemporaryDirectory()
    let first = Mask.keyed(try key(directory))
    let again = Mask.keyed(try key(directory))
    #expect(first.plate("BA1PA1234") == again.plate("BA1PA1234"))
    #expect(first.plate("BA1PA1234") != first.plate("BA1PA1235"))
    #expect(first.plate("BA1PA1234").hasPrefix("plate#"))
    #expect(first.plate("BA1PA1234").count == "plate#".count + 8)
    let elsewhere = Mask.keyed(try key(try TemporaryDirectory()))
    #expect(first.plate("BA1PA1234") != elsewhere.plate("BA1PA1234"))
  }

  @Test func theKeyIsForItsOwnerOnly() throws {
    let directory = try TemporaryDirectory()
    var loaded = LoadedSettings()
    loaded.settings.log.maskKeyFile = directory.file("mask.key")
    // A command that only reads does not make it.
    #expect(throws: SettingsError.self) { try MaskKey.load(loaded, makesMissing: false) }
    #expect(!exists(directory.file("mask.key")))
    #expect(loaded.secretProblems().isEmpty)
    _ = try MaskKey.load(loaded, makesMissing: true)
    #expect(try contents(of: directory.file("mask.key")).count == 65)
    #expect(loaded.secretProblems().isEmpty)
    loaded.settings.log.maskKeyFile = directory.file("none/mask.key")
    #expect(throws: SettingsError.self) { try MaskKey.load(loaded, makesMissing: true) }
    loaded.settings.log.maskKeyFile = nil
    #expect(try MaskKey.load(loaded, makesMissing: true) == nil)
  }

  @Test func onePassageHasOneMask() throws {
    let directory = try TemporaryDirectory()
    let mask = Mask.keyed(try key(directory))
    let identity = "903f6178-1d77-5a73-b651-63f83b997eb3"
    #expect(mask.identity(identity) == Mask.keyed(try key(directory)).identity(identity))
    #expect(mask.identity(identity).hasPrefix("id#"))
    #expect(mask.identity(identity).count == "id#".count + 8)
    #expect(mask.identity(identity) != Mask.keyed(try key(TemporaryDirectory())).identity(identity))
    #expect(Mask.short.identity(identity) == "id#••")
    #expect(Mask.whole.identity(identity) == identity)
    var filter = LogFilter()
    filter.show(identity: identity, key: try key(directory))
    for shown in [mask, .whole] {
      let event = Event(
        "event", at: TestClocks().wall(), words: "",
        fields: [EventField("client_id", .identity(identity))])
      #expect(filter.allows(LogRecord(event, mask: shown)))
    }
    #expect(
      !filter.allows(
        LogRecord(Event("event", at: TestClocks().wall(), words: ""), mask: mask)))
  }

  @Test(.enabled(if: MountedDisk.isAllowed)) func aDiskThatTakesNothingKeepsNoServiceFromItsMasks()
    throws
  {
    let disk = try #require(MountedDisk(kilobytes: 64))
    var loaded = LoadedSettings()
    loaded.settings.log.maskKeyFile = disk.file("mask.key")
    try #require(disk.remount(readOnly: true))
    let key = try #require(try MaskKey.load(loaded, makesMissing: true))
    #expect(Mask.keyed(key).plate("BA1PA1234").hasPrefix("plate#"))
    #expect(throws: SettingsError.self) { try MaskKey.load(loaded, makesMissing: false) }
    try #require(disk.remount(readOnly: false))
    _ = try MaskKey.load(loaded, makesMissing: true)
    #expect(exists(disk.file("mask.key")))
  }

  @Test func withoutAKeyLittleIsLeft() {
    #expect(Mask.short.plate("BA1PA1234") == "BA••")
    #expect(Mask.short.phone("+9779801234567") == "••67")
    #expect(Mask.whole.plate("BA1PA1234") == "BA1PA1234")
    #expect(Mask.whole.phone("+9779801234567") == "+9779801234567")
  }

  @Test(arguments: [
    ("to +9779801234567 failed", "to ••67 failed"),
    ("body=V1|BNP-A|BA1PA1234|CAR|1709123456|9801 rest", "body=V1|•• rest"),
    ("\"v1|BNP-A|x\"", "\"V1|••\""),
    ("CMS 38 after 12000 ms, 123456 is short", "CMS 38 after 12000 ms, 123456 is short"),
    ("9801234567", "••67"),
    ("", ""), ("V", "V"), ("+", "+"), ("नमस्ते 98012345678", "नमस्ते ••78"),
  ])
  func scrubsWhatOthersWrote(text: String, expected: String) {
    #expect(Mask.short.scrub(text) == expected)
    #expect(Mask.whole.scrub(text) == text)
  }
}
