import Accounts
import CentralCore
import Passages
public import RestAPI
public import Time

/// Writes what central's people may write of parks, segments and posts, the same for every store.
///
/// It goes the way of an import: new numbers of a segment hold from a moment, a post stands elsewhere from a moment, and what a person confirmed or fined is
/// neither changed nor taken back; where that would be so, the request is refused, and names the command that shows what
/// changes and asks.
public struct DirectoryWriting<Rows: DirectoryStore> {
  private let rows: Rows
  private let now: WallTime

  /// Writes into `rows`, inside one transaction, which the caller takes back where this throws.
  public init(into rows: Rows, at now: WallTime) {
    self.rows = rows
    self.now = now
  }

  // MARK: - Rows that are put in

  /// Puts rows in.
  ///
  /// - Returns: The keys of what was put in or changed, and of these those that were there.
  public func insert(
    _ insert: RestInsert
  ) throws(PassageFailure) -> (ids: [String], known: Set<String>) {
    var ids: [String] = []
    var known: Set<String> = []
    for row in insert.rows {
      let same = try self.same(as: row, insert)
      guard let id = same else {
        ids.append(try make(row, insert))
        continue
      }
      guard case .merge = insert.resolution else { continue }
      var values: [String: RestValue] = [:]
      for column in insert.given where column.name != "id" {
        values[column.name] = row[column.name]
      }
      try change(id, values, of: insert.table, since: nil, by: insert.principal)
      ids.append(id)
      known.insert(id)
    }
    return (ids, known)
  }

  /// The row that is there already by the rule that the request names.
  private func same(
    as row: [String: RestValue], _ insert: RestInsert
  ) throws(PassageFailure) -> String? {
    let unique: RestTable.Unique
    switch insert.resolution {
    case .refuse: return nil
    case .ignore(let rule), .merge(let rule): unique = rule
    }
    var filters: [RestFilter] = []
    for name in unique.columns {
      guard let column = insert.table.column(name), let value = row[name], !value.isNull else {
        return nil
      }
      filters.append(.compare(column, .equal, value))
    }
    return try rows.keys(filters, of: insert.table).first
  }

  private func make(
    _ given: [String: RestValue], _ insert: RestInsert
  ) throws(PassageFailure) -> String {
    let table = insert.table
    var values = given
    // A row that names no segments beside its own one has none.
    if values["segment_ids"]?.uuids?.isEmpty == true { values["segment_ids"] = nil }
    let id =
      values["id"]?.text
      ?? ClientID(random: .random(in: .min ... .max), .random(in: .min ... .max)).description
    for unique in table.uniques {
      try checkUnique(unique, values.merging(["id": .text(id)]) { $1 }, but: nil, of: table)
    }
    try checkReferences(values, of: table)
    var row = NewDirectoryRow(values: values)
    row.values["segment_ids"] = nil
    switch table.name {
    case Catalogue.segments.name:
      let name = values["name"]?.text ?? ""
      // Texts and judgements know segments by their names.
      if let column = table.column("name"),
        try !rows.keys([.compare(column, .equal, .text(name))], of: table).isEmpty
      {
        throw .refused(.duplicate("highway_segments_name_key"))
      }
      let segment = try self.segment(named: name, values, before: nil)
      row.segment = segment
      try rows.make(id, in: table, row, at: now)
      try put(.segment(segment), of: table)
    case Catalogue.checkposts.name:
      guard let code = values["code"]?.text.flatMap({ try? CheckpostCode($0) }) else {
        throw .refused(.check(table.name, "code"))
      }
      var post = Post(code: code, name: values["name"]?.text ?? "")
      post.places = try places(values, of: post)
      row.post = post
      try rows.make(id, in: table, row, at: now)
      try put(.post(post, knowing: .place), of: table)
      try checkEffect()
    default: try rows.make(id, in: table, row, at: now)
    }
    try note(.directoryAdded, id, table, values, insert.principal)
    return id
  }

  // MARK: - Rows that are changed

  /// Changes rows.
  public func update(_ update: RestUpdate, of ids: [String]) throws(PassageFailure) {
    var values: [String: RestValue] = [:]
    for change in update.changes { values[change.column.name] = change.value }
    for id in ids {
      try change(id, values, of: update.table, since: update.since, by: update.principal)
    }
  }

