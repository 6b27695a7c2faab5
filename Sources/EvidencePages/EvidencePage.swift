public import Evidence
import Mustache

/// A printable page of one violation.
public struct EvidencePage: Sendable {
  private let template: MustacheTemplate

  /// The standard page.
  ///
  /// - Parameter isInternal: Whether it is central's own, and not the driver's.
  /// - Throws: ``EvidencePageError`` only when the program itself is wrong.
  public init(isInternal: Bool = false) throws(EvidencePageError) {
    try self.init(template: EvidencePage.standard(isInternal: isInternal))
  }

  /// A page of one's own, with a letterhead or in another language.
  ///
  /// - Parameter template: Mustache. The names are those of the standard pages (``standard(isInternal:)``); what is put in is
  ///   escaped for HTML.
  /// - Throws: ``EvidencePageError`` with what is wrong with the template.
  public init(template: String) throws(EvidencePageError) {
    do {
      self.template = try MustacheTemplate(string: template)
    } catch let error as MustacheTemplate.ParserError {
      let place = "line \(error.context.lineNumber), column \(error.context.columnNumber)"
      throw EvidencePageError(reason: "\(place): \(EvidencePage.words(of: error.error))")
    } catch {
      throw EvidencePageError(reason: EvidencePage.words(of: error))
    }
  }

  /// What is wrong with a template, in words.
  private static func words(of error: any Error) -> String {
    switch error as? MustacheTemplate.Error {
    case .sectionCloseNameIncorrect?:
      "a section ends here that did not begin, or begins and ends otherwise"
    case .expectedSectionEnd?: "a section that began does not end"
    case .unfinishedName?: "a name in braces does not end"
    case .invalidSetDelimiter?: "other braces are set wrongly"
    default: "what stands in braces there cannot be read"
    }
  }

  /// Central's own page of a violation: all that the report says.
  ///
  /// - Parameter printedAt: When it is printed, as it is to stand there.
  public func html(_ report: EvidenceReport, printedAt: String) -> String {
    var context = EvidencePage.context(report)
    context["facts"] = EvidencePage.list(report.facts)
    context["printed_at"] = printedAt
    return template.render(context)
  }

  /// The page that the driver is given. A template of one's own may name what is on central's own page as well.
  ///
  /// - Parameters:
  ///   - photographs: The photograph of each of the sheet's, in its order; nil where it is not here.
  ///   - printedAt: When it is printed, as it is to stand there.
  public func html(
    _ sheet: DriverSheet, photographs: [EvidencePhotograph?], report: EvidenceReport,
    printedAt: String
  ) -> String {
    var context = EvidencePage.context(report)
    let language = sheet.language
    context["language"] = language.rawValue
    context["title"] = sheet.title
    context["standing"] = sheet.standing
    context["facts"] = EvidencePage.list(sheet.facts)
    var labels: [String: String] = [:]
    for label in SheetLabel.allCases { labels[label.rawValue] = label.words(language) }
    context["labels"] = labels
    context["photographs"] = zip(sheet.photographs, photographs).map { photograph, content in
      [
        "caption": photograph.caption, "source": content?.source ?? "",
        "absent": content == nil
          ? (photograph.path == nil ? SheetLabel.noPhotograph : .missingPhotograph)
            .words(language) : "",
        "is_here": content != nil,
      ] as [String: Any]
    }
    context["footer"] =
      SheetLabel.identifier.filled(language, "\(sheet.number)") + ", \(sheet.identifier), "
      + SheetLabel.printedAt.filled(language, printedAt)
    context["printed_at"] = printedAt
    return template.render(context)
  }

  /// What both pages can name.
  private static func context(_ report: EvidenceReport) -> [String: Any] {
    [
      "title": report.title, "identifier": report.identifier, "number": "\(report.number)",
      "standing": report.standing, "retracted": report.isRetracted, "doubts": report.doubts,
      "forgers": report.forgers,
      "tables": [report.reports, report.corrections, report.revisions].filter { !$0.rows.isEmpty }
        .map { table in
          [
            "title": table.title, "columns": table.columns,
            "rows": table.rows.map { ["cells": $0] },
          ] as [String: Any]
        },
    ]
  }

  private static func list(_ facts: [EvidenceReport.Fact]) -> [[String: String]] {
    facts.map { ["label": $0.label, "value": $0.value] }
  }
}

/// A photograph that is put into a page, so that the page is one file.
public struct EvidencePhotograph: Hashable, Sendable {
  /// Its kind: `image/jpeg`.
  public var mediaType: String
  /// Its bytes.
  public var content: [UInt8]

  /// A photograph.
  public init(mediaType: String, content: [UInt8]) {
    self.mediaType = mediaType
    self.content = content
  }

  /// The whole of it as a URI (RFC 2397).
  var source: String { "data:\(mediaType);base64,\(EvidencePhotograph.base64(content))" }

  /// The bytes in base 64 (RFC 4648).
  private static func base64(_ bytes: [UInt8]) -> String {
    let signs = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = 0
      for byte in group { bits = bits << 8 | Int(byte) }
      bits <<= 8 * (3 - group.count)
      for place in 0..<4 {
        text.append(
          place <= group.count ? signs[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// Why a template cannot be used.
public struct EvidencePageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with it.
  public var reason: String

  /// It cannot be used for this reason.
  public init(reason: String) {
    self.reason = reason
  }

  /// What is wrong, and what to do.
  public var description: String {
    "the template is no Mustache (\(reason)); `checkpost central violations template` prints one"
      + " that is"
  }
}
