public import Accounts
public import CentralCore
public import CentralPostgreSQL
public import CentralSQLite
public import EventLoop
public import PostgreSQL
public import RestAPI
import SQLiteFile
public import Settings
public import Storage
public import Time

/// What a central keeps all it has in: messages, directory, judgements, and accounts.
public protocol OpenedCentralStore: CentralStore, AccountStore {
  /// The tables of the API on the same rows.
  ///
  /// - Parameters:
  ///   - rules: The numbers that are judged by now.
  ///   - onChanges: Told what a judgement changed, once it is kept.
  func tables(
    rules: @escaping @Sendable () -> JudgingRules,
    onChanges: @escaping @Sendable (JudgedChanges) -> Void
  ) -> any RestStore & Sendable
}

extension SQLiteCentralStore: OpenedCentralStore {
  /// The tables of the API on the same file.
  public func tables(
    rules: @escaping @Sendable () -> JudgingRules,
    onChanges: @escaping @Sendable (JudgedChanges) -> Void
  ) -> any RestStore & Sendable {
    SQLiteRestStore(of: self, rules: rules, onChanges: onChanges)
  }
}

extension PostgreSQLCentralStore: OpenedCentralStore {
  /// The tables of the API in the same database, which has the numbers that are judged by.
  public func tables(
    rules: @escaping @Sendable () -> JudgingRules,
    onChanges: @escaping @Sendable (JudgedChanges) -> Void
  ) -> any RestStore & Sendable {
    PostgreSQLRestStore(of: self, onChanges: onChanges)
  }
}

/// The one place that knows which kinds of stores a central may have.
public enum CentralStores {
  /// What a store is opened for.
  public enum Use: Hashable, Sendable {
    /// For a service: it is made where there is none, and checked.
    case service
    /// For a command that fills it, beside a service: it is made where there is none.
    case filling
    /// For a command that changes what is in it, beside a service.
    case changing
    /// For looking only.
    case reading
  }

  /// Opens the store that the settings name.
  ///
  /// - Throws: `StorageError` when it cannot be used.
  public static func open(
    _ settings: Settings.Central, for use: Use, clocks: any Clocks = SystemClocks()
  ) throws -> any OpenedCentralStore {
    switch settings.store {
    case .sqlite: return try open(file: settings.database, for: use)
    case .postgresql:
      var limit = PostgreSQLCentralStore.Limit()
      limit.connections = use == .service ? settings.postgresql.connections : 2
      var database = try database(settings.postgresql)
      switch use {
      case .service:
        // Whoever hands something in waits for the answer: that it cannot be kept has to be said before they
        // have gone.
        limit.patience = .seconds(2)
        database.lockTimeout = .seconds(5)
        database.statementTimeout = .seconds(8)
        database.answerTimeout = .seconds(9)
        for timeout in [
          \PostgreSQLSettings.nameTimeout, \.connectTimeout, \.tlsTimeout, \.signInTimeout,
        ] { database[keyPath: timeout] = .seconds(5) }
      case .filling, .changing: break
      // A server that takes no changes can be read.
      case .reading: database.session = .any
      }
      return try PostgreSQLCentralStore(database, limit: limit, clocks: clocks)
    }
  }

  /// Opens the SQLite file of a path.
  ///
  /// - Throws: `StorageError` when it cannot be used.
  public static func open(file path: String, for use: Use) throws -> any OpenedCentralStore {
    do throws(StorageError) {
      return switch use {
      case .service: try SQLiteCentralStore(path: path)
      case .filling: try SQLiteCentralStore(path: path, checks: false)
      case .changing: try SQLiteCentralStore(path: path, mayBeMade: false, checks: false)
      case .reading: try SQLiteCentralStore(readingFrom: path)
      }
    } catch {
      // A path that was mistyped must not become a store that knows of nothing.
      guard error == .missingFile(path: path) else { throw error }
      throw StorageError(
        .missing, of: path, problem: "There is no database \(path)",
        remedy: "Correct the path, or run `checkpost central init` to make it")
    }
  }

  /// Copies the SQLite file of a central into a new one, whatever others write meanwhile.
  ///
  /// - Throws: `StorageError` when one of them cannot be used.
  public static func copy(file path: String, to copy: String) throws {
    try SQLiteCentralStore.copy(path, to: copy)
  }

  /// Saves all that a central keeps as one file, while it runs: a copy of its SQLite file, or what `pg_dump` writes
  /// of its PostgreSQL database.
  ///
  /// - Throws: `StorageError`; then nothing is left at `path` that was not there.
  public static func backUp(_ settings: Settings.Central, to path: String) throws {
    switch settings.store {
    case .sqlite: try SQLiteCentralStore.copy(settings.database, to: path)
    case .postgresql: try DatabaseDump(settings).write(to: path)
    }
  }

  /// What the settings call the store, for people: the path of its file, or who asks which database where.
  ///
  /// - Throws: `StorageError` when the database is not named as libpq names one.
  public static func place(_ settings: Settings.Central) throws -> String {
    switch settings.store {
    case .sqlite: settings.database
    case .postgresql: try database(settings.postgresql).description
    }
  }

  /// What is unwise about how the settings name a PostgreSQL database, each in a sentence that says what helps.
  static func warnings(_ settings: Settings.Central) -> [String] {
    guard settings.store == .postgresql else { return [] }
    return (try? database(settings.postgresql).warnings) ?? []
  }

  /// The PostgreSQL database that the settings name.
  ///
  /// - Throws: `StorageError` of the kind `missing` when they name none, or not as libpq names one.
  public static func database(
    _ settings: Settings.PostgreSQL
  ) throws(StorageError) -> PostgreSQLSettings {
    guard let text = settings.connection else {
      throw StorageError(
        .missing, of: "central.postgresql", problem: "no PostgreSQL database is named",
        remedy: "Set central.postgresql.connection")
    }
    do throws(PostgreSQLError) {
      var database = try PostgreSQLSettings(text: text)
      if let file = settings.passwordFile { database.password = .file(file) }
      // A standby takes no changes; where several servers are named, the primary is meant. One that is named alone
      // is read as long as it takes none.
      if database.servers.count > 1 { database.session = .readWrite }
      return database
    } catch {
      throw StorageError(
        .missing, of: "central.postgresql",
        problem: "central.postgresql.connection: \(error.problem)",
        remedy: "Write it as libpq does: host=… dbname=… user=…")
    }
  }
}