  private func change(
    _ id: String, _ values: [String: RestValue], of table: RestTable, since: Int64?,
    by principal: RestPrincipal
  ) throws(PassageFailure) {
    guard !values.isEmpty else { return }
    for unique in table.uniques where unique.columns.contains(where: { values[$0] != nil }) {
      // A place has its own rule below.
      guard unique.columns.count == 1 else { continue }
      try checkUnique(unique, values, but: id, of: table)
    }
    try checkReferences(values, of: table)
    var rest = values
    let from = since.map { WallTime(milliseconds: ($0 - ($0 % 1_000 + 1_000) % 1_000) / 1_000) }
    switch table.name {
    case Catalogue.segments.name:
      for name in ["distance_km", "max_speed_kmh", "min_speed_kmh"] { rest[name] = nil }
      guard let before = try rows.segment(id) else { return }
      try checkFixed("name", .text(before.name), values, of: table)
      rest["name"] = nil
      let numbers = try segment(named: before.name, values, before: before)
      if !before.isAlike(numbers) {
        try put(
          .segment(before.changed(to: numbers, since: (from ?? now).epochSeconds)), of: table)
        // What came before now is judged as it was.
        if let from, from < now { try checkEffect() }
      }
    case Catalogue.checkposts.name:
      for name in ["segment_id", "segment_ids", "position_index", "name"] { rest[name] = nil }
      guard var post = try rows.post(id) else { return }
      try checkFixed("code", .text(post.code.code), values, of: table)
      rest["code"] = nil
      let before = post
      post.name = values["name"]?.text ?? post.name
      if ["segment_id", "segment_ids", "position_index"].contains(where: { values[$0] != nil }) {
        post = try moved(post, to: try places(values, of: post), from: from)
      }
      if post != before { try put(.post(post, knowing: .place), of: table) }
      // What came before now counts for where it stood.
      let isFromNow = from == nil && post.earlier.last?.until == now.epochSeconds
      if post.stays != before.stays, !isFromNow { try checkEffect() }
    default: break
    }
    try rows.set(rest, of: id, in: table, at: now)
    try note(.directoryChanged, id, table, values, principal)
  }

  /// A post that stands elsewhere from a moment on; one that never stood at a segment always did.
  private func moved(
    _ post: Post, to places: [Post.Place], from: WallTime?
  ) throws(PassageFailure) -> Post {
    if let from, from > now {
      throw .refused(
        RestError("23514", "since lies ahead; change the row again when the post is there"))
    }
    var post = post
    if from == nil, post.places.isEmpty, post.earlier.isEmpty {
      post.places = places
    } else if post.places != places || from != nil {
      post = post.changed(to: places, since: (from ?? now).epochSeconds)
    }
    return post
  }

  // MARK: - Rows that are removed

  /// Removes rows.
  public func delete(_ delete: RestDelete, of ids: [String]) throws(PassageFailure) {
    for id in ids {
      try rows.remove(id, from: delete.table)
      try note(.directoryRemoved, id, delete.table, [:], delete.principal)
    }
  }

  // MARK: - Checks

  private func segment(
    named name: String, _ values: [String: RestValue], before: Segment?
  ) throws(PassageFailure) -> Segment {
    func kilometres(_ column: String, _ known: Int64?) -> Double {
      values[column]?.number ?? known.map { Double($0) / 1_000 } ?? 0
    }
    do throws(SegmentError) {
      return try Segment(
        name: name, distanceKilometres: kilometres("distance_km", before?.distanceMetres),
        minimumKilometresPerHour: kilometres("min_speed_kmh", before?.minimumMetresPerHour),
        maximumKilometresPerHour: kilometres("max_speed_kmh", before?.maximumMetresPerHour))
    } catch {
      throw .refused(RestError("23514", error.description))
    }
  }

  /// Refuses another value of what stays as it is; a row that is merged names it again.
  private func checkFixed(
    _ name: String, _ known: RestValue, _ values: [String: RestValue], of table: RestTable
  ) throws(PassageFailure) {
    guard let value = values[name], value != known, let column = table.column(name) else { return }
    throw .refused(.fixed(column, of: table))
  }

  /// Where a post is to stand: of those that `segment_ids` names, and else at its first place and where it stands besides.
  ///
  /// The first of them is where `segment_id` and `position_index` say; of the others it keeps its end, or takes the one
  /// that is free.
  private func places(
    _ values: [String: RestValue], of post: Post
  ) throws(PassageFailure) -> [Post.Place] {
    guard let ids = values["segment_ids"]?.uuids else {
      let place = try self.place(values, before: post.place)
      return (post.places.dropFirst().filter { $0.segment != place.segment } + [place]).sorted()
    }
    var named: [(id: String, segment: String)] = []
    for id in ids {
      guard let segment = try rows.segment(id)?.name else {
        throw .refused(.unknownReference("checkposts", "segment_ids", to: "highway_segments"))
      }
      named.append((id, segment))
    }
    let own = values["segment_id"]?.text
    // Without its own one it would stand nowhere, or under another segment than the same request says.
    guard let first = named.first(where: { $0.id == own })?.segment ?? named.map(\.segment).min(),
      own.map(ids.contains) ?? true
    else { throw .refused(.check("checkposts", "segment_ids")) }
    var places: [Post.Place] = []
    for (id, segment) in named {
      let given = segment == first ? values["position_index"]?.number.map { Int($0) } : nil
      var index = given ?? post.places.first { $0.segment == segment }?.index
      if index == nil { index = try freeEnd(of: segment, id, but: post) }
      places.append(Post.Place(segment: segment, index: index ?? 0))
    }
    return places.sorted()
  }

