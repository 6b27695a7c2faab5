import Settings
import TestSupport
import Testing

@Suite struct ModemListTests {
  private func load(_ yaml: String) throws -> LoadedSettings {
    let directory = try TemporaryDirectory()
    let path = try directory.write("c.yaml", yaml)
    return try withExtendedLifetime(directory) {
      try LoadedSettings.load(path: path, environment: [:])
    }
  }

  private func problem(_ yaml: String) -> String {
    do {
      _ = try load(yaml)
      return "none"
    } catch {
      return "\(error)"
    }
  }

  @Test func aListOfModems() throws {
    let settings = try load(
      """
      modems:
        - name: north
          port: /dev/ttyUSB2
          prefixes: ["+97798", "+97797"]
          baud: 9600
        - name: south
          port: /dev/ttyUSB5
      """
    ).settings
    #expect(settings.nodeModems.map(\.name) == ["north", "south"])
    #expect(settings.modems[0].prefixes == ["+97798", "+97797"])
    #expect(settings.modems[0].modem.baud == 9_600)
    #expect(settings.modems[1].modem.baud == 115_200)
    #expect(settings.modem.port == nil)
  }

  @Test func oneModemIsStillOne() throws {
    let settings = try load("modem:\n  port: /dev/ttyUSB2\n").settings
    #expect(settings.nodeModems.map(\.name) == ["modem"])
    #expect(try load("modems: []\n").settings.nodeModems.isEmpty)
  }

  @Test(
    arguments: [
      ("modems: north\n", "is a single value"),
      ("modems:\n  - north\n", "holds a single value"),
      ("modems:\n  - port: /dev/a\n", "modems[0].name: is missing"),
      ("modems:\n  - name: a\n    portt: /dev/a\n", "did you mean port?"),
      ("modems:\n  - name: a\n    baud: fast\n", "modems[0].baud: \"fast\" is not allowed"),
      ("modems:\n  - name: A B\n", "modems[0].name: \"A B\" is not allowed"),
      ("modems:\n  - name: a\n", "need a port or an identity each"),
      (
        "modems:\n  - {name: a, port: /dev/a}\n  - {name: b, port: /dev/a}\n",
        "need a port or an identity each"
      ),
      (
        "modems:\n  - {name: a, port: /dev/a}\n  - {name: a, port: /dev/b}\n", "need a name each"
      ),
      (
        "modem:\n  port: /dev/c\nmodems:\n  - {name: a, port: /dev/a}\n", "is set beside modems"
      ),
    ])
  func whatIsWrongIsSaid(_ yaml: String, _ words: String) {
    let said = problem(yaml)
    #expect(said.contains(words), "\(said)")
  }

  @Test func whatIsInEffectIsShownAsItIsWritten() throws {
    let loaded = try load(
      "modems:\n  - {name: north, port: /dev/a, prefixes: [\"+97798\"]}\n")
    let shown = loaded.effective().first { $0.key == "modems" }?.value
    #expect(shown == "[{name: north, prefixes: [\"+97798\"], port: /dev/a}]")
    let again = try load("modems: \(shown ?? "")\n")
    #expect(again.settings.modems == loaded.settings.modems)
    var other = loaded.settings
    other.modems[0].modem.baud = 9_600
    #expect(loaded.settings.changes(to: other).map(\.key) == ["modems"])
  }

  @Test func oneGatewayOrSeveral() throws {
    func gateways(_ value: String) throws -> [String] {
      try load("node:\n  gateway: \(value)\n").settings.node.gateways
    }
    #expect(try gateways("\"+9779801234567\"") == ["+9779801234567"])
    #expect(
      try gateways("[\"+9779801234567\", \"+9779807654321\"]")
        == ["+9779801234567", "+9779807654321"])
    #expect(try gateways("null").isEmpty)
    #expect(problem("node:\n  gateway: office\n").contains("\"office\" is not allowed"))
  }
}
