/// Which rows whoever asks may see and write: conditions that are added to those of the request.
enum RestPolicy {
  /// Rows that they may see.
  static func visible(_ table: RestTable, to principal: RestPrincipal) -> RestFilter {
    switch principal.role {
    case .service, .admin: return .everything
    case .anonymous: return .nothing
    case .ranger, .post: break
    }
    switch table.name {
    case "parks", "highway_segments", "checkposts": return .everything
    case "user_profiles":
      return principal.role == .post
        ? equal(table, "assigned_checkpost_id", principal.post)
        : equal(table, "id", principal.user)
    case "vehicle_passages":
      let own = ofSegments(table, principal)
      guard !principal.postsElsewhere.isEmpty, let post = table.column("checkpost_id") else {
        return own
      }
      return .any([own, .oneOf(post, principal.postsElsewhere.map { .text($0) })])
    case "violations", "proactive_overstay_alerts": return ofSegments(table, principal)
    case "violation_outcomes":
      guard let column = table.column("violation_id") else { return .nothing }
      return .through(column, Catalogue.violations, ofSegments(Catalogue.violations, principal))
    case "sync_metadata": return equal(table, "user_id", principal.user)
    default: return .nothing
    }
  }

  /// Rows that they may put in.
  ///
  /// - Parameter now: Microseconds since 1970.
  static func insertable(
    _ table: RestTable, by principal: RestPrincipal, at now: Int64
  ) -> RestFilter {
    switch principal.role {
    case .service, .admin: return .everything
    case .anonymous: return .nothing
    case .ranger, .post: break
    }
    switch table.name {
    case "vehicle_passages":
      let ofPost = equal(table, "checkpost_id", principal.post)
      // Of whom a machine of a post may name, the store knows.
      return principal.role == .post
        ? ofPost : .all([ofPost, equal(table, "ranger_id", principal.user)])
    case "violation_outcomes":
      guard let column = table.column("recorded_at") else { return .nothing }
      // One of tomorrow could be changed for longer than a day.
      return .all([
        equal(table, "recorded_by", principal.user),
        .compare(column, .atMost, .time(now + RestLimits.outcomeAheadSeconds * 1_000_000)),
      ])
    case "sync_metadata": return equal(table, "user_id", principal.user)
    default: return .nothing
    }
  }

  /// What the rows of other tables have to be that those name which they put in.
  static func admissible(_ table: RestTable, by principal: RestPrincipal) -> RestFilter {
    switch principal.role {
    case .service, .admin: return .everything
    case .anonymous: return .nothing
    case .ranger, .post: break
    }
    guard table.name == "violation_outcomes", let column = table.column("violation_id") else {
      return .everything
    }
    return .through(
      column, Catalogue.violations, visible(Catalogue.violations, to: principal))
  }

  /// Rows that they may change, and what these may be changed to.
  ///
  /// - Parameter now: Microseconds since 1970.
  static func changeable(
    _ table: RestTable, by principal: RestPrincipal, at now: Int64
  ) -> RestFilter {
    switch principal.role {
    case .service, .admin: return .everything
    case .anonymous: return .nothing
    case .ranger, .post: break
    }
    switch table.name {
    case "vehicle_passages":
      return principal.role == .post
        ? equal(table, "checkpost_id", principal.post)
        : equal(table, "ranger_id", principal.user)
    case "violation_outcomes":
      guard let column = table.column("recorded_at") else { return .nothing }
      return .all([
        equal(table, "recorded_by", principal.user),
        .compare(column, .greater, .time(now - day)),
      ])
    case "sync_metadata": return equal(table, "user_id", principal.user)
    default: return .nothing
    }
  }

  /// Rows that they may remove.
  static func removable(_ table: RestTable, by principal: RestPrincipal) -> RestFilter {
    switch (principal.role, table.name) {
    case (.service, _), (.admin, _): .everything
    case (.ranger, "sync_metadata"): equal(table, "user_id", principal.user)
    default: .nothing
    }
  }

  /// Why a method is none of a table that the deployed policies let central's people write, and what to do instead; nil
  /// where there is nothing to say.
  static func absence(_ table: RestTable, _ method: RestMethod) -> String? {
    switch (table.name, method) {
    case ("user_profiles", .delete):
      "people are not removed, as passages and outcomes name them: change is_active"
    case ("violations", .post), ("violations", .delete), ("proactive_overstay_alerts", .post),
      ("proactive_overstay_alerts", .delete):
      "what was judged follows from passages and the directory, and is not written: write those"
    default: nil
    }
  }

  /// What may be written at all: everything else is what was judged. Of whose rows, the other
  /// conditions say.
  static func isWritable(_ table: RestTable, by method: RestMethod) -> Bool {
    switch (table.name, method) {
    case ("vehicle_passages", .post), ("vehicle_passages", .patch), ("vehicle_passages", .delete):
      true
    case ("user_profiles", .post), ("user_profiles", .patch), ("violations", .patch),
      ("proactive_overstay_alerts", .patch):
      true
    case ("parks", _), ("highway_segments", _), ("checkposts", _): true
    case ("violation_outcomes", .post), ("violation_outcomes", .patch),
      ("violation_outcomes", .delete):
      true
    case ("sync_metadata", _): true
    default: false
    }
  }

  /// What of that is written by central's people alone.
  static func isOfPeople(_ table: RestTable, _ method: RestMethod) -> Bool {
    switch (table.name, method) {
    case ("vehicle_passages", .delete), ("user_profiles", .patch), ("violations", .patch),
      ("proactive_overstay_alerts", .patch):
      true
    default: false
    }
  }

  private static let day: Int64 = 86_400 * 1_000_000

  /// What is of the segments that somebody's post ends.
  private static func ofSegments(_ table: RestTable, _ principal: RestPrincipal) -> RestFilter {
    guard let segment = principal.segment, !principal.furtherSegments.isEmpty,
      let column = table.column("segment_id")
    else { return equal(table, "segment_id", principal.segment) }
    return .oneOf(column, ([segment] + principal.furtherSegments).map { .text($0) })
  }

  private static func equal(_ table: RestTable, _ name: String, _ value: String?) -> RestFilter {
    guard let value, let column = table.column(name) else { return .nothing }
    return .compare(column, .equal, .text(value))
  }
}