  /// The end of a segment at which no other post stands; the first one where both are free.
  private func freeEnd(
    of segment: String, _ id: String, but own: Post
  ) throws(PassageFailure) -> Int {
    guard let column = Catalogue.checkposts.column("segment_ids") else { return 0 }
    var taken: Set<Int> = []
    for key in try rows.keys([.list(column, .contains, [id])], of: Catalogue.checkposts) {
      guard let post = try rows.post(key), post.code != own.code else { continue }
      taken.formUnion(post.places.filter { $0.segment == segment }.map(\.index))
    }
    guard let free = [0, 1].first(where: { !taken.contains($0) }) else {
      throw .refused(.duplicate("uq_checkposts_segment_position"))
    }
    return free
  }

  /// Where a post is to stand first.
  private func place(
    _ values: [String: RestValue], before: Post.Place?
  ) throws(PassageFailure) -> Post.Place {
    var segment = before?.segment
    if let id = values["segment_id"]?.text { segment = try rows.segment(id)?.name }
    guard let segment else {
      throw .refused(.unknownReference("checkposts", "segment_id", to: "highway_segments"))
    }
    let index = values["position_index"]?.number.map { Int($0) } ?? before?.index ?? 0
    return Post.Place(segment: segment, index: index)
  }

  private func checkUnique(
    _ unique: RestTable.Unique, _ values: [String: RestValue], but own: String?,
    of table: RestTable
  ) throws(PassageFailure) {
    var filters: [RestFilter] = []
    for name in unique.columns {
      guard let column = table.column(name), let value = values[name], !value.isNull else { return }
      filters.append(.compare(column, .equal, value))
    }
    if try rows.keys(filters, of: table).contains(where: { $0 != own }) {
      throw .refused(.duplicate(unique.name))
    }
  }

  private func checkReferences(
    _ values: [String: RestValue], of table: RestTable
  ) throws(PassageFailure) {
    for reference in table.references {
      guard let value = values[reference.column], !value.isNull,
        let target = Catalogue.table(reference.target), let key = target.columns.first
      else { continue }
      guard try rows.keys([.compare(key, .equal, value)], of: target).isEmpty else { continue }
      throw .refused(.unknownReference(table.name, reference.column, to: reference.target))
    }
  }

  private func put(_ entry: DirectoryEntry, of table: RestTable) throws(PassageFailure) {
    for case let refusal? in try rows.put([entry]) {
      switch refusal {
      case .endTaken: throw .refused(.duplicate("uq_checkposts_segment_position"))
      case .unknownReference:
        throw .refused(.unknownReference(table.name, "segment_id", to: "highway_segments"))
      case .rule(let words): throw .refused(RestError("23514", words))
      }
    }
  }

  /// Refuses what would change what a person confirmed or fined.
  private func checkEffect() throws(PassageFailure) {
    let effect = try rows.effect(at: now)
    let hint =
      "checkpost central import shows what changes, and asks; what a segment or a post says holds from a moment on (since)."
    if effect.settled > 0 {
      throw .refused(
        RestError(
          "0A000",
          "\(effect.settled) violations that are confirmed or fined would be changed or taken back",
          hint: hint, status: 409))
    }
    guard effect.isWhole else {
      throw .refused(
        RestError(
          "54001",
          "more than \(RestLimits.triedVehicles) vehicles would be judged again, and whether what is confirmed or fined"
            + " would change is not known", hint: hint, status: 413))
    }
  }

  /// Writes down who did what: the new values, which are nobody's secret.
  private func note(
    _ kind: AuditEntry.Kind, _ id: String, _ table: RestTable, _ values: [String: RestValue],
    _ principal: RestPrincipal
  ) throws(PassageFailure) {
    let words = table.columns.compactMap { column -> String? in
      guard column.mayBeWritten, let value = values[column.name] else { return nil }
      return "\(column.name) \(value.words)"
    }
    try rows.note(
      AuditEntry(
        at: now, kind, actor: principal.name,
        detail: (["\(table.name) \(id)"] + words).joined(separator: ", ")))
  }
}

extension RestValue {
  /// The value, for people.
  fileprivate var words: String {
    switch self {
    case .null: "none"
    case .text(let text): text
    case .flag(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .time(let micros): RestMoment.text(micros)
    }
  }
}
