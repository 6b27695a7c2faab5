import CSV
public import CentralCore
import Passages
public import Storage
public import Time

/// Puts tables of segments, posts, rangers and numbers into the central's store.
///
/// A row that is wrong is reported with its line, and so are rows that contradict each other; the others are put in
/// all the same, those of all tables in one transaction. What a table has no column for stays as it is; an empty cell
/// says that there is none.
public struct CentralImporter {
  /// A kind of table.
  public enum Kind: String, CaseIterable, Sendable {
    /// `name,distance_km,min_speed_kmh,max_speed_kmh,since`
    case segments
    /// `code,name,segment,position_index,phone,since`
    case posts
    /// `name,phone,checkpost,since`
    case rangers
    /// `number,checkpost,valid_from,valid_until`
    case numbers

    /// The columns that the table has at least.
    public var columns: [String] {
      switch self {
      case .segments: ["name", "distance_km", "min_speed_kmh", "max_speed_kmh"]
      case .posts: ["code", "name"]
      case .rangers: ["name", "phone", "checkpost"]
      case .numbers: ["number", "checkpost"]
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
    /// Rows that were put in. A post may stand on several, one for each segment that it ends; it is counted once
    /// below.
    public var rows = 0
    /// Of these, what was not there before.
    public var added = 0
    /// Of these, what was there and said something else.
    public var changed = 0
    /// Of these, what was there and said the same.
    public var unchanged = 0
    /// Of these, what a later row of the table says again, which counts in its place.
    public var repeated = 0
    /// Which rows are said again, and where; at most ``Limits/listedProblems``.
    public var repetitions: [Problem] = []
    /// Rows that were not.
    public var refused = 0
    /// What is wrong with them; at most ``Limits/listedProblems``.
    public var problems: [Problem] = []
  }

  private let store: any CentralStore
  private let now: WallTime
  private let isAlways: Bool
  private let readTime: (String) -> WallTime?

  /// An importer into a store.
  ///
  /// - Parameters:
  ///   - now: What time it is.
  ///   - isAlways: Whether other numbers of a segment always held, and posts always stood where they stand now, so that
  ///     what was judged by those before was wrong; else they do from the moment that the row says, or from now on.
  ///   - readTime: What a text in a column of times means; by default RFC 3339.
  public init(
    store: any CentralStore, now: WallTime, isAlways: Bool = false,
    readTime: @escaping (String) -> WallTime? = { WallTime(rfc3339: $0) }
  ) {
    self.store = store
    self.now = now
    self.isAlways = isAlways
    self.readTime = readTime
  }

  /// Puts the rows of a CSV file in.
  ///
  /// - Throws: What is wrong with the store; a header without its columns is a problem of its line.
  public func read(_ bytes: [UInt8], as kind: Kind) throws(StorageError) -> Outcome {
    try read([(bytes, kind)])[0]
  }

  /// Puts the rows of CSV files in, all in one transaction: whoever looks sees the directory as it was or as it
  /// is, and posts may change places across files.
  ///
  /// - Returns: What came of each file, in their order.
  /// - Throws: What is wrong with the store, of which nothing changed then.
  public func read(
    _ files: [(bytes: [UInt8], kind: Kind)]
  ) throws(StorageError) -> [Outcome] {
    try put(prepare(files))
  }

  /// What files say, before anything of it is put in.
  public struct Prepared {
    fileprivate var known: KnownDirectory
    fileprivate var tables: [[Row]]
    /// What would be put in.
    public var entries: [DirectoryEntry] {
      tables.flatMap { $0.compactMap { $0.isFurther ? nil : try? $0.entry.get() } }
    }

    /// Whether what is there may be judged otherwise by it.
    public var judgesAnew: Bool { entries.contains { known.judgesAnew($0) } }
  }

  /// Reads files, and puts nothing in.
  public func prepare(
    _ files: [(bytes: [UInt8], kind: Kind)]
  ) throws(StorageError) -> Prepared {
    let known = try KnownDirectory(store)
    let tables = files.map {
      let rows = CentralImporter.refusing(rows($0.bytes, $0.kind))
      return joining(CentralImporter.refusingHalves(holding(rows, known), known), known)
    }
    return Prepared(known: known, tables: tables)
  }

  /// Puts in what files say.
  public func put(_ prepared: Prepared) throws(StorageError) -> [Outcome] {
    let (known, tables) = (prepared.known, prepared.tables)
    var refusals = try store.put(prepared.entries)[...]
    // Who stands at an end that somebody else wants, and which segments there are, is known once all are put in.
    var ends = Ends()
    if refusals.contains(.endTaken) || refusals.contains(.unknownReference)
      || tables.contains(where: { $0.contains { $0.isWithheld } })
    {
      ends = Ends(segments: Set(try store.segments().map(\.name)), posts: try store.posts())
    }
    return tables.map { outcome($0, &refusals, known, ends) }
  }

  private func rows(_ bytes: [UInt8], _ kind: Kind) -> [Row] {
    var table = CSVTable(requiring: kind.columns)
    do {
      let rows = try (table.read(bytes) + table.finish()).map { row($0, kind) }
      guard table.hasHeader || !rows.isEmpty else {
        let columns = kind.columns.joined(separator: ",")
        return [
          Row(1, .failure(RowError(words: "the file is empty; its first line names \(columns)")))
        ]
      }
      return rows
    } catch {
      return [Row(error.line, .failure(RowError(words: error.reason.description)))]
    }
  }

  /// The rows, those of segments with what held before, by what is there and what all rows of the segment say.
  private func holding(_ rows: [Row], _ known: KnownDirectory) -> [Row] {
    var dated: [String: [(since: WallTime?, segment: Segment)]] = [:]
    for row in rows {
      guard case .success(.segment(let segment)) = row.entry else { continue }
      dated[segment.name, default: []].append((row.since, segment))
    }
    var held: [String: Segment] = [:]
    for (name, versions) in dated {
      var segment = isAlways ? nil : known.segment(name)
      for version in versions.sorted(by: {
        ($0.since?.milliseconds ?? .min) < ($1.since?.milliseconds ?? .min)
      }) {
        guard let before = segment, !isAlways else {
          segment = version.segment
          continue
        }
        // What is as it was has nothing to hold from.
        if version.since == nil, before.isAlike(version.segment) { continue }
        segment = before.changed(to: version.segment, since: (version.since ?? now).epochSeconds)
      }
      held[name] = segment
    }
    return rows.map { row in
      guard case .success(.segment(let segment)) = row.entry, let now = held[segment.name] else {
        return row
      }
      var row = row
      row.entry = .success(.segment(now))
      return row
    }
  }

  /// The rows, those that contradict each other as wrong.
  private static func refusing(_ rows: [Row]) -> [Row] {
    let contradictions = ImportContradictions(
      rows.compactMap { row in (try? row.entry.get()).map { (row.line, $0, row.since) } })
    return rows.map { row in
      contradictions.words[row.line].map { row.refused($0) } ?? row
    }
  }

  /// The rows, those of a post of which another row is wrong as wrong too: a post is put in with all of its segments
  /// or not at all. Of a row that cannot be read nobody knows which post it is of: no post that is there loses a
  /// segment then.
  private static func refusingHalves(_ rows: [Row], _ known: KnownDirectory) -> [Row] {
    let failed = rows.filter { if case .failure = $0.entry { true } else { false } }
    guard !failed.isEmpty else { return rows }
    let wrong = Set(failed.compactMap(\.post))
    let unread = failed.first { $0.isUnread }?.line
    var places: [CheckpostCode: Set<Post.Place>] = [:]
    for row in rows {
      guard case .success(.post(let post, let knowing)) = row.entry, knowing.contains(.place) else {
        continue
      }
      places[post.code, default: []].formUnion(post.places)
    }
    return rows.map { row in
      guard case .success(.post(let post, _)) = row.entry else { return row }
      if wrong.contains(post.code) { return row.withheld(at: post.place, otherLine(of: post.code)) }
      guard let unread, let now = places[post.code],
        let lost = known.places(of: post.code).first(where: { place in
          !now.contains { $0.segment == place.segment }
        })
      else { return row }
      return row.withheld(
        at: post.place,
        "line \(unread) cannot be read, and \(post.code) would lose the segment \(lost.segment);"
          + " put that line right and import the file again")
    }
  }

  private static func otherLine(of post: CheckpostCode) -> String {
    "another line of \(post) is wrong; a post is put in with all of its segments or not at all"
  }

  /// The rows, those of one post at several segments or from several moments on each with all of its places, and with
  /// where it stood before.
  private func joining(_ rows: [Row], _ known: KnownDirectory) -> [Row] {
    var dated: [CheckpostCode: [WallTime?: Set<Post.Place>]] = [:]
    for row in rows {
      guard case .success(.post(let post, let knowing)) = row.entry, knowing.contains(.place) else {
        continue
      }
      dated[post.code, default: [:]][row.since, default: []].formUnion(post.places)
    }
    var held: [CheckpostCode: Post] = [:]
    for (code, versions) in dated { held[code] = moved(code, to: versions, known) }
    var seen: [CheckpostCode: Set<Stay>] = [:]
    return rows.map { row in
      guard case .success(.post(var post, let known)) = row.entry else { return row }
      var row = row
      let isNew = seen[post.code, default: []].insert(Stay(place: post.place, since: row.since))
        .inserted
      row.place = post.place
      row.isFurther = isNew && (seen[post.code]?.count ?? 0) > 1
      post.places = held[post.code]?.places ?? []
      post.earlier = held[post.code]?.earlier ?? []
      row.entry = .success(.post(post, knowing: known))
      return row
    }
  }

  /// What one row says of where its post stands.
  private struct Stay: Hashable {
    var place: Post.Place?
    var since: WallTime?
  }

  /// A post with where it stands and stood, by what is there and what all of its rows say. One that never stood at a
  /// segment always stood where it is named first without a day.
  private func moved(
    _ code: CheckpostCode, to versions: [WallTime?: Set<Post.Place>], _ known: KnownDirectory
  ) -> Post {
    let before = known.post(code)
    var post = Post(code: code, name: "")
    if !isAlways { (post.places, post.earlier) = (before?.places ?? [], before?.earlier ?? []) }
    for (since, places) in versions.sorted(by: {
      ($0.key?.milliseconds ?? .min) < ($1.key?.milliseconds ?? .min)
    }) {
      let places = places.sorted()
      if let since {
        post = post.changed(to: places, since: since.epochSeconds)
      } else if post.places.isEmpty && post.earlier.isEmpty {
        post.places = places
      } else if post.places != places {
        // What is as it was has nothing to hold from.
        post = post.changed(to: places, since: now.epochSeconds)
      }
    }
    return post
  }

  /// What a row says, or what is wrong with it.
  fileprivate struct Row {
    var line: Int
    var entry: Result<DirectoryEntry, RowError>
    /// Whether it names a further segment of a post that an earlier row named, and whose places are put in with that
    /// row.
    var isFurther = false
    /// The place of its post that it names itself; other rows may name further ones.
    var place: Post.Place?
    /// The post that it is about, of a row of posts, also of one that is wrong.
    var post: CheckpostCode?
    /// Since when it holds, of a row of segments or posts that says so.
    var since: WallTime?
    /// Whether it cannot be read at all, so that nobody knows what it is about.
    var isUnread = false
    /// Whether nothing is wrong with it but another row.
    var isWithheld = false

    init(_ line: Int, _ entry: Result<DirectoryEntry, RowError>) {
      self.line = line
      self.entry = entry
      if case .success(.post(let post, _)) = entry { self.post = post.code }
    }

    /// The same as one that is wrong.
    func refused(_ words: String) -> Row {
      var row = self
      row.entry = .failure(RowError(words: words))
      return row
    }

    /// The same as one that is refused for another row, with the place that it names: what stands there may be wrong
    /// with itself.
    func withheld(at place: Post.Place?, _ words: String) -> Row {
      var row = refused(words)
      row.isWithheld = true
      row.place = place
      return row
    }
  }

  /// What stands at the ends of segments.
  private struct Ends {
    var segments: Set<String> = []
    var posts: [Post] = []

    /// Why a post cannot stand at a place; nil where nothing is in its way.
    func fault(of place: Post.Place, for code: CheckpostCode) -> String? {
      guard segments.contains(place.segment) else {
        return "the segment \(place.segment) is not known; import it first"
      }
      let others = posts.filter { $0.code != code }
      if let other = others.first(where: { $0.places.contains(place) }) {
        return "another post, \(other.code), stands at that end of the segment already"
      }
      return others.first { $0.stays.contains { $0.place == place } }.map {
        "another post, \($0.code), stood at that end of the segment then; put since right, or that post first"
      }
    }
  }

  fileprivate struct RowError: Error {
    var words: String
  }

  private func row(_ entry: CSVTable.Entry, _ kind: Kind) -> Row {
    switch entry {
    case .failure(let fault):
      var row = Row(fault.line, .failure(RowError(words: fault.reason.description)))
      row.isUnread = true
      return row
    case .success(let record):
      do throws(RowError) {
        let entry: DirectoryEntry =
          switch kind {
          case .segments: .segment(try segment(record))
          case .posts: try post(record)
          case .rangers: .ranger(try ranger(record), since: try since(record))
          case .numbers: .number(try number(record))
          }
        var row = Row(record.line, .success(entry))
        if kind == .segments || kind == .posts { row.since = try since(record) }
        if kind == .posts, row.since != nil, !record.hasColumn("segment") {
          throw RowError(
            words: "since says from when on a post stands at its segment; name the segment too")
        }
        guard row.since == nil || !isAlways else {
          throw RowError(
            words:
              "since says from when on it holds, and --always that it always did; leave one out")
        }
        return row
      } catch {
        var row = Row(record.line, .failure(error))
        if kind == .posts {
          row.post = record["code"].flatMap { try? CheckpostCode($0) }
          row.isUnread = row.post == nil
        }
        return row
      }
    }
  }

  /// Tells of the rows that are wrong, in their order.
  ///
  /// - Parameters:
  ///   - refusals: What the store said of the rows that were put in; those of these rows are taken from it.
  ///   - known: What was there before.
  ///   - ends: What stands at the ends of segments now, where a post could not.
  private func outcome(
    _ rows: [Row], _ refusals: inout ArraySlice<DirectoryRefusal?>, _ known: KnownDirectory,
    _ ends: Ends
  ) -> Outcome {
    var outcome = Outcome()
    var accepted: [(line: Int, entry: DirectoryEntry)] = []
    var further = 0
    // What came of each post, for its further rows.
    var said: [CheckpostCode: DirectoryRefusal?] = [:]
    for row in rows {
      let words: String?
      switch row.entry {
      case .failure(let error):
        let own = row.isWithheld ? row.place : nil
        words =
          row.post.flatMap { post in own.flatMap { ends.fault(of: $0, for: post) } }
          ?? error.words
      case .success(let entry):
        var refusal: DirectoryRefusal?
        if case .post(let post, _) = entry, row.isFurther {
          refusal = said[post.code] ?? nil
        } else {
          refusal = refusals.popFirst() ?? nil
          if case .post(let post, _) = entry { said[post.code] = .some(refusal) }
        }
        words = refusal.map { CentralImporter.words($0, entry, row.place, ends) }
        if words == nil {
          if row.isFurther { further += 1 } else { accepted.append((row.line, entry)) }
        }
      }
      guard let words else { continue }
      outcome.refused += 1
      if outcome.problems.count < Limits.listedProblems {
        outcome.problems.append(Problem(line: row.line, words: words))
      }
    }
    outcome.count(accepted, known)
    outcome.rows += further
    return outcome
  }

  private func segment(_ record: CSVRecord) throws(RowError) -> Segment {
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
      throw RowError(words: error.description)
    }
  }

