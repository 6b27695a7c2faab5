import Text

/// One record of a CSV file, or what is wrong with it.
public enum CSVRow: Hashable, Sendable {
  /// The fields of a record; `line` is where it began, counted from 1.
  case fields([String], line: Int)
  /// A record that cannot be read; the reader goes on with the next line.
  case broken(CSVFault, line: Int)

  /// The line the record began on, counted from 1.
  public var line: Int {
    switch self {
    case .fields(_, let line), .broken(_, let line): line
    }
  }
}

/// What can be wrong with one record of a CSV file.
public enum CSVFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// A quoted field is not closed on its line.
  case unclosedQuote
  /// Something other than a comma follows a closing quote.
  case textAfterQuote
  /// The line is not UTF-8.
  case invalidUTF8
  /// The line is longer than ``Limits/lineBytes``.
  case lineTooLong

  /// What is wrong, and how to mend the file.
  public var description: String {
    switch self {
    case .unclosedQuote: "a quoted field is not closed; end it with \" on the same line"
    case .textAfterQuote: "text after a closing quote; a quote inside a field is written twice"
    case .invalidUTF8: "not UTF-8 text; save the file as UTF-8"
    case .lineTooLong: "longer than \(Limits.lineBytes) bytes"
    }
  }
}

/// Reads CSV (RFC 4180) a line at a time, and loses one record to a broken one, never the rest.
///
/// A field may be quoted, and a quote inside it doubled. Unlike RFC 4180 a quoted field may not hold
/// a line end: passages never need one, and a quote that somebody forgot must not swallow the rest
/// of the day. Lines end in LF or CRLF, empty lines and lines that start with `#` are passed over,
/// and a byte order mark is dropped. A `'` that keeps a spreadsheet from reckoning a cell out is taken
/// away, see ``CSVWriter``.
public struct CSVReader: Sendable {
  private var lines = NumberedLines(limit: Limits.lineBytes)

  /// A reader at the beginning of a file.
  public init() {}

  /// Takes the next bytes of the file and returns the records that ended in them.
  public mutating func read(_ bytes: [UInt8]) -> [CSVRow] {
    lines.read(bytes).compactMap(CSVReader.row)
  }

  /// Returns the last record when the file does not end in a line end.
  public mutating func finish() -> [CSVRow] {
    lines.finish().compactMap(CSVReader.row)
  }

  private static func row(_ line: NumberedLines.Line) -> CSVRow? {
    if line.isTooLong {
      return .broken(.lineTooLong, line: line.number)
    }
    guard !line.bytes.isEmpty, line.bytes.first != 0x23 else { return nil }
    guard let text = String(validating: line.bytes, as: UTF8.self) else {
      return .broken(.invalidUTF8, line: line.number)
    }
    do throws(CSVFault) {
      let fields = try CSVReader.fields(text.utf8)
      return fields.allSatisfy(\.isEmpty) ? nil : .fields(fields, line: line.number)
    } catch {
      return .broken(error, line: line.number)
    }
  }

  private static func fields(_ bytes: String.UTF8View) throws(CSVFault) -> [String] {
    var fields: [String] = []
    var field: [UInt8] = []
    var iterator = bytes.makeIterator()
    var next = iterator.next()
    func isBlank(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }
    while true {
      while isBlank(next) { next = iterator.next() }
      if next == 0x22 {
        next = iterator.next()
        while true {
          guard let byte = next else { throw .unclosedQuote }
          next = iterator.next()
          if byte == 0x22 {
            guard next == 0x22 else { break }
            next = iterator.next()
          }
          field.append(byte)
        }
        while isBlank(next) { next = iterator.next() }
        guard next == nil || next == 0x2C else { throw .textAfterQuote }
      } else {
        while let byte = next, byte != 0x2C {
          field.append(byte)
          next = iterator.next()
        }
        while isBlank(field.last) { field.removeLast() }
      }
      fields.append(String(decoding: FormulaGuard.unguarded(field), as: UTF8.self))
      field.removeAll(keepingCapacity: true)
      guard next != nil else { return fields }
      next = iterator.next()
    }
  }
}
