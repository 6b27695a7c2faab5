public import CentralCore
public import Passages
import PostgreSQL
public import Storage
public import Time

/// Segments, posts, rangers and numbers. They stand in the deployed tables; what these have no column for stands
/// beside them.
extension PostgreSQLCentralStore {
  /// Puts posts, segments, rangers and numbers in, in one transaction. Whatever has an identifier keeps it.
  public func put(_ entries: [DirectoryEntry]) throws(StorageError) -> [DirectoryRefusal?] {
    guard !entries.isEmpty else { return [] }
    return try writeInTurn { connection throws(PostgreSQLError) in
      try PostgreSQLCentralStore.put(entries, connection)
    }
  }

  /// Puts them in, judges by it, and undoes all of it.
  public func trial(
    _ entries: [DirectoryEntry], rules: JudgingRules, vehicles: Int, at wall: WallTime
  ) throws(StorageError) -> DirectoryTrial {
    guard !entries.isEmpty else { return DirectoryTrial() }
    return try writeInTurn { connection throws(PostgreSQLError) in
      connection.rollBackAtEnd()
      _ = try PostgreSQLCentralStore.put(entries, connection)
      return try DirectoryTrial(vehicles: vehicles) { count throws(PostgreSQLError) in
        try JudgingDatabase(connection).rejudge(
          rules: rules, everything: false, limit: count, at: wall)
      }
    }
  }

  /// Puts entries in, inside a transaction of those that come one after the other.
  static func put(
    _ entries: [DirectoryEntry], _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [DirectoryRefusal?] {
    // What is there is judged again in steps, however little it is: the service tells what that changes.
    try connection.query("SELECT set_config('checkpost.judge_later', 'on', true)")
    let plan = DirectoryPlan(
      entries, posts: try DirectoryTables.posts(connection),
      segments: try DirectoryTables.segments(connection).map(\.name))
    var refusals = plan.refusals
    for code in plan.leaving {
      try connection.query("SELECT checkpost.leave_place($1)", [.text(code.code)])
    }
    var profiles = try DirectoryTables.profiles(connection)
    for write in plan.writes {
      guard !write.entry.names.contains(where: { $0.utf8.contains(0) }) else {
        refusals[write.index] = .rule("a name has a zero character")
        continue
      }
      do throws(PostgreSQLError) {
        try connection.savepoint { connection throws(PostgreSQLError) in
          try DirectoryTables.put(write.entry, &profiles, connection)
        }
      } catch {
        guard let report = error.report, [.constraint, .data, .denied].contains(error.kind)
        else { throw error }
        refusals[write.index] = DirectoryRefusal(report)
      }
    }
    return refusals
  }

  /// Every segment, by name.
  public func segments() throws(StorageError) -> [Segment] {
    try run { connection throws(PostgreSQLError) in try DirectoryTables.segments(connection) }
  }

  /// Every post, by code.
  public func posts() throws(StorageError) -> [Post] {
    try run { connection throws(PostgreSQLError) in try DirectoryTables.posts(connection) }
  }

  /// Every ranger, by number: the profiles that are active and have a number and a post.
  public func rangers() throws(StorageError) -> [Ranger] {
    try run { connection throws(PostgreSQLError) in try DirectoryTables.rangers(connection) }
  }

  /// Where every ranger served, by number and then from the first to the last.
  public func assignments() throws(StorageError) -> [RangerAssignment] {
    try run { connection throws(PostgreSQLError) in try DirectoryTables.assignments(connection) }
  }

  /// Every further number that may speak for a post, or might, by number and post.
  public func numbers() throws(StorageError) -> [SenderBinding] {
    try run { connection throws(PostgreSQLError) in try DirectoryTables.numbers(connection) }
  }
}

/// The directory as rows. What others wrote there and no program here could have is passed over.
enum DirectoryTables {
  static func put(
    _ entry: DirectoryEntry, _ profiles: inout [PhoneNumber: String],
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    switch entry {
    case .segment(let segment):
      try connection.query(
        "SELECT checkpost.put_segment($1, $2, $3, $4)",
        [
          .text(segment.name), .integer(segment.distanceMetres),
          .integer(segment.minimumMetresPerHour), .integer(segment.maximumMetresPerHour),
        ])
      try connection.query(
        "SELECT checkpost.put_earlier($1, $2, $3, $4, $5)",
        [
          .text(segment.name), .integers(segment.earlier.map(\.until)),
          .integers(segment.earlier.map(\.distanceMetres)),
          .integers(segment.earlier.map(\.minimumMetresPerHour)),
          .integers(segment.earlier.map(\.maximumMetresPerHour)),
        ])
    case .post(let post, let known):
      try connection.query(
        "SELECT checkpost.put_post($1, $2, $3, $4, $5, $6, $7)",
        [
          .text(post.code.code), .text(post.name), .bool(known.contains(.place)),
          .texts(post.places.map(\.segment)), .integers(post.places.map { Int64($0.index) }),
          .bool(known.contains(.phone)), .text(post.phone?.description),
        ])
      guard known.contains(.place) else { return }
      try put(post.earlier, of: post.code, connection)
    case .ranger(let ranger, let since):
      let row = try connection.query(
        "SELECT checkpost.put_ranger($1::uuid, $2, $3, $4, $5, $6)::text",
        [
          .text(profiles[ranger.phone]), .text(ranger.name), .text(ranger.phone.description),
          .text(ranger.phone.digits), .text(ranger.checkpost.code), .time(since),
        ]
      ).firstRow()
      profiles[ranger.phone] = try row.value(0, .text)
    case .number(let binding):
      try connection.query(
        "SELECT checkpost.put_number($1, $2, $3, $4)",
        [
          .text(binding.number.description), .text(binding.post.code), .time(binding.validFrom),
          .time(binding.validUntil),
        ])
    }
  }

