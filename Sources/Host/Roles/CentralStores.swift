public import Accounts
public import CentralCore
public import CentralSQLite
public import RestAPI
public import Settings

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

/// The one place that knows which kinds of stores a central may have.
public enum CentralStores {
  /// What a store is opened for.
  public enum Use: Hashable, Sendable {
    /// For a service: it is made where there is none, and checked.
    case service
    /// For a command that changes something, beside a service.
    case changing
    /// For looking only.
    case reading
  }

  /// Opens the store that the settings name.
  ///
  /// - Throws: `StorageError` when it cannot be used.
  public static func open(
    _ settings: Settings.Central, for use: Use
  ) throws -> any OpenedCentralStore {
    try open(file: settings.database, for: use)
  }

  /// Opens the SQLite file of a path.
  ///
  /// - Throws: `StorageError` when it cannot be used.
  public static func open(file path: String, for use: Use) throws -> any OpenedCentralStore {
    switch use {
    case .service: try SQLiteCentralStore(path: path)
    case .changing: try SQLiteCentralStore(path: path, checks: false)
    case .reading: try SQLiteCentralStore(readingFrom: path)
    }
  }

  /// What the settings call the store, for people: the path of its file, or who asks which database where.
  public static func place(_ settings: Settings.Central) -> String {
    settings.database
  }
}
