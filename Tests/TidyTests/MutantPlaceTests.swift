import Testing

/// Each fault that can be built in on purpose still stands somewhere: one whose place went with a change
/// is looked for in vain.
@Suite struct MutantPlaceTests {
  @Test func eachStandsSomewhere() throws {
    let cases = try Repository.file("Sources/Mutants/Mutant.swift").code
      .filter { $0.hasPrefix("  case ") }.compactMap { $0.split(separator: " ").dropFirst().first }
    let code = try Repository.swiftFiles(below: "Sources").flatMap(\.code)
    #expect(!cases.isEmpty)
    for name in cases {
      #expect(code.contains { $0.contains("Mutant.\(name).isActive") }, "\(name)")
    }
  }
}