  private func post(_ record: CSVRecord) throws(RowError) -> DirectoryEntry {
    var place: Post.Place?
    if let segment = record["segment"] {
      guard let index = record["position_index"].flatMap({ Int($0) }), (0...1).contains(index)
      else { throw RowError(words: "position_index has to be 0 or 1 for a post on a segment") }
      place = Post.Place(segment: segment, index: index)
    } else if record["position_index"] != nil {
      throw RowError(words: "position_index says nothing without the segment; name both or neither")
    }
    let phone = try record["phone"].map { text throws(RowError) in
      try CentralImporter.phone(text)
    }
    var known: PostKnowledge = []
    if record.hasColumn("segment") { known.insert(.place) }
    if record.hasColumn("phone") { known.insert(.phone) }
    return .post(
      Post(
        code: try code(try text("code", record)), name: try text("name", record), place: place,
        phone: phone), knowing: known)
  }

  private func ranger(_ record: CSVRecord) throws(RowError) -> Ranger {
    Ranger(
      name: try text("name", record),
      phone: try CentralImporter.phone(try text("phone", record)),
      checkpost: try code(try text("checkpost", record)))
  }

  private func since(_ record: CSVRecord) throws(RowError) -> WallTime? {
    guard let since = try time("since", record) else { return nil }
    // What the row says counts at once, so that it would be half true until then.
    guard since <= now else {
      throw RowError(words: "since lies ahead; import the row again when it is so")
    }
    return since
  }

