public import Passages
public import Storage
public import Time

extension CentralStore {
  /// Messages of the inbox, newest first.
  ///
  /// - Parameters:
  ///   - isDismissed: Only those that somebody dismissed, or nobody; nil for both.
  ///   - before: Only those with lower numbers; nil for the newest.
  public func inbox(
    state: InboxItem.State? = nil, isDismissed: Bool? = nil, before: Int64? = nil,
    limit: Int = Limits.page
  ) throws(StorageError) -> [InboxItem] {
    var query = InboxQuery()
    (query.state, query.before, query.limit) = (state, before, limit)
    query.isDismissed = isDismissed
    return try inbox(query)
  }

  /// Every segment with the posts at its ends, by name; those without two posts are left out.
  public func routes() throws(StorageError) -> [Route] {
    Route.between(try posts(), on: try segments())
  }

  /// The travels among the passages that are there, as they were judged, in the order of their entry.
  ///
  /// - Parameter since: Only passages from then on.
  public func travels(since: WallTime? = nil) throws(StorageError) -> [Travel] {
    var query = PassageQuery()
    (query.since, query.onSegment, query.limit) = (since, true, Limits.paired)
    let passages = try passages(query)
    var rows: [Int64: StoredPassage] = [:]
    for passage in passages { rows[passage.id] = passage }
    let places = JudgedPlaces(try routes(), rules: JudgingRules())
    var violations = ViolationQuery()
    violations.limit = Limits.paired
    var findings: [Int64: ViolationFinding] = [:]
    for stored in try self.violations(violations) {
      findings[stored.violation.finding.entry.row] = stored.violation.finding
    }
    return passages.compactMap { entry in
      guard let partner = entry.partner, partner.isExit, let exit = rows[partner.row],
        case let post = entry.passage.checkpost,
        let segment = places.place(of: post).stretch(
          post, at: entry.passage.recordedAt.epochSeconds, exit.passage.checkpost,
          at: exit.passage.recordedAt.epochSeconds)?.segment
      else { return nil }
      let seconds =
        exit.passage.recordedAt.epochSeconds - entry.passage.recordedAt.epochSeconds
      return Travel(
        entry: entry.passage, exit: exit.passage, segment: segment, seconds: seconds,
        verdict: findings[entry.id].map { SpeedVerdict($0) } ?? .normal)
    }.sorted { left, right in
      (left.entry.recordedAt, left.entry.clientID) < (right.entry.recordedAt, right.entry.clientID)
    }
  }
}

extension Route {
  /// The segments that have posts at both ends, or had: one route for each two posts that stood there, with when each
  /// did.
  public static func between(_ posts: [Post], on segments: [Segment]) -> [Route] {
    var ends: [Post.Place: [(post: CheckpostCode, seconds: Range<Int64>)]] = [:]
    for post in posts {
      for stay in post.stays { ends[stay.place, default: []].append((post.code, stay.seconds)) }
    }
    return segments.flatMap { segment in
      let (firsts, seconds) = (
        ends[Post.Place(segment: segment.name, index: 0)] ?? [],
        ends[Post.Place(segment: segment.name, index: 1)] ?? []
      )
      return firsts.flatMap { first in
        seconds.filter { $0.post != first.post }.map { second in
          Route(
            segment: segment, posts: [first.post, second.post],
            held: [first.seconds, second.seconds])
        }
      }
    }
  }

  /// Of some routes those that hang together by their posts with some posts.
  public static func reaching(_ posts: Set<CheckpostCode>, among routes: [Route]) -> [Route] {
    var reached = posts
    while true {
      let found = routes.filter { !reached.isDisjoint(with: $0.posts) }
      let all = reached.union(found.flatMap(\.posts))
      guard all.count > reached.count else { return found }
      reached = all
    }
  }
}

extension SpeedVerdict {
  /// What was found.
  fileprivate init(_ finding: ViolationFinding) {
    self =
      switch finding.kind {
      case .speeding: .speeding(fastestAllowedSeconds: finding.limitSeconds)
      case .overstay: .overstay(slowestExpectedSeconds: finding.limitSeconds)
      }
  }
}
