public import RestAPI

/// A statement. What came from outside is in its parameters alone.
public struct SQLStatement: Hashable, Sendable {
  /// Its text, with places for the parameters by their numbers, from 1.
  public var text: String
  /// The parameters. A moment is bound in SQLite as the milliseconds since 1970, with a fraction where it
  /// has one.
  public var parameters: [RestValue]
}

/// Whose SQL it is.
public enum SQLDialect: Hashable, Sendable {
  /// SQLite: rows are read from views `api_TABLE` with the columns of the catalogue, in which moments are
  /// milliseconds and truth values 0 and 1; what is written directly are tables of the catalogue's names.
  case sqlite
  /// PostgreSQL, with the tables of the catalogue in the schema `public`; the session's zone is UTC.
  case postgreSQL

  func source(_ table: RestTable, byIdentity: Bool = false) -> String {
    switch self {
    case .sqlite:
      "\"api_\(table.name)\(byIdentity && table.name == "vehicle_passages" ? "_by_identity" : "")\""
    case .postgreSQL: "\"public\".\"\(table.name)\""
    }
  }

  func target(_ table: RestTable) -> String {
    switch self {
    case .sqlite: "\"\(table.name)\""
    case .postgreSQL: "\"public\".\"\(table.name)\""
    }
  }
}
