import CSV
import CentralCore
public import CentralSQLite
import Passages
public import Storage

/// Puts tables of segments, posts and rangers into the centre's store.
///
/// A row that is wrong is reported with its line, and the others are put in all the same. What a table
/// has no column for stays as it is; an empty cell says that there is none.
public struct CentralImporter {
  /// A kind of table.
  public enum Kind: String, CaseIterable, Sendable {
    /// `name,distance_km,min_speed_kmh,max_speed_kmh`
    case segments
    /// `code,name,segment,position_index,phone`
    case posts
    /// `name,phone,checkpost`
    case rangers

    /// The columns that the table has at least.
    public var columns: [String] {
      switch self {
      case .segments: ["name", "distance_km", "min_speed_kmh", "max_speed_kmh"]
      case .posts: ["code", "name"]
      case .rangers: ["name", "phone", "checkpost"]
      }
    }
  }

  /// What is wrong with one row.
  public struct Problem: Hashable, Sendable {
    /// The line of the file that the row stands on, counted from 1.
    public var line: Int
    /// What is wrong with it, for the person who made the table.
    public var words: String
  }

  /// What came of a table.
  public struct Outcome: Hashable, Sendable {
    /// Rows that were put in.
    public var rows = 0
    /// Rows that were not.
    public var refused = 0
    /// What is wrong with them; at most ``Limits/listedProblems``.
    public var problems: [Problem] = []
  }

  private let store: SQLiteCentralStore

  /// An importer into a store.
  public init(store: SQLiteCentralStore) {
    self.store = store
  }

  /// Puts the rows of a CSV file in.
  ///
  /// - Throws: What is wrong with the store; a header without its columns is a problem of its line.
  public func read(_ bytes: [UInt8], as kind: Kind) throws(StorageError) -> Outcome {
    var outcome = Outcome()
    var table = CSVTable(requiring: kind.columns)
    let entries: [CSVTable.Entry]
    do {
      entries = try table.read(bytes) + table.finish()
    } catch {
      return Outcome(
        rows: 0, refused: 1,
        problems: [Problem(line: error.line, words: error.reason.description)])
    }
    for entry in entries {
      switch entry {
      case .failure(let fault):
        refuse(fault.line, fault.reason.description, &outcome)
      case .success(let record):
        switch put(record, kind) {
        case nil: outcome.rows += 1
        case .row(let words): refuse(record.line, words, &outcome)
        case .storage(let error) where error.kind == .refused:
          refuse(record.line, CentralImporter.words(error.detail ?? ""), &outcome)
        case .storage(let error): throw error
        }
      }
    }
    return outcome
  }

  private enum Failure: Error {
    case row(String)
    case storage(StorageError)
  }

  private func refuse(_ line: Int, _ words: String, _ outcome: inout Outcome) {
    outcome.refused += 1
    if outcome.problems.count < Limits.listedProblems {
      outcome.problems.append(Problem(line: line, words: words))
    }
  }

  /// Puts one row in; what stood in the way, or nil.
  private func put(_ record: CSVRecord, _ kind: Kind) -> Failure? {
    do throws(Failure) {
      switch kind {
      case .segments:
        let segment = try segment(record)
        try stored { () throws(StorageError) in try store.put(segment) }
      case .posts:
        let post = try post(record)
        var known: PostKnowledge = []
        if record.hasColumn("segment") { known.insert(.place) }
        if record.hasColumn("phone") { known.insert(.phone) }
        try stored { [known] () throws(StorageError) in try store.put(post, knowing: known) }
      case .rangers:
        let ranger = try ranger(record)
        try stored { () throws(StorageError) in try store.put(ranger) }
      }
      return nil
    } catch {
      return error
    }
  }

  private func stored(_ body: () throws(StorageError) -> Void) throws(Failure) {
    do {
      try body()
    } catch {
      throw .storage(error)
    }
  }

  private func segment(_ record: CSVRecord) throws(Failure) -> Segment {
    let name = try text("name", record)
    let (distance, low, high) = (
      try number("distance_km", record), try number("min_speed_kmh", record),
      try number("max_speed_kmh", record)
    )
    do {
      return try Segment(
        name: name, distanceKilometres: distance, minimumKilometresPerHour: low,
        maximumKilometresPerHour: high)
    } catch {
      throw .row(error.description)
    }
  }

  private func post(_ record: CSVRecord) throws(Failure) -> Post {
    var place: Post.Place?
    if let segment = record["segment"] {
      guard let index = record["position_index"].flatMap({ Int($0) }), (0...1).contains(index)
      else { throw .row("position_index has to be 0 or 1 for a post on a segment") }
      place = Post.Place(segment: segment, index: index)
    } else if record["position_index"] != nil {
      throw .row("position_index says nothing without the segment; name both or neither")
    }
    let phone = try record["phone"].map { text throws(Failure) in
      try CentralImporter.phone(text)
    }
    return Post(
      code: try code(try text("code", record)), name: try text("name", record), place: place,
      phone: phone)
  }

  private func ranger(_ record: CSVRecord) throws(Failure) -> Ranger {
    Ranger(
      name: try text("name", record),
      phone: try CentralImporter.phone(try text("phone", record)),
      checkpost: try code(try text("checkpost", record)))
  }

  private func text(_ name: String, _ record: CSVRecord) throws(Failure) -> String {
    guard let text = record[name] else { throw .row("\(name) is missing") }
    return text
  }

  private func number(_ name: String, _ record: CSVRecord) throws(Failure) -> Double {
    guard let number = Double(try text(name, record)) else {
      throw .row("\(name) is no number")
    }
    return number
  }

  private func code(_ text: String) throws(Failure) -> CheckpostCode {
    do {
      return try CheckpostCode(text)
    } catch {
      throw .row(error.description)
    }
  }

  private static func phone(_ text: String) throws(Failure) -> PhoneNumber {
    // A short code is a sender to be known, and nobody's telephone.
    guard let number = PhoneNumber(text), number.digits.utf8.count > 6 else {
      throw .row("phone \(text.debugDescription) is no phone number; write +977…")
    }
    return number
  }

  /// What the database's refusal means for a row.
  private static func words(_ detail: String) -> String {
    if detail.contains("FOREIGN KEY") {
      return "it names a segment or a post that is not known; import that first"
    }
    if detail.contains("posts.segment") || detail.contains("posts_ends") {
      return "another post stands at that end of the segment already"
    }
    return detail
  }
}
