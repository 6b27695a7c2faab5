public import Passages

/// What is to be done with a table.
public enum RestMethod: String, Hashable, Sendable {
  /// Reads rows.
  case get = "GET"
  /// Reads rows, and tells how many alone.
  case head = "HEAD"
  /// Puts rows in.
  case post = "POST"
  /// Changes rows.
  case patch = "PATCH"
  /// Removes rows.
  case delete = "DELETE"
}

/// A request for a table, as it came over the line.
public struct RestRequest: Hashable, Sendable {
  /// The method: `POST`.
  public var method: String
  /// The table, as the path names it.
  public var table: String
  /// What stands behind the `?` of the address, undecoded.
  public var query: String
  /// The header fields by their names in small letters.
  public var headers: [String: String]
  /// The body.
  public var body: [UInt8]

  /// A request.
  public init(
    _ method: String, _ table: String, query: String = "", headers: [String: String] = [:],
    body: [UInt8] = []
  ) {
    self.method = method
    self.table = table
    self.query = query
    self.headers = headers
    self.body = body
  }
}

/// What a request comes to.
public enum RestPlan: Hashable, Sendable {
  /// Rows are read.
  case read(RestRead)
  /// Rows are put in.
  case insert(RestInsert)
  /// Rows are changed.
  case update(RestUpdate)
  /// Rows are removed.
  case delete(RestDelete)
}

/// Rows that are wanted.
public struct RestRead: Hashable, Sendable {
  /// What of each.
  public var selection: RestSelection
  /// What they have to be.
  public var filter: RestFilter
  /// Which may be seen.
  public var visible: RestFilter
  /// What they are sorted by.
  public var order: [RestOrder] = []
  /// How many are passed over.
  public var offset = 0
  /// How many at most.
  public var limit = RestLimits.rows
  /// Whether the number of all is wanted.
  public var counts = false

  /// The table.
  public var table: RestTable { selection.table }

  /// Whether a passage is asked for by an identity: then one is told that came under several, as it came
  /// under that one.
  public var isByIdentity: Bool { table.name == "vehicle_passages" && filter.names("client_id") }

  /// Whether no row of the table is left out.
  public var isOfAll: Bool {
    filter.isEverything && visible.isEverything
      && !selection.items.contains { item in
        if case .related(let related) = item.content { related.isRequired } else { false }
      }
  }
}

/// What is told of rows that were written, and what has to be true of them.
public struct RestTelling: Hashable, Sendable {
  /// What of each row.
  public var selection: RestSelection
  /// Which may be seen; one that may not takes all back.
  public var visible: RestFilter
  /// Whether the rows are told at all.
  public var tells: Bool
  /// Whether there has to be exactly one.
  public var wantsOne: Bool
  /// Whether nobody may be told values of rows in a refusal.
  public var hidesDetails: Bool

  /// Refuses what was done when it cannot be told.
  ///
  /// - Parameter count: How many rows were written.
  public func check(_ count: Int) throws(RestError) {
    if wantsOne, count != 1 { throw .notOne(count) }
  }

  /// The same with nothing told but a column that names each row: so nothing long is put together while rows are
  /// written.
  func keys(_ column: RestColumn) -> RestTelling {
    var keys = self
    keys.selection = RestSelection(column, of: selection.table)
    return keys
  }

  /// The read of a row that was written.
  ///
  /// - Parameters:
  ///   - column: A column that names it.
  ///   - value: Its value there.
  public func read(_ column: RestColumn, _ value: RestValue) -> RestRead {
    RestRead(selection: selection, filter: .compare(column, .equal, value), visible: visible)
  }
}

/// Rows that are to be put in, all or none of them.
public struct RestInsert: Hashable, Sendable {
  /// What becomes of a row that is there already.
  public enum Resolution: Hashable, Sendable {
    /// It is refused.
    case refuse
    /// It stays, where it is the same by that rule.
    case ignore(RestTable.Unique)
    /// It is changed to the new one, where it is the same by that rule.
    case merge(RestTable.Unique)
  }

  /// The table.
  public var table: RestTable
  /// The values of each row by column. A column of which a row has none takes a new UUID, if it is one that
  /// does so, or else none.
  public var rows: [[String: RestValue]]
  /// The columns that were given values.
  public var given: [RestColumn]
  /// What becomes of a row that is there already.
  public var resolution: Resolution
  /// Who asks.
  public var principal: RestPrincipal
  /// What the rows of other tables have to be that they name.
  public var admissible: RestFilter = .all([])
  /// Which rows may be changed, where rows are merged.
  public var changeable: RestFilter
  /// What is told of them.
  public var telling: RestTelling
  /// How many seconds the clocks of passages may have been wrong, by their identities, where the client that hands them
  /// in says so (`Checkpost-Clock: UUID=SECONDS,…`).
  public var clocks: [ClientID: Int64] = [:]
  /// The same of rows of `sync_metadata`, by their devices (`Checkpost-Clock: DEVICE=SECONDS`): by so much what a
  /// device recorded lately may lie elsewhere than it says.
  public var deviceClocks: [String: Int64] = [:]
}

/// Rows that are to be changed.
public struct RestUpdate: Hashable, Sendable {
  /// A new value.
  public struct Change: Hashable, Sendable {
    /// The column.
    public var column: RestColumn
    /// The value.
    public var value: RestValue
  }

  /// The table.
  public var table: RestTable
  /// What the rows have to be.
  public var filter: RestFilter
  /// Which may be changed.
  public var changeable: RestFilter
  /// The new values.
  public var changes: [Change]
  /// Who asks.
  public var principal: RestPrincipal
  /// What is told of them.
  public var telling: RestTelling
  /// Why the passages never were; nil where they are not withdrawn.
  public var withdrawal: String?
  /// From which microsecond on the numbers of a segment hold, or a post stands elsewhere; nil for from now on.
  public var since: Int64?
}

/// Rows that are to be removed.
public struct RestDelete: Hashable, Sendable {
  /// The table.
  public var table: RestTable
  /// What the rows have to be.
  public var filter: RestFilter
  /// Which may be removed.
  public var removable: RestFilter
  /// What is told of them.
  public var telling: RestTelling
  /// Who asks.
  public var principal: RestPrincipal
}

extension RestInsert {
  /// How many seconds the clock of a row's device may have been wrong; zero where nothing is said of it.
  public func clockDoubt(of row: [String: RestValue]) -> Int64 {
    row["device_id"]?.text.flatMap { deviceClocks[$0] } ?? 0
  }

  /// Whose devices say how far they are, of rows of `sync_metadata`.
  public var reporters: [String]? { rows.compactMap { $0["user_id"]?.text } }
}

extension RestUpdate {
  /// Whose devices say how far they are, of rows of `sync_metadata`; nil where it may be anybody's.
  public var reporters: [String]? {
    principal.role == .ranger ? principal.user.map { [$0] } : nil
  }
}
