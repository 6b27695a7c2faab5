import Settings
import TestSupport
import Testing

/// A configuration that nests without end: Yams calls itself for each level.
@Suite struct NestingTests {
  @Test(arguments: [
    "[", "{a: ", "- ", "? ", "- ? ", "[{a: ", "-\t", "\"]\", [", "'}' : {", "# ]\n[",
  ])
  func aDeepConfigurationIsRefused(open: String) throws {
    let directory = try TemporaryDirectory()
    for depth in [2_000, 30_000] {
      let path = try directory.write(
        "checkpost.yaml", String(repeating: open, count: min(depth, 250_000 / open.utf8.count)))
      #expect(throws: SettingsError.self) {
        try LoadedSettings.load(path: path, environment: [:])
      }
    }
  }

  @Test func sectionsWithinSectionsAreRefusedToo() throws {
    let directory = try TemporaryDirectory()
    let lines = (0..<700).map { String(repeating: " ", count: $0) + "a:\n" }
    let path = try directory.write("checkpost.yaml", lines.joined())
    #expect(throws: SettingsError.self) { try LoadedSettings.load(path: path, environment: [:]) }
  }
}