  /// Puts where a post stood before in the place of what is there.
  private static func put(
    _ earlier: [EarlierPlaces], of post: CheckpostCode, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    var ends: [(until: Int64, place: Post.Place?)] = []
    for version in earlier {
      if version.places.isEmpty { ends.append((version.until, nil)) }
      ends += version.places.map { (version.until, $0) }
    }
    // A name of nobody's, and an index that is none, are null.
    try connection.query(
      """
      SELECT checkpost.put_earlier_places($1, $2, ARRAY(SELECT nullif(n, '') FROM unnest($3::text[])
          WITH ORDINALITY AS u(n, turn) ORDER BY u.turn),
        ARRAY(SELECT nullif(i, -1) FROM unnest($4::bigint[]) WITH ORDINALITY AS u(i, turn) ORDER BY u.turn))
      """,
      [
        .text(post.code), .integers(ends.map(\.until)),
        .texts(ends.map { $0.place?.segment ?? "" }),
        .integers(ends.map { Int64($0.place?.index ?? -1) }),
      ])
  }

  /// Where posts stood before, by their identifiers, from the first to the last.
  private static func earlierPlaces(
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [String: [EarlierPlaces]] {
    var earlier: [String: [EarlierPlaces]] = [:]
    let result = try connection.query(
      """
      SELECT e.post_id::text, e.until, h.name, e.position_index::bigint
      FROM checkpost.earlier_places e LEFT JOIN checkpost.known_segments h ON h.id = e.segment_id
      ORDER BY e.post_id, e.until, h.name COLLATE "C"
      """, isReading: true)
    for row in result.rows {
      let (post, until) = (try row.value(0, .text), try row.value(1, .integer))
      if earlier[post]?.last?.until != until {
        earlier[post, default: []].append(EarlierPlaces(until: until, places: []))
      }
      guard let segment = try row.optional(2, .text), let last = earlier[post]?.indices.last else {
        continue
      }
      earlier[post]?[last].places.append(
        Post.Place(segment: segment, index: Int(try row.value(3, .integer))))
    }
    return earlier
  }

  /// The profile that has each number, those that are active first.
  static func profiles(
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [PhoneNumber: String] {
    var profiles: [PhoneNumber: String] = [:]
    let result = try connection.query(
      """
      SELECT id::text AS id, phone_number FROM public.user_profiles
      WHERE phone_number IS NOT NULL ORDER BY is_active DESC, created_at, id
      """, isReading: true)
    for row in result.rows {
      guard let phone = PhoneNumber(try row.value(1, .text)), profiles[phone] == nil else {
        continue
      }
      profiles[phone] = try row.value(0, .text)
    }
    return profiles
  }

  static func segments(
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [Segment] {
    var segments: [Segment] = []
    let result = try connection.query(
      "SELECT name, distance, slowest, fastest, id::text FROM checkpost.known_segments"
        + " ORDER BY name COLLATE \"C\", created_at, id", isReading: true)
    let earlier = try earlier(connection)
    for row in result.rows {
      var segment = Segment(
        name: try row.value(0, .text), metres: try row.value(1, .integer),
        slowest: try row.value(2, .integer), fastest: try row.value(3, .integer))
      segment?.earlier = earlier[try row.value(4, .text)] ?? []
      if let segment { segments.append(segment) }
    }
    return segments
  }

  /// What held before, by the identifiers of the segments, from the first to the last.
  static func earlier(
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [String: [EarlierLimits]] {
    var earlier: [String: [EarlierLimits]] = [:]
    let result = try connection.query(
      "SELECT segment_id::text, until, distance, fastest, slowest FROM checkpost.earlier_limits"
        + " ORDER BY segment_id, until", isReading: true)
    for row in result.rows {
      earlier[try row.value(0, .text), default: []].append(
        EarlierLimits(
          until: try row.value(1, .integer), distanceMetres: try row.value(2, .integer),
          maximumMetresPerHour: try row.value(3, .integer),
          minimumMetresPerHour: try row.value(4, .integer)))
    }
    return earlier
  }

  static func posts(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> [Post] {
    var posts: [Post] = []
    let result = try connection.query(
      """
      SELECT c.code, c.name, h.name AS segment, e.position_index::bigint, p.phone, c.id::text
      FROM public.checkposts c
      JOIN checkpost.segment_ends e ON e.post_id = c.id
      LEFT JOIN checkpost.known_segments h ON h.id = e.segment_id
      LEFT JOIN checkpost.post_phones p ON p.post_id = c.id
      ORDER BY c.code COLLATE "C"
      """, isReading: true)
    let earlier = try earlierPlaces(connection)
    for row in result.rows {
      guard let code = CheckpostCode(known: try row.value(0, .text)) else { continue }
      let index = try row.value(3, .integer)
      let place = (try row.optional(2, .text)).map { Post.Place(segment: $0, index: Int(index)) }
      // Of a post at several ends there are several rows.
      if let last = posts.last, last.code == code {
        posts[posts.count - 1].places = (last.places + [place].compactMap { $0 }).sorted()
        continue
      }
      var post = Post(
        code: code, name: try row.value(1, .text), place: place,
        phone: (try row.optional(4, .text)).flatMap { PhoneNumber($0) })
      post.earlier = earlier[try row.value(5, .text)] ?? []
      posts.append(post)
    }
    return posts
  }

  static func rangers(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> [Ranger] {
    var rangers: [Ranger] = []
    let result = try connection.query(
      """
      SELECT u.full_name, u.phone_number, c.code
      FROM public.user_profiles u JOIN public.checkposts c ON c.id = u.assigned_checkpost_id
      WHERE u.is_active AND u.phone_number IS NOT NULL ORDER BY u.created_at, u.id
      """, isReading: true)
    for row in result.rows {
      guard let phone = PhoneNumber(try row.value(1, .text)),
        let post = CheckpostCode(known: try row.value(2, .text))
      else { continue }
      rangers.append(Ranger(name: try row.value(0, .text), phone: phone, checkpost: post))
    }
    return rangers.sorted { $0.phone.description < $1.phone.description }
  }

  static func assignments(
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [RangerAssignment] {
    var assignments: [RangerAssignment] = []
    let result = try connection.query(
      """
      SELECT u.phone_number, c.code, a.since, a.until
      FROM checkpost.ranger_assignments a JOIN public.user_profiles u ON u.id = a.ranger
        JOIN public.checkposts c ON c.id = a.post_id
      WHERE u.phone_number IS NOT NULL ORDER BY u.phone_number COLLATE "C", a.since NULLS FIRST, a.number
      """, isReading: true)
    for row in result.rows {
      guard let phone = PhoneNumber(try row.value(0, .text)),
        let post = CheckpostCode(known: try row.value(1, .text))
      else { continue }
      assignments.append(
        RangerAssignment(
          phone: phone, post: post, since: try row.optional(2, .time),
          until: try row.optional(3, .time)))
    }
    return assignments
  }

  static func numbers(
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [SenderBinding] {
    var numbers: [SenderBinding] = []
    let result = try connection.query(
      """
      SELECT n.phone, c.code, n.valid_from, n.valid_until
      FROM checkpost.numbers n JOIN public.checkposts c ON c.id = n.post_id
      ORDER BY n.phone, c.code COLLATE "C"
      """, isReading: true)
    for row in result.rows {
      guard let phone = PhoneNumber(try row.value(0, .text)),
        let post = CheckpostCode(known: try row.value(1, .text))
      else { continue }
      numbers.append(
        SenderBinding(
          number: phone, post: post, validFrom: try row.optional(2, .time),
          validUntil: try row.optional(3, .time)))
    }
    return numbers
  }
}

extension DirectoryEntry {
  /// What somebody wrote as they liked.
  fileprivate var names: [String] {
    switch self {
    case .segment(let segment): [segment.name]
    case .post(let post, _): [post.name] + post.places.map(\.segment)
    case .ranger(let ranger, _): [ranger.name]
    case .number: []
    }
  }
}

extension DirectoryRefusal {
  fileprivate init(_ report: PostgreSQLReport) {
    switch report.state {
    case .foreignKeyViolation: self = .unknownReference
    case .uniqueViolation where report.table == "checkposts": self = .endTaken
    default: self = .rule(report.description)
    }
  }
}

extension Segment {
  /// A segment by whole numbers; nil where they make no sense.
  init?(name: String, metres: Int64, slowest: Int64, fastest: Int64) {
    guard
      let segment = try? Segment(
        name: name, distanceKilometres: Double(metres) / 1_000,
        minimumKilometresPerHour: Double(slowest) / 1_000,
        maximumKilometresPerHour: Double(fastest) / 1_000)
    else { return nil }
    self = segment
  }
}

extension CheckpostCode {
  /// A code as this program writes it; nil of another one, which nothing here could name.
  init?(known text: String) {
    guard let code = try? CheckpostCode(text), code.code == text else { return nil }
    self = code
  }
}
