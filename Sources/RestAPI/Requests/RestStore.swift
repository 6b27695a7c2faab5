public import Time

/// Where rows are, behind the API. What a call has done is on disk when it returns; one that throws has done
/// nothing.
public protocol RestStore {
  /// Reads rows.
  func read(_ read: RestRead) throws(RestError) -> RestRows

  /// Reads the rows of some reads, one after the other, from a state that has all that was committed before; together
  /// they have at most ``RestLimits/answerBytes`` bytes.
  func rows(of reads: [RestRead]) throws(RestError) -> [String]

  /// Puts rows in, all or none of them.
  func insert(_ insert: RestInsert, at now: WallTime) throws(RestError) -> RestChange

  /// Changes rows.
  func update(_ update: RestUpdate, at now: WallTime) throws(RestError) -> RestChange

  /// Removes rows.
  func delete(_ delete: RestDelete, at now: WallTime) throws(RestError) -> RestChange

  /// Which rows of ``RestChanges/tables`` changed behind a place, as far as they are committed; the first so many.
  ///
  /// - Parameter mark: The place; nil for the end, behind which nothing changed yet.
  func notes(after mark: RestMark?, limit: Int) throws(RestError) -> RestNotes
}

extension RestStore {
  /// A store that remembers no changes.
  public func notes(after mark: RestMark?, limit: Int) throws(RestError) -> RestNotes {
    throw .absent("changes are not told here")
  }

  /// Reads them by themselves.
  public func rows(of reads: [RestRead]) throws(RestError) -> [String] {
    var rows: [String] = []
    for one in reads { rows += try read(one).rows }
    return rows
  }
}

/// Rows that were read.
public struct RestRows: Hashable, Sendable {
  /// Each as an object in JSON.
  public var rows: [String]
  /// How many there are in all, where that was asked for.
  public var total: Int?

  /// Rows.
  public init(_ rows: [String], total: Int? = nil) {
    self.rows = rows
    self.total = total
  }
}

/// What was written.
public struct RestChange: Hashable, Sendable {
  /// Each row as an object in JSON, where that was asked for.
  public var rows: [String]
  /// How many rows were written.
  public var count: Int
  /// Whether there were some and all of them had been there before.
  public var isAllMerged: Bool

  /// A change.
  public init(_ rows: [String], count: Int, isAllMerged: Bool = false) {
    self.rows = rows
    self.count = count
    self.isAllMerged = isAllMerged
  }
}
