/// A place in the order in which rows changed. What a store says is later is greater, and says so again after a
/// restart.
public struct RestMark: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The transaction, where a store numbers those; zero of one that commits one after the other.
  public var transaction: Int64
  /// The number of the change.
  public var number: Int64

  /// A place.
  public init(transaction: Int64 = 0, number: Int64) {
    self.transaction = transaction
    self.number = number
  }

  /// Before everything.
  public static let start = RestMark(number: 0)

  /// Reads `815-4711`.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ (1...18).contains($0.utf8.count) }),
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let transaction = Int64(parts[0]), let number = Int64(parts[1])
    else { return nil }
    self.init(transaction: transaction, number: number)
  }

  /// As it is told to a reader who goes on from there.
  public var description: String { "\(transaction)-\(number)" }

  /// Whether one is before another.
  public static func < (one: RestMark, other: RestMark) -> Bool {
    (one.transaction, one.number) < (other.transaction, other.number)
  }
}

/// That a row came, changed or went.
public struct RestNote: Hashable, Sendable {
  /// Where in the order.
  public var mark: RestMark
  /// The name of its table.
  public var table: String
  /// The row.
  public var id: String

  /// A note.
  public init(_ mark: RestMark, table: String, id: String) {
    self.mark = mark
    self.table = table
    self.id = id
  }
}

/// What changed behind a place.
public struct RestNotes: Hashable, Sendable {
  /// The changes in their order.
  public var notes: [RestNote]
  /// The place behind them.
  public var end: RestMark
  /// Whether some are not known any more, so that the reader has to read the tables again. There are none then,
  /// and the end is where it goes on.
  public var isBroken: Bool

  /// What changed.
  public init(_ notes: [RestNote], end: RestMark, isBroken: Bool = false) {
    self.notes = notes
    self.end = end
    self.isBroken = isBroken
  }
}

/// Which changes are told as they happen.
public enum RestChanges {
  /// The tables, by their names.
  public static let tables = ["vehicle_passages", "violations", "proactive_overstay_alerts"]
  /// How many changes a store remembers at most.
  public static let remembered = 100_000
  /// How long a store goes on remembering after somebody asked last.
  public static let rememberedHours = 24
}

/// What one reader is told of changes: rows as they may see them, by the same policies as any request for rows.
public struct RestTeller: Sendable {
  /// An event, as it stands in the stream.
  public struct Event: Hashable, Sendable {
    /// The place behind it; nil where that is no change's.
    public var mark: RestMark?
    /// Its name: that of a table, `gone` or `reset`.
    public var name: String
    /// What it says, in JSON on one line.
    public var data: String
  }

  private let principal: RestPrincipal
  private let tables: Set<String>
  private let rowsRemembered: Int
  /// Which rows it told, so that it tells when they are gone: to nobody else whose they never were to see.
  private var told: Set<String> = []

  /// A teller.
  ///
  /// - Parameters:
  ///   - tables: The names of those that are told.
  ///   - rowsRemembered: Of how many rows it remembers that it told them.
  public init(to principal: RestPrincipal, of tables: Set<String>, rowsRemembered: Int) {
    self.principal = principal
    self.tables = tables
    self.rowsRemembered = rowsRemembered
  }

  /// What is told of changes. A row that changed several times is told once, as it stands.
  public mutating func events(
    of notes: RestNotes, from store: some RestStore
  ) throws(RestError) -> [Event] {
    if notes.isBroken {
      told = []
      return [Event(mark: notes.end, name: "reset", data: "{}")]
    }
    var last: [String: RestNote] = [:]
    for note in notes.notes where tables.contains(note.table) {
      last["\(note.table) \(note.id)"] = note
    }
    let news = last.values.sorted { $0.mark < $1.mark }
    var rows: [String: String] = [:]
    for name in tables {
      let ids = news.filter { $0.table == name }.map(\.id)
      guard let table = Catalogue.table(name), !ids.isEmpty else { continue }
      for row in try self.rows(ids, of: table, store) { rows["\(name) \(row.id)"] = row.text }
    }
    var events: [Event] = []
    for note in news {
      let key = "\(note.table) \(note.id)"
      if let row = rows[key] {
        if told.count >= rowsRemembered { told = [] }
        told.insert(key)
        events.append(Event(mark: note.mark, name: note.table, data: row))
      } else if told.remove(key) != nil || principal.seesEverything {
        let gone: RestJSON = ["table": .text(note.table), "id": .text(note.id)]
        events.append(Event(mark: note.mark, name: "gone", data: gone.written))
      }
    }
    return events
  }

  private func rows(
    _ ids: [String], of table: RestTable, _ store: some RestStore
  ) throws(RestError) -> [(id: String, text: String)] {
    guard let key = table.columns.first else { return [] }
    let read = RestRead(
      selection: RestSelection(all: table), filter: .oneOf(key, ids.map { .text($0) }),
      visible: RestPolicy.visible(table, to: principal))
    return try store.read(read).rows.compactMap { text in
      RestJSON(Array(text.utf8))?.object?["id"]?.text.map { ($0, text) }
    }
  }
}

extension RestPrincipal {
  /// Whether every row is theirs to see.
  var seesEverything: Bool { role == .admin || role == .service }
}
