import Evidence
import EvidencePages
import Testing

struct EvidencePageTests {
  @Test func thePageHasAllThatTheReportHas() throws {
    let report = try Sample().report()
    let page = try EvidencePage().html(report, printedAt: "2026-11-23")
    for text in [
      report.title, report.identifier, "What could make it wrong", "printed on 2026-11-23",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    for table in [report.reports, report.corrections, report.revisions] {
      #expect(page.contains("<h2>\(table.title)</h2>"))
      for cell in table.rows.flatMap(\.self) { #expect(page.contains("<td>\(escaped(cell))</td>")) }
    }
    for text in report.doubts + report.forgers {
      #expect(page.contains("<li>\(escaped(text))</li>"))
    }
    for fact in report.facts { #expect(page.contains("<dd>\(escaped(fact.value))</dd>")) }
    #expect(!page.contains("{{"))
  }

  @Test func whatStrangersWroteIsText() throws {
    var report = try Sample().report()
    report.facts = [.init("Vehicle", "<script>alert('&')</script>")]
    let page = try EvidencePage().html(report, printedAt: "now")
    #expect(!page.contains("<script>"))
    #expect(page.contains("&lt;script&gt;"))
  }

  @Test func anOfficeHasAPageOfItsOwn() throws {
    let page = try EvidencePage(template: "{{title}}: {{#facts}}{{label}};{{/facts}}")
    let html = page.html(try Sample().report(), printedAt: "now")
    #expect(html.hasPrefix("Speeding: Number;Vehicle;Type;Segment;"))
  }

  @Test func aTemplateThatIsNoneSaysWhy() {
    #expect(throws: EvidencePageError.self) { try EvidencePage(template: "{{#facts}}{{label}}") }
  }

  @Test func whatWasRetractedShows() throws {
    var sample = Sample()
    #expect(
      !(try EvidencePage().html(try sample.report(), printedAt: "now").contains(
        "class=\"retracted\"")))
    #expect(
      try EvidencePage().html(try sample.report(), printedAt: "now").contains("Officer, date"))
    sample.isRetracted = true
    #expect(
      !(try EvidencePage().html(try sample.report(), printedAt: "now").contains("Officer, date")))
    #expect(
      try EvidencePage().html(try sample.report(), printedAt: "now").contains("class=\"retracted\"")
    )
  }

  private func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