  private func number(_ record: CSVRecord) throws(RowError) -> SenderBinding {
    let binding = SenderBinding(
      number: try CentralImporter.phone(try text("number", record), "number"),
      post: try code(try text("checkpost", record)), validFrom: try time("valid_from", record),
      validUntil: try time("valid_until", record))
    if let from = binding.validFrom, let until = binding.validUntil, until <= from {
      throw RowError(words: "valid_until has to be later than valid_from")
    }
    return binding
  }

  private func time(_ name: String, _ record: CSVRecord) throws(RowError) -> WallTime? {
    guard let text = record[name] else { return nil }
    guard let time = readTime(text) else {
      throw RowError(words: "\(name) is no time; write 2026-11-21T00:00:00Z or 2026-11-21")
    }
    return time
  }

  private func text(_ name: String, _ record: CSVRecord) throws(RowError) -> String {
    guard let text = record[name] else { throw RowError(words: "\(name) is missing") }
    return text
  }

  private func number(_ name: String, _ record: CSVRecord) throws(RowError) -> Double {
    guard let number = Double(try text(name, record)) else {
      throw RowError(words: "\(name) is no number")
    }
    return number
  }

  private func code(_ text: String) throws(RowError) -> CheckpostCode {
    do {
      return try CheckpostCode(text)
    } catch {
      throw RowError(words: error.description)
    }
  }

