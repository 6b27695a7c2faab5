/// The function by which somebody who signed in confirms a pair that was found at a post.
///
/// Whether two passages are one travel is judged as they come, and nobody but the judgement says so: this tells
/// what stands. Of a pair that is 409, as of every passage that has a partner, with what came of it.
public enum MatchFunction {
  /// What is answered.
  ///
  /// - Parameter body: An object with `entry_passage_id` and `exit_passage_id`.
  public static func answer(
    _ body: [UInt8], as principal: RestPrincipal, from store: some RestStore
  ) -> RestAnswer {
    guard !principal.isAnonymous else { return refusal(401, "Unauthorized") }
    guard body.count <= RestLimits.bodyBytes, let members = RestJSON(body)?.object else {
      return refusal(400, "Invalid JSON body")
    }
    guard let one = members["entry_passage_id"]?.text, let other = members["exit_passage_id"]?.text,
      !one.isEmpty, !other.isEmpty
    else { return refusal(400, "entry_passage_id and exit_passage_id are required") }
    guard one != other else { return refusal(400, "The passages must be different") }
    do throws(RestError) {
      guard let first = try passage(one, principal, store),
        let last = try passage(other, principal, store)
      else { return refusal(400, "Passage not found") }
      return try answer(first, last, store)
    } catch {
      return refusal(error.status(isAnonymous: false), error.message)
    }
  }

  private struct Passage {
    var members: [String: RestJSON]
    var recordedAt: Int64

    func text(_ name: String) -> String { members[name]?.text ?? "" }
  }

  private static func answer(
    _ one: Passage, _ other: Passage, _ store: some RestStore
  ) throws(RestError) -> RestAnswer {
    func differ(_ name: String) -> Bool { one.text(name) != other.text(name) }
    if differ("plate_number") { return refusal(400, "The plates are not the same") }
    if !differ("checkpost_id") { return refusal(400, "Both are of the same checkpost") }
    let (entry, exit) = one.recordedAt <= other.recordedAt ? (one, other) : (other, one)
    // A post may end several segments, and its passages are shown with the first of them: two that are a travel are one
    // whatever segments they name. The answer says what came of the pair as well.
    let segment = differ("segment_id") ? try shared(one, other, store) : one.text("segment_id")
    if entry.text("matched_passage_id") == exit.text("id") {
      return matchedAlready(
        entry, try told(entry, exit, on: segment ?? entry.text("segment_id"), store))
    }
    for passage in [entry, exit] where !passage.text("matched_passage_id").isEmpty {
      return matchedAlready(passage, [:])
    }
    if segment == nil { return refusal(400, "The segments are not the same") }
    // Two that are a travel are paired as the second one comes; these were judged, and are none.
    return refusal(
      400,
      try isSeenBetween(entry, exit, store)
        ? "The two passages were judged, and are not one travel: the vehicle was seen in between"
        : "The two passages were judged, and are not one travel: they lie too far apart, or one was withdrawn"
    )
  }

  /// Whether another passage of the vehicle lies between two.
  private static func isSeenBetween(
    _ entry: Passage, _ exit: Passage, _ store: some RestStore
  ) throws(RestError) -> Bool {
    let table = Catalogue.passages
    guard let plate = table.column("plate_number"), let time = table.column("recorded_at") else {
      return false
    }
    let read = RestRead(
      selection: try RestSelection("id", of: table, for: .service),
      filter: .all([
        .compare(plate, .equal, .text(entry.text("plate_number"))),
        .compare(time, .atLeast, .time(entry.recordedAt)),
        .compare(time, .atMost, .time(exit.recordedAt)),
      ]), visible: RestPolicy.visible(table, to: .service))
    return try store.read(read).rows.count > 2
  }

  /// The segment that the posts of both end; nil where none lies between them. A passage at a post that ends several
  /// stands under one of them.
  private static func shared(
    _ one: Passage, _ other: Passage, _ store: some RestStore
  ) throws(RestError) -> String? {
    var ends: [[String]] = []
    for passage in [one, other] {
      let row = try rows(
        Catalogue.checkposts, "id", passage.text("checkpost_id"), "segment_ids", .service, store
      ).first
      ends.append(row?["segment_ids"]?.texts ?? [])
    }
    return ends[0].first { ends[1].contains($0) }
  }

  private static func matchedAlready(
    _ passage: Passage, _ pair: [String: RestJSON]
  ) -> RestAnswer {
    var members = pair
    members["error"] = "Passage already matched"
    members["passage_id"] = .text(passage.text("id"))
    return .json(409, RestJSON.object(members).written, type: "application/json")
  }

  private static func told(
    _ entry: Passage, _ exit: Passage, on segment: String, _ store: some RestStore
  ) throws(RestError) -> [String: RestJSON] {
    let row = try rows(
      Catalogue.violations, "entry_passage_id", entry.text("id"),
      "id,type:violation_type,threshold_minutes,calculated_speed_kmh", .service, store
    ).first
    let alerts = try rows(
      Catalogue.alerts, "resolved_by_passage_id", exit.text("id"), "id", .service, store)
    let hundredths = ((exit.recordedAt - entry.recordedAt) / 100_000 + 3) / 6
    let rest = "\(hundredths % 100)"
    return [
      "entry_passage_id": .text(entry.text("id")), "exit_passage_id": .text(exit.text("id")),
      "plate_number": .text(entry.text("plate_number")),
      "segment_id": .text(segment),
      "travel_time_minutes": .number(
        "\(hundredths / 100).\(rest.utf8.count == 1 ? "0" : "")\(rest)"),
      "violation": row.map { .object($0) } ?? .null,
      "alerts_resolved": .number("\(alerts.count)"),
    ]
  }

