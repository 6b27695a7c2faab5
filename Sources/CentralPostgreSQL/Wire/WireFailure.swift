import PostgreSQL
import RestAPI
import RestSQL

/// Why a request for tables is not done.
enum WireFailure: Error {
  /// What was asked for is refused.
  case refused(RestError)
  /// The database did not do it.
  case failed(PostgreSQLError)

  /// What the database refused of a table that is written as it is.
  init(_ error: PostgreSQLError, in table: RestTable) {
    guard let report = error.report, error.kind == .constraint || error.kind == .data else {
      self = .failed(error)
      return
    }
    let name = report.constraint ?? ""
    switch report.state {
    case .uniqueViolation: self = .refused(.duplicate(name))
    case let state where state.code == SQLWriter.tooLongState: self = .refused(.answerTooLong)
    case .foreignKeyViolation:
      guard let reference = table.references.first(where: { $0.name == name }) else {
        self = .refused(
          RestError(
            report.state.code,
            "insert or update on table \"\(table.name)\" violates foreign key constraint"
              + " \"\(name)\""))
        return
      }
      self = .refused(.unknownReference(table.name, reference.column, to: reference.target))
    case .checkViolation where name == RestError.fineRule: self = .refused(.fineNeedsReason)
    case .checkViolation:
      self = .refused(
        RestError(
          report.state.code,
          "new row for relation \"\(table.name)\" violates check constraint \"\(name)\""))
    default:
      self = .refused(
        RestError(report.state.code, "the database refused a value of \"\(table.name)\""))
    }
  }

  /// A refusal of a passage; what the database itself said stands elsewhere.
  init(_ failure: PassageFailure) { self = .refused(RestError(failure)) }

  /// Runs `body`, which asks for nothing that the database could refuse.
  static func asked<Value>(
    _ body: () throws(PostgreSQLError) -> Value
  ) throws(WireFailure) -> Value {
    do throws(PostgreSQLError) {
      return try body()
    } catch {
      throw .failed(error)
    }
  }

  /// Runs `body`, and sorts what the database says of a table.
  static func sorting<Value>(
    _ table: RestTable, _ body: () throws(PostgreSQLError) -> Value
  ) throws(WireFailure) -> Value {
    do throws(PostgreSQLError) {
      return try body()
    } catch {
      throw WireFailure(error, in: table)
    }
  }
}
