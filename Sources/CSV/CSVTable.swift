/// A record of a table whose first record named the columns.
public struct CSVRecord: Hashable, Sendable {
  /// The line the record began on, counted from 1.
  public var line: Int
  private let columns: [String]
  private let fields: [String]

  init(line: Int, columns: [String], fields: [String]) {
    self.line = line
    self.columns = columns
    self.fields = fields
  }

  /// The field in the column `name`; nil when there is no such column or the field is empty.
  public subscript(_ name: String) -> String? {
    guard let index = columns.firstIndex(of: name) else { return nil }
    return fields[index].isEmpty ? nil : fields[index]
  }

  /// Whether the table has a column of that name: a field that is empty says something, one that is
  /// not there does not.
  public func hasColumn(_ name: String) -> Bool {
    columns.contains(name)
  }
}

/// What is wrong with a table or one of its records.
public enum CSVTableFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The record is not CSV.
  case record(CSVFault)
  /// A record has another number of fields than the header.
  case fieldCount(found: Int, expected: Int)
  /// The header lacks a column that is needed.
  case missingColumn(String, found: [String])

  /// What is wrong, and which columns there are.
  public var description: String {
    switch self {
    case .record(let fault):
      fault.description
    case .fieldCount(let found, let expected):
      "\(found) \(found == 1 ? "field" : "fields") where the header names \(expected)"
    case .missingColumn(let name, let found):
      "the header has no column \"\(name)\"; it names \(found.joined(separator: ", "))"
    }
  }
}

/// Reads a CSV file whose first record is a header.
public struct CSVTable: Sendable {
  /// A record, or what is wrong with one and on which line it stands.
  public typealias Entry = Result<CSVRecord, Fault>

  /// A fault and the line it stands on.
  public struct Fault: Error, Hashable, Sendable {
    /// The line of the file, counted from 1.
    public var line: Int
    /// What is wrong with it.
    public var reason: CSVTableFault

    /// A fault on line `line`.
    public init(line: Int, reason: CSVTableFault) {
      self.line = line
      self.reason = reason
    }
  }

  /// Whether a record was read that names the columns.
  public var hasHeader: Bool { columns != nil }

  private var reader = CSVReader()
  private var columns: [String]?
  private let required: [String]

  /// A table that needs at least the columns `required`; names are compared in lower case.
  public init(requiring required: [String]) {
    self.required = required
  }

  /// Takes the next bytes and returns the records that ended in them.
  ///
  /// - Throws: ``Fault`` when the header lacks a column, after which nothing can be read.
  public mutating func read(_ bytes: [UInt8]) throws(Fault) -> [Entry] {
    try entries(reader.read(bytes))
  }

  /// Returns the last record when the file does not end in a line end.
  public mutating func finish() throws(Fault) -> [Entry] {
    try entries(reader.finish())
  }

  private mutating func entries(_ rows: [CSVRow]) throws(Fault) -> [Entry] {
    var entries: [Entry] = []
    for row in rows {
      switch row {
      case .broken(let fault, let line):
        entries.append(.failure(Fault(line: line, reason: .record(fault))))
      case .fields(let fields, let line):
        guard let columns else {
          columns = try header(fields, line: line)
          continue
        }
        guard fields.count == columns.count else {
          let reason = CSVTableFault.fieldCount(found: fields.count, expected: columns.count)
          entries.append(.failure(Fault(line: line, reason: reason)))
          continue
        }
        entries.append(.success(CSVRecord(line: line, columns: columns, fields: fields)))
      }
    }
    return entries
  }

  private func header(_ fields: [String], line: Int) throws(Fault) -> [String] {
    let names = fields.map { $0.lowercased() }
    for name in required where !names.contains(name) {
      throw Fault(line: line, reason: .missingColumn(name, found: names))
    }
    return names
  }
}
