public import Evidence
import Mustache

/// A printable page of one violation.
public struct EvidencePage: Sendable {
  private let template: MustacheTemplate

  /// The page as it is unless an office has its own.
  ///
  /// - Throws: ``EvidencePageError`` only when the program itself is wrong.
  public init() throws(EvidencePageError) {
    try self.init(template: EvidencePage.standard)
  }

  /// A page of an office's own, with its letterhead or in its language.
  ///
  /// - Parameter template: Mustache. The names are those of the standard page (``standard``); what is put in is
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

  /// The page of a report.
  ///
  /// - Parameter printedAt: When it is printed, as it is to stand there.
  public func html(_ report: EvidenceReport, printedAt: String) -> String {
    template.render(
      [
        "title": report.title, "identifier": report.identifier,
        "number": "\(report.number)", "standing": report.standing,
        "retracted": report.isRetracted,
        "facts": report.facts.map { ["label": $0.label, "value": $0.value] },
        "tables": [report.reports, report.corrections, report.revisions].filter { !$0.rows.isEmpty }
          .map { table in
            [
              "title": table.title, "columns": table.columns,
              "rows": table.rows.map { ["cells": $0] },
            ]
              as [String: Any]
          }, "doubts": report.doubts, "forgers": report.forgers, "printed_at": printedAt,
      ] as [String: Any])
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
