import Testing

@Suite struct DocumentationTests {
  @Test func everythingPublicIsDocumented() throws {
    for file in try Repository.swiftFiles(below: "Sources") {
      for place in Documentation.missing(in: file) {
        Issue.record("\(place) is public and says nothing of itself: write a /// comment")
      }
    }
  }
}

@Suite struct DocumentationCheckerTests {
  private func missing(_ text: String) -> [String] {
    Documentation.missing(in: SourceFile(path: "made-up.swift", text: text))
  }

  @Test(arguments: [
    "public let a = 1", "  public var a: Int { 1 }", "public func f() {", "public init() {",
    "public struct S {", "public enum E {", "public final class C {", "public actor A {",
    "public protocol P {", "public typealias T = Int", "public subscript(index: Int) -> Int {",
    "public static func < (left: S, right: S) -> Bool {", "public mutating func f() {",
    "public private(set) var a = 1", "public nonisolated(unsafe) static var a = 1",
    "public indirect enum E {", "@inlinable public func f() {",
    "@available(*, noasync) public func f() {", "/// Of something else.\n\npublic let a = 1",
    "// Not for readers.\npublic let a = 1", "/// Of a.\npublic let a = 1\npublic let b = 1",
    "@discardableResult\npublic func f() -> Int {",
  ])
  func whatIsBareIsFound(text: String) {
    let last = text.split(separator: "\n", omittingEmptySubsequences: false).count
    #expect(missing(text) == ["made-up.swift:\(last)"])
  }

  @Test(arguments: [
    "/// Of a.\npublic let a = 1", "/// Of f.\n///\n/// More.\npublic func f() {",
    "/// Of f.\n@discardableResult\npublic func f() -> Int {",
    "/// Of f.\n@available(*, noasync)\n@inlinable public func f() {",
    "public import Time", "public extension Int {", "let a = 1", "struct S {\n  var a = 1\n}",
    "let publicURLs = 1", "case a", "// public let a = 1",
  ])
  func whatIsDocumentedIsNotFound(text: String) {
    #expect(missing(text) == [])
  }

  @Test func requirementsOfPublicProtocolsAreLookedFor() {
    let text = """
      /// A protocol.
      public protocol P {
        associatedtype T
        /// Of a.
        var a: Int { get }

        mutating func f(
          _ value: T
        )
      }

      protocol Q {
        func g()
      }

      struct S {
        var b = 1
      }
      """
    #expect(missing(text) == ["made-up.swift:3", "made-up.swift:7"])
  }
}
