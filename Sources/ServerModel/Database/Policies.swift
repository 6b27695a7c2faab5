/// Who asks the database, and what it lets through for them.
struct ModelCaller: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case anonymous
    case user
    case admin
    /// The service itself, for which row security is off.
    case service
  }

  var kind: Kind
  var id: Cell = .null
  var post: Cell = .null
  var segment: Cell = .null

  static let anonymous = ModelCaller(kind: .anonymous)
  static let service = ModelCaller(kind: .service)

  /// A signed-in user, with the post of his profile and its segment.
  init(user id: String, in database: Database) {
    kind = .user
    self.id = .text(id)
    guard let profiles = database.shelves["user_profiles"], let profile = profiles.row(self.id)
    else { return }
    let table = profiles.table
    if table.row(profile, "role") == .text("admin") { kind = .admin }
    post = table.row(profile, "assigned_checkpost_id")
    guard let posts = database.shelves["checkposts"], let row = posts.row(post) else { return }
    segment = posts.table.row(row, "segment_id")
  }

  init(kind: Kind) {
    self.kind = kind
  }

  var isService: Bool { kind == .service }
  var isAnonymous: Bool { kind == .anonymous }
  private var seesAll: Bool { kind == .service || kind == .admin }

  private func isMine(_ cell: Cell) -> Bool { !id.isNull && cell == id }
  private func isOfMySegment(_ cell: Cell) -> Bool { !segment.isNull && cell == segment }

  /// Whether a row can be seen.
  func sees(_ row: Row, of table: Table) -> Bool {
    if seesAll { return true }
    if isAnonymous { return false }
    switch table.name {
    case "parks", "highway_segments", "checkposts": return true
    case "user_profiles": return isMine(row[Table.key])
    case "vehicle_passages", "violations", "proactive_overstay_alerts":
      return isOfMySegment(table.row(row, "segment_id"))
    case "sync_metadata": return isMine(table.row(row, "user_id"))
    default: return false
    }
  }

  /// Whether a row may be put in.
  func inserts(_ row: Row, into table: Table) -> Bool {
    if seesAll { return true }
    switch table.name {
    case "vehicle_passages": return !post.isNull && table.row(row, "checkpost_id") == post
    case "sync_metadata": return isMine(table.row(row, "user_id"))
    default: return false
    }
  }

  /// Whether a row may be changed, and may be what it is changed to.
  func updates(_ row: Row, of table: Table) -> Bool {
    if seesAll { return true }
    switch table.name {
    case "vehicle_passages": return isMine(table.row(row, "ranger_id"))
    case "sync_metadata": return isMine(table.row(row, "user_id"))
    default: return false
    }
  }

  /// Whether a row may be removed.
  func deletes(_ row: Row, from table: Table) -> Bool {
    if seesAll { return true }
    return table.name == "sync_metadata" && isMine(table.row(row, "user_id"))
  }
}
