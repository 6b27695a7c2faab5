import TestSupport
import Testing

@testable import Settings

/// Further numbers that get the text of each passage.
@Suite struct RecipientSettingTests {
  private func load(_ yaml: String) throws -> LoadedSettings {
    let directory = try TemporaryDirectory()
    let path = try directory.write("c.yaml", yaml)
    return try withExtendedLifetime(directory) {
      try LoadedSettings.load(path: path, environment: [:])
    }
  }

  private func problems(_ yaml: String) -> [String] {
    do {
      _ = try load(yaml)
      return []
    } catch let error as SettingsError {
      return error.lines
    } catch {
      return ["\(error)"]
    }
  }

  private func list(_ count: Int) -> String {
    "[" + (0..<count).map { "\"+977980000000\($0)\"" }.joined(separator: ", ") + "]"
  }

  @Test func upToEightAreTaken() throws {
    #expect(try load("node: {}\n").settings.node.recipients.isEmpty)
    let settings = try load("node:\n  recipients: \(list(8))\n").settings
    #expect(settings.node.recipients.count == 8)
    #expect(settings.node.recipients.first == "+9779800000000")
  }

  @Test(arguments: [
    ("gateway: \"+9779800000009\"\n  recipients: COUNT", "names 9 numbers, and 8 are allowed"),
    (
      "recipients: [\"+9779800000001\", \"+9779800000002\", \"+9779800000001\"]",
      "names a number more than once"
    ),
    (
      "gateway: [\"+9779800000005\", \"+9779800000001\"]\n  recipients: [\"+9779800000001\"]",
      "names the number of node.gateway"
    ),
    (
      "opposite_post_number: \"+9779800000001\"\n  recipients: [\"+9779800000001\"]",
      "names the number of node.opposite_post_number"
    ),
    ("recipients: [\"+9779800000001\"]\nmodem: {number: \"+9779800000001\"}", "own modem"),
    (
      "recipients: [\"+9779800000001\"]\nmodems:\n  - {name: one, port: /dev/ttyS0}\n"
        + "  - {name: two, port: /dev/ttyS1, number: \"+9779800000001\"}", "own modem"
    ),
    ("recipients: [office]", "with its country code"),
  ])
  func whatCannotBeIsRefused(_ node: String, _ words: String) {
    let found = problems(
      "node:\n  " + node.replacing("COUNT", with: list(9)) + "\n")
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains("node.recipients") == true, "\(found)")
    #expect(found.first?.contains(words) == true, "\(found)")
  }
}
