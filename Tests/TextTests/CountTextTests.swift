import Testing
import Text

@Suite struct CountTextTests {
  @Test func oneIsNotMany() {
    #expect(CountText.of(1, "row") == "1 row")
    #expect(CountText.of(0, "row") == "0 rows")
    #expect(CountText.of(2, "copy", "copies") == "2 copies")
    #expect(CountText.of(1, "copy", "copies") == "1 copy")
  }
}
