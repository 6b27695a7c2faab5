import Foundation
import JSON
import Testing

/// Lines of the log are written by code of our own: the same bytes as Foundation writes.
@Suite struct LineTests {
  private static let values: [JSONValue] = [
    nil, true, false, 0, -1, .integer(.max), .integer(.min), 0.1, -2.5e300,
    .number(.leastNonzeroMagnitude), 3.0, "", "plain", [], [:], [nil, [1, ["a"]], [:]],
    ["b": 1, "a": 2, "a_b": 3, "a1": 4, "B": 5, "\u{E9}": 6, "": 7],
    ["url": "https://example.org/a?b=c&d", "nested": ["list": [true, nil, "x"], "empty": []]],
  ]

  @Test(arguments: values)
  func aValueIsTheSameLine(_ value: JSONValue) throws {
    #expect(JSONText.line(value) == (try JSONText.encode(value)))
  }

  @Test func everyCharacterIsTheSame() throws {
    for first in stride(from: 0, through: 0x1_0FFFF, by: 61) {
      let scalars = (first..<first + 61).compactMap { Unicode.Scalar(UInt32($0)) }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      let value = JSONValue.text(String(text))
      guard try JSONText.line(value) == JSONText.encode(value) else {
        Issue.record("among U+\(String(first, radix: 16)) and the 60 after it")
        return
      }
    }
  }
}
