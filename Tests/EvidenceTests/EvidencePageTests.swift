import Evidence
import EvidencePages
import Foundation
import Testing
import Time

struct EvidencePageTests {
  @Test func thePageHasAllThatTheReportHas() throws {
    let report = try Sample().report()
    let page = try EvidencePage(isInternal: true).html(report, printedAt: "2026-11-23")
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
    let page = try EvidencePage(isInternal: true).html(report, printedAt: "now")
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

  @Test(arguments: [false, true]) func whatWasRetractedShows(isInternal: Bool) throws {
    var sample = Sample()
    func page() throws -> String {
      guard !isInternal else {
        return try EvidencePage(isInternal: true).html(try sample.report(), printedAt: "now")
      }
      return try self.page(sample)
    }
    #expect(!(try page().contains("class=\"retracted\"")))
    #expect(try page().contains("class=\"signatures\""))
    sample.isRetracted = true
    #expect(!(try page().contains("class=\"signatures\"")))
    #expect(try page().contains("class=\"retracted\""))
  }

  private func page(
    _ sample: Sample, _ language: SheetLanguage = .english,
    _ photographs: [EvidencePhotograph?] = [nil, nil]
  ) throws -> String {
    let sheet = DriverSheet(try sample.evidence(), in: language, clock: .utc)
    return try EvidencePage().html(
      sheet, photographs: photographs, report: try sample.report(), printedAt: "2026-11-23")
  }

  @Test(arguments: SheetLanguage.allCases) func theDriverIsGivenWhatIsTheDrivers(
    language: SheetLanguage
  ) throws {
    let sample = Sample()
    let sheet = DriverSheet(try sample.evidence(), in: language, clock: .utc)
    let page = try page(sample, language)
    #expect(page.contains("<html lang=\"\(language.rawValue)\">") && !page.contains("{{"))
    for text in [
      sheet.title, sheet.standing, SheetLabel.driver.words(language),
      SheetLabel.printedAt.filled(language, "2026-11-23"),
    ] {
      #expect(page.contains(escaped(text)), "\(text)")
    }
    for fact in sheet.facts {
      #expect(
        page.contains("<dt>\(escaped(fact.label))</dt><dd>\(escaped(fact.value))</dd>"),
        "\(fact.label)")
    }
    let report = try sample.report()
    for text in report.doubts + report.forgers { #expect(!page.contains(escaped(text)), "\(text)") }
    #expect(!page.contains("forged") && !page.contains("+9779801000001"))
  }

  @Test func theDriversSheetIsOneFileWithItsPhotographs() throws {
    let jpeg = EvidencePhotograph(mediaType: "image/jpeg", content: [0xFF, 0xD8, 0xFF, 0xE0, 1, 2])
    let page = try page(Sample(), .english, [jpeg, nil])
    #expect(page.contains("<img src=\"data:image/jpeg;base64,/9j/4AEC\""))
    #expect(page.components(separatedBy: "<img").count == 2)
    #expect(page.contains(SheetLabel.noPhotograph.words(.english)))
    #expect(!page.contains("http:") && !page.contains("https:"))
  }

  @Test(arguments: 0..<8) func everyByteOfAPhotographIsThere(count: Int) throws {
    let content = (0..<count).map { UInt8(truncatingIfNeeded: 251 + 3 * $0) }
    let photograph = EvidencePhotograph(mediaType: "image/png", content: content)
    let page = try page(Sample(), .english, [photograph, nil])
    #expect(page.contains("image/png;base64,\(Data(content).base64EncodedString())\""))
  }

  @Test func anotherTemplateMayNameWhatIsOnEitherPage() throws {
    let own = try EvidencePage(
      template:
        "{{title}} {{labels.vehicle}}{{#doubts}};{{.}}{{/doubts}}{{#photographs}} {{caption}}{{/photographs}}"
    )
    let sheet = DriverSheet(try Sample().evidence(), in: .nepali, clock: .utc)
    let page = own.html(
      sheet, photographs: [nil, nil], report: try Sample().report(), printedAt: "now")
    #expect(page.hasPrefix("तीव्र गति सवारी नम्बर;An end is known by text alone"))
    #expect(page.contains(" BNP-A, 2024-02-28 11:33:20 (UTC)"))
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
