import Settings
import TestSupport
import Testing

@Suite struct SettingsReferenceTests {
  /// The root of the package, by the place of this file.
  private var root: String {
    #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
  }

  @Test func shippedFileIsWhatTheDeclarationsSay() throws {
    let shipped = try contents(of: "\(root)/config/checkpost.yaml")
    #expect(
      shipped == Settings.referenceYAML(),
      "renew it: swift run checkpost config print > config/checkpost.yaml")
  }

  @Test func shippedFileIsTheDefaults() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("checkpost.yaml", Settings.referenceYAML())
    let loaded = try LoadedSettings.load(path: path, environment: [:])
    #expect(loaded.settings == Settings())
    #expect(loaded.warnings.isEmpty)
    // Every setting stands in the file.
    for setting in loaded.effective() {
      guard case .file = setting.origin else {
        Issue.record("\(setting.key) is not in the file")
        continue
      }
    }
  }

  @Test func everySettingIsExplained() throws {
    let lines = Settings.referenceYAML().split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where line.contains(":") && !line.contains("#") {
      #expect(lines[index - 1].contains("#"), "no comment above \(line)")
      #expect(line.count <= 100)
    }
  }

  @Test func effectiveSettingsLoadAsTheSame() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(
      "one.yaml",
      """
      roles: {node: true, central: true}
      node:
        checkpost: BNP-A
        segment: "Bandipur: north"
        gateway: +9779801234567
        fallback_after: 1h30m
      central:
        ingress:
          numbers: ["+9779801234567=BNP-A", "+9779801234568=BNP-B"]
      log:
        file: null
      """)
    let first = try LoadedSettings.load(path: path, environment: [:])
    let again = try directory.write("two.yaml", first.effectiveYAML())
    let second = try LoadedSettings.load(path: again, environment: [:])
    #expect(first.settings == second.settings)
    #expect(first.settings.node.segment == "Bandipur: north")
    #expect(first.effectiveYAML().contains("# \(path):6"))
    #expect(first.effectiveYAML().contains("# default"))
  }
}
