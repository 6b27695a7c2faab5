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
    let posts = try posts()
    return try segments().compactMap { segment in
      let ends = posts.filter { $0.place?.segment == segment.name }
        .sorted { $0.place?.index ?? 0 < $1.place?.index ?? 0 }
      return ends.count == 2 ? Route(segment: segment, posts: ends.map(\.code)) : nil
    }
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
    var segments: [String: Segment] = [:]
    for segment in try self.segments() { segments[segment.name] = segment }
    var violations = ViolationQuery()
    violations.limit = Limits.paired
    var findings: [Int64: ViolationFinding] = [:]
    for stored in try self.violations(violations) {
      findings[stored.violation.finding.entry.row] = stored.violation.finding
    }
    return passages.compactMap { entry in
      guard let partner = entry.partner, partner.isExit, let exit = rows[partner.row],
        let segment = entry.passage.segment.flatMap({ segments[$0] })
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
