public import RestAPI

/// A statement. What came from outside is in its parameters alone.
public struct SQLStatement: Hashable, Sendable {
  /// Its text, with places for the parameters by their numbers, from 1.
  public var text: String
  /// The parameters. A moment is bound in SQLite as the milliseconds since 1970, with a fraction where it
  /// has one.
  public var parameters: [RestValue]

  /// A statement.
  public init(text: String, parameters: [RestValue]) {
    self.text = text
    self.parameters = parameters
  }
}

/// Whose SQL it is.
public enum SQLDialect: Hashable, Sendable {
  /// SQLite: rows are read from views `api_TABLE` with the columns of the catalogue, in which moments are
  /// milliseconds and truth values 0 and 1; what is written directly are tables of the catalogue's names.
  case sqlite
  /// PostgreSQL: rows are read from the same views in the schema `checkpost`, with values as they are, and written
  /// to tables of the schema `public`; the session's zone is UTC.
  case postgreSQL

  func source(_ table: RestTable, byIdentity: Bool = false) -> String {
    let isByIdentity = byIdentity && table.name == "vehicle_passages"
    let view = "\"api_\(table.name)\(isByIdentity ? "_by_identity" : "")\""
    return self == .sqlite ? view : "\"checkpost\".\(view)"
  }

  func target(_ table: RestTable) -> String {
    switch self {
    case .sqlite: "\"\(table.name)\""
    case .postgreSQL: "\"public\".\"\(table.name)\""
    }
  }
}
