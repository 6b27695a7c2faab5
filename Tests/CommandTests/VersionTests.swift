import Foundation
import Testing

/// What stands in a program that nobody can take apart.
@Suite(.ownThreads) struct VersionTests {
  @Test func theVersionAloneIsOneLine() throws {
    let outcome = try Program.run(["--version"])
    #expect(outcome.status == 0)
    #expect(outcome.lines.count == 1)
  }

  @Test func everyPartIsNamedWithVersionAndLicence() throws {
    let outcome = try Program.run(["--version", "--verbose"])
    #expect(outcome.status == 0)
    #expect(outcome.lines.first == (try Program.run(["--version"])).lines.first)
    #expect(
      outcome.lines[1].wholeMatch(of: /build: (debug|release) for \w+ Linux by Swift 6\.[\d.]+/)
        != nil)
    for parts in [
      ["swift-nio", "2.", "Apache-2.0"], ["GRDB.swift", "7.", "MIT"], ["BoringSSL"],
      ["LibYAML"],
      ["llhttp"], ["SQLite", "3."], ["libserialport"], ["libcurl", ".", "curl"], ["Swift", "6."],
    ] {
      #expect(
        outcome.lines.contains { line in parts.allSatisfy { line.contains($0) } }, "\(parts)")
    }
    // What was only looked at when versions were chosen is not in the program.
    #expect(!outcome.output.contains("swift-algorithms"))
    // TLS is the distribution's, which mends it.
    #expect(!outcome.output.contains("swift-nio-ssl"))
  }

  /// CycloneDX, which scanners for known weaknesses read.
  @Test func theBillOfMaterialsIsComplete() throws {
    let outcome = try Program.run(["--version", "--verbose", "--json"])
    #expect(outcome.status == 0)
    let bill = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(bill["bomFormat"] as? String == "CycloneDX")
    #expect(bill["specVersion"] as? String == "1.6")
    let components = try #require(bill["components"] as? [[String: Any]])
    let addresses = components.compactMap { $0["purl"] as? String }
    #expect(addresses.contains { $0.hasPrefix("pkg:swift/github.com/apple/swift-nio@2.") })
    #expect(addresses.contains { $0.hasPrefix("pkg:swift/github.com/groue/GRDB.swift@7.") })
    #expect(Set(addresses).count == addresses.count)
    for component in components {
      #expect((component["licenses"] as? [Any])?.isEmpty == false, "\(component["name"] ?? "")")
    }
    let references = Set(components.compactMap { $0["bom-ref"] as? String })
    #expect(references.count == components.count)
    let excluded = components.filter { $0["scope"] as? String == "excluded" }
    for name in ["swift-algorithms", "swift-nio-ssl"] {
      #expect(excluded.contains { $0["name"] as? String == name }, "\(name)")
    }
    // The same program is the same bill.
    #expect(try Program.run(["--version", "--verbose", "--json"]).output == outcome.output)
  }

  @Test func helpTellsOfIt() throws {
    #expect(try Program.run(["--help"]).output.contains("--version --verbose"))
  }

  @Test(arguments: [["--verbose"], ["--version", "--json"], ["--version", "--verbose", "x"]])
  func otherWaysAreNone(arguments: [String]) throws {
    #expect(try Program.run(arguments).status != 71)
  }
}
