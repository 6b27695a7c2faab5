import CPostgreSQL

/// What the server answered: rows, or how many it changed.
///
/// The rows stay in the library's memory until the last of their holders lets go. An answer belongs to the
/// thread of its connection; what is to leave it is read out first.
public struct PostgreSQLResult {
  /// The library's answer, given back once.
  final class Memory {
    let pointer: OpaquePointer
    /// Columns by their names; of several with one name, the first.
    lazy var columns: [String: Int] = {
      var columns: [String: Int] = [:]
      for index in 0..<Int(cpostgresql_columns(pointer)) {
        guard let name = cpostgresql_column_name(pointer, Int32(index)) else { continue }
        if columns[String(cString: name)] == nil { columns[String(cString: name)] = index }
      }
      return columns
    }()

    init(_ pointer: OpaquePointer) {
      self.pointer = pointer
    }

    deinit {
      cpostgresql_clear(pointer)
    }
  }

  let memory: Memory

  /// The rows, in the server's order; empty for a statement that gives none.
  public var rows: PostgreSQLRows { PostgreSQLRows(memory: memory) }

  /// How many rows were inserted, changed, removed or given.
  public var affected: Int {
    cpostgresql_affected(memory.pointer).flatMap { Int(String(cString: $0)) } ?? 0
  }

  /// What the server says it did: `INSERT 0 1`.
  public var tag: String {
    cpostgresql_tag(memory.pointer).map { String(cString: $0) } ?? ""
  }

  /// The names of the columns, in their order.
  public var columns: [String] {
    (0..<cpostgresql_columns(memory.pointer)).map { column in
      cpostgresql_column_name(memory.pointer, column).map { String(cString: $0) } ?? ""
    }
  }

  /// The only row; nil when there is none.
  ///
  /// - Throws: ``PostgreSQLError/misused(reason:)`` when there are several.
  public func onlyRow() throws(PostgreSQLError) -> PostgreSQLRow? {
    guard rows.count < 2 else {
      throw .misused(reason: "\(rows.count) rows came where one was expected")
    }
    return rows.first
  }
}

/// The rows of an answer.
public struct PostgreSQLRows: RandomAccessCollection {
  let memory: PostgreSQLResult.Memory

  /// The first row's index, 0.
  public var startIndex: Int { 0 }
  /// The number of rows.
  public var endIndex: Int { Int(cpostgresql_rows(memory.pointer)) }

  /// One row; the index is one of this collection's.
  public subscript(position: Int) -> PostgreSQLRow {
    precondition(indices.contains(position), "there is no such row")
    return PostgreSQLRow(memory: memory, index: Int32(position))
  }
}

/// One row. A value that is not as it is asked for is an error, never the end of the program.
public struct PostgreSQLRow {
  let memory: PostgreSQLResult.Memory
  let index: Int32

  /// A value that cannot be NULL, by the name of its column.
  ///
  /// - Throws: ``PostgreSQLError/misused(reason:)`` when there is no such column, it is of another type, or
  ///   NULL. The reason names the column and no value.
  public func value<Value>(
    _ column: String, _ type: PostgreSQLType<Value>
  ) throws(PostgreSQLError) -> Value {
    try value(try number(of: column), type)
  }

  /// A value that may be NULL, by the name of its column; see ``value(_:_:)-(String,_)``.
  public func optional<Value>(
    _ column: String, _ type: PostgreSQLType<Value>
  ) throws(PostgreSQLError) -> Value? {
    try optional(try number(of: column), type)
  }

  /// A value that cannot be NULL, by the number of its column, from 0.
  public func value<Value>(
    _ column: Int, _ type: PostgreSQLType<Value>
  ) throws(PostgreSQLError) -> Value {
    guard let value = try optional(column, type) else {
      throw .misused(reason: "column \(name(of: column)) is NULL, which was not expected")
    }
    return value
  }

  /// A value that may be NULL, by the number of its column, from 0.
  public func optional<Value>(
    _ column: Int, _ type: PostgreSQLType<Value>
  ) throws(PostgreSQLError) -> Value? {
    guard let number = Int32(exactly: column), number >= 0,
      number < cpostgresql_columns(memory.pointer)
    else { throw .misused(reason: "there is no column number \(column)") }
    let kind = cpostgresql_column_type(memory.pointer, number)
    guard type.accepts(kind) else {
      throw .misused(reason: "column \(name(of: column)), of type \(kind), is not \(type.words)")
    }
    guard cpostgresql_is_null(memory.pointer, index, number) == 0 else { return nil }
    let bytes = UnsafeRawBufferPointer(
      start: cpostgresql_value(memory.pointer, index, number),
      count: Int(cpostgresql_length(memory.pointer, index, number)))
    let received = ReceivedValue(
      bytes: bytes, type: kind,
      isBinary: cpostgresql_column_format(memory.pointer, number) == 1)
    guard let value = type.read(received) else {
      throw .misused(reason: "what is in column \(name(of: column)) is not \(type.words)")
    }
    return value
  }

  private func number(of column: String) throws(PostgreSQLError) -> Int {
    guard let number = memory.columns[column] else {
      throw .misused(reason: "there is no column \(column)")
    }
    return number
  }

  private func name(of column: Int) -> String {
    cpostgresql_column_name(memory.pointer, Int32(column)).map { String(cString: $0) }
      ?? String(column)
  }
}