  private static func passage(
    _ id: String, _ principal: RestPrincipal, _ store: some RestStore
  ) throws(RestError) -> Passage? {
    guard let id = RestIdentifier.canonical(id) else { return nil }
    let columns = "id,plate_number,segment_id,checkpost_id,matched_passage_id,recorded_at"
    var row = try rows(Catalogue.passages, "id", id, columns, principal, store).first
    if row == nil {
      // Of one that became part of another row its post knows the identity alone that it came under. What is answered is of
      // the row, whichever of its identities it is asked by: under another one it may lie at another moment.
      row = try rows(Catalogue.passages, "client_id", id, columns, principal, store).first
      if let own = row?["id"]?.text {
        row = try rows(Catalogue.passages, "id", own, columns, .service, store).first ?? row
      }
    }
    guard let row, let time = row["recorded_at"]?.text, let recordedAt = try? RestMoment.read(time)
    else { return nil }
    return Passage(members: row, recordedAt: recordedAt)
  }

  /// Rows by the value of one of their columns.
  static func rows(
    _ table: RestTable, _ name: String, _ value: String, _ columns: String,
    _ principal: RestPrincipal, _ store: some RestStore
  ) throws(RestError) -> [[String: RestJSON]] {
    guard let column = table.column(name) else { return [] }
    let read = RestRead(
      selection: try RestSelection(columns, of: table, for: principal),
      filter: .compare(column, .equal, .text(value)),
      visible: RestPolicy.visible(table, to: principal))
    return try store.read(read).rows.compactMap { RestJSON(Array($0.utf8))?.object }
  }

  private static func refusal(_ status: Int, _ message: String) -> RestAnswer {
    .json(
      status, RestJSON.object(["error": .text(message)]).written, type: "application/json")
  }
}

extension RestStore {
  /// The UUIDs of a post and of its segment; nil where there is no such post.
  ///
  /// - Parameter code: Its code.
  public func place(ofPost code: String) throws(RestError) -> RestPlace? {
    let row = try MatchFunction.rows(
      Catalogue.checkposts, "code", code, "id,segment_id,segment_ids", .service, self
    ).first
    guard let id = row?["id"]?.text else { return nil }
    guard let segment = row?["segment_id"]?.text else { return RestPlace(post: id) }
    let further = (row?["segment_ids"]?.texts ?? []).filter { $0 != segment }
    return RestPlace(
      post: id, segment: segment, furtherSegments: further,
      // What it recorded before it stood there stands under another segment as well.
      postsElsewhere: try posts(endingOneOf: [segment] + further) + [id])
  }

  /// Posts at the ends of segments whose own rows name none of these.
  private func posts(endingOneOf segments: [String]) throws(RestError) -> [String] {
    let table = Catalogue.checkposts
    guard let named = table.column("segment_id"), let all = table.column("segment_ids") else {
      return []
    }
    let read = RestRead(
      selection: try RestSelection("id", of: table, for: .service),
      filter: .all([
        .any(segments.map { .like(all, "%\($0)%", ignoresCase: false) }),
        .not(.oneOf(named, segments.map { .text($0) })),
      ]), visible: .everything)
    return try self.read(read).rows.compactMap { RestJSON(Array($0.utf8))?.object?["id"]?.text }
  }

  /// The UUID of the post of a passage; nil where there is no such passage or its post is not known.
  ///
  /// - Parameters:
  ///   - id: The UUID of the passage, or an identity that it came under, canonical.
  ///   - principal: Who has to be able to see it.
  public func post(
    ofPassage id: String, seenBy principal: RestPrincipal
  ) throws(RestError) -> (isThere: Bool, post: String?) {
    for column in ["id", "client_id"] {
      let row = try MatchFunction.rows(
        Catalogue.passages, column, id, "checkpost_id", principal, self
      ).first
      if let row { return (true, row["checkpost_id"]?.text) }
    }
    return (false, nil)
  }
}

/// Where somebody serves, in the names that others know.
public struct RestPlace: Hashable, Sendable {
  /// The UUID of the post.
  public var post: String
  /// The UUID of the post's segment; nil of one that belongs to none.
  public var segment: String?
  /// Those of the further segments that it ends.
  public var furtherSegments: [String] = []
  /// Those of the posts at the other ends whose passages stand under another segment, and of the post itself.
  public var postsElsewhere: [String] = []
}

extension RestPrincipal {
  /// The same with where they serve; nowhere where that is nil.
  public func serving(at place: RestPlace?) -> RestPrincipal {
    var principal = self
    principal.post = place?.post
    principal.segment = place?.segment
    principal.furtherSegments = place?.furtherSegments ?? []
    principal.postsElsewhere = place?.postsElsewhere ?? []
    return principal
  }
}

extension RestJSON {
  /// The texts of a list; nil of anything else.
  fileprivate var texts: [String]? {
    if case .list(let list) = self { list.compactMap(\.text) } else { nil }
  }
}