  private static func phone(
    _ text: String, _ name: String = "phone"
  ) throws(RowError) -> PhoneNumber {
    // A short code is a sender to be known, and nobody's telephone.
    guard let number = PhoneNumber(text), number.digits.utf8.count > 6 else {
      throw RowError(words: "\(name) \(text.debugDescription) is no phone number; write +977…")
    }
    return number
  }

  /// What the store's refusal means for a row.
  private static func words(
    _ refusal: DirectoryRefusal, _ entry: DirectoryEntry, _ place: Post.Place?, _ ends: Ends
  ) -> String {
    switch (refusal, entry) {
    case (.rule(let words), _): words
    case (_, .post(let post, _)): words(refusal, post, place, ends)
    case (.unknownReference, .ranger(let ranger, _)):
      "the post \(ranger.checkpost) is not known; import it first"
    case (.unknownReference, .number(let binding)):
      "the post \(binding.post) is not known; import it first"
    case (.unknownReference, .segment): "it names what is not known; import that first"
    case (.endTaken, _): "another post stands at that end of the segment already"
    }
  }

  /// The same of a post, which is refused with all of its rows: each says what is wrong with its own place.
  private static func words(
    _ refusal: DirectoryRefusal, _ post: Post, _ place: Post.Place?, _ ends: Ends
  ) -> String {
    if let words = place.flatMap({ ends.fault(of: $0, for: post.code) }) { return words }
    if post.places.contains(where: { ends.fault(of: $0, for: post.code) != nil }) {
      return otherLine(of: post.code)
    }
    // The row that was in the way is itself refused by now.
    return refusal == .endTaken
      ? "another post stands at that end of the segment already"
      : "it names a segment that is not known; import it first"
  }
}

extension CentralImporter.Outcome {
  /// Counts rows that were put in, by what they changed. Of several that say the same thing the last one counts.
  fileprivate mutating func count(
    _ accepted: [(line: Int, entry: DirectoryEntry)], _ known: KnownDirectory
  ) {
    rows = accepted.count
    var last: [String: Int] = [:]
    for row in accepted { last[row.entry.key] = row.line }
    for row in accepted {
      if let line = last[row.entry.key], line != row.line {
        repeated += 1
        guard repetitions.count < Limits.listedProblems else { continue }
        repetitions.append(
          CentralImporter.Problem(
            line: row.line,
            words: "\(row.entry.key) stands on line \(line) again, and that one counts"))
        continue
      }
      switch known.change(by: row.entry) {
      case .added: added += 1
      case .changed: changed += 1
      case .unchanged: unchanged += 1
      }
    }
  }
}
