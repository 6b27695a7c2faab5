/// What the deployed server does with pairs: a trigger after each insertion, and a function by which a
/// signed-in user confirms a pair.
extension Database {
  /// What a pair came to.
  struct Pair {
    var entry: Row
    var exit: Row
    var minutes: Double
    var violation: Row?
    var alertsResolved: Int
  }

  /// Links a passage that came with the latest one without a partner, of the same plate text, at
  /// another post of the segment, whatever its age.
  mutating func pair(_ place: Int) throws(SQLError) {
    if let partner = partner(of: place) { _ = try join(partner, place) }
  }

  private func partner(of place: Int) -> Int? {
    guard let shelf = shelves[Self.passages], let row = shelf.rows[place] else { return nil }
    let table = shelf.table
    let (segment, post, matched, recorded) = (
      table.at("segment_id"), table.at("checkpost_id"), table.at("matched_passage_id"),
      table.at("recorded_at")
    )
    guard row[matched].isNull else { return nil }
    return (plates[row[table.at("plate_number")]] ?? [])
      .filter {
        guard let other = shelf.rows[$0], $0 != place else { return false }
        return other[matched].isNull && other[segment] == row[segment] && other[post] != row[post]
      }
      .max { (shelf.rows[$0]?[recorded].time ?? 0) < (shelf.rows[$1]?[recorded].time ?? 0) }
  }

  /// Links two passages, writes at most one violation and ends the plate's open alerts.
  mutating func join(_ one: Int, _ other: Int) throws(SQLError) -> Pair? {
    guard let table = table(Self.passages) else { return nil }
    let recorded = table.at("recorded_at")
    let times = [one, other].map { row(Self.passages, $0)?[recorded].time ?? 0 }
    let (first, last) = times[1] < times[0] ? (other, one) : (one, other)
    guard var entry = row(Self.passages, first), var exit = row(Self.passages, last) else {
      return nil
    }
    entry[table.at("matched_passage_id")] = exit[Table.key]
    entry[table.at("is_entry")] = .flag(true)
    exit[table.at("matched_passage_id")] = entry[Table.key]
    exit[table.at("is_entry")] = .flag(false)
    write(entry, in: Self.passages, at: first)
    write(exit, in: Self.passages, at: last)
    let minutes = Double((times.max() ?? 0) - (times.min() ?? 0)) / 60_000_000
    return Pair(
      entry: entry, exit: exit, minutes: minutes,
      violation: try violation(entry, exit, minutes: minutes),
      alertsResolved: resolveAlerts(of: entry, by: exit))
  }

  private mutating func violation(
    _ entry: Row, _ exit: Row, minutes: Double
  ) throws(SQLError) -> Row? {
    guard minutes > 0, let passages = table(Self.passages), let violations = table("violations"),
      let segments = shelves["highway_segments"],
      let segment = segments.row(passages.row(entry, "segment_id"))
    else { return nil }
    func told(_ column: String) -> Double { segments.table.row(segment, column).number ?? 0 }
    let isSpeeding = minutes < told("min_travel_time_minutes")
    guard isSpeeding || minutes > told("max_travel_time_minutes") else { return nil }
    var row = Row(repeating: .null, count: violations.columns.count)
    func set(_ column: String, _ cell: Cell) { row[violations.at(column)] = cell }
    set("id", .text(identifier()))
    set("entry_passage_id", entry[Table.key])
    set("exit_passage_id", exit[Table.key])
    set("segment_id", passages.row(entry, "segment_id"))
    set("violation_type", .text(isSpeeding ? "speeding" : "overstay"))
    set("plate_number", passages.row(entry, "plate_number"))
    set("vehicle_type", passages.row(entry, "vehicle_type"))
    set("entry_time", passages.row(entry, "recorded_at"))
    set("exit_time", passages.row(exit, "recorded_at"))
    set("travel_time_minutes", try Numeric.rounded(minutes, precision: 8, scale: 2))
    set(
      "threshold_minutes",
      .number(told(isSpeeding ? "min_travel_time_minutes" : "max_travel_time_minutes")))
    set(
      "calculated_speed_kmh",
      try Numeric.rounded(told("distance_km") * 60 / minutes, precision: 6, scale: 2))
    set("speed_limit_kmh", .number(told(isSpeeding ? "max_speed_kmh" : "min_speed_kmh")))
    set("distance_km", .number(told("distance_km")))
    set("created_at", .time(now))
    // One for each entry; what is there stays.
    guard conflict(row, in: violations) == nil else { return nil }
    write(row, in: violations.name, at: shelves[violations.name]?.rows.count ?? 0)
    return row
  }

  private mutating func resolveAlerts(of entry: Row, by exit: Row) -> Int {
    guard let passages = table(Self.passages), let shelf = shelves["proactive_overstay_alerts"]
    else { return 0 }
    let table = shelf.table
    var count = 0
    for (place, row) in shelf.rows.enumerated() {
      guard var row, table.row(row, "resolved") == .flag(false),
        table.row(row, "plate_number") == passages.row(entry, "plate_number"),
        table.row(row, "segment_id") == passages.row(entry, "segment_id")
      else { continue }
      row[table.at("resolved")] = .flag(true)
      row[table.at("resolved_at")] = .time(now)
      row[table.at("resolved_by_passage_id")] = exit[Table.key]
      write(row, in: table.name, at: place)
      count += 1
    }
    return count
  }
}
