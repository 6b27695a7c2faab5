public import Passages
public import Storage
public import Time

extension CentralStore {
  /// Messages of the inbox, newest first.
  ///
  /// - Parameter before: Only those with lower numbers; nil for the newest.
  public func inbox(
    state: InboxItem.State? = nil, before: Int64? = nil, limit: Int = Limits.page
  ) throws(StorageError) -> [InboxItem] {
    var query = InboxQuery()
    (query.state, query.before, query.limit) = (state, before, limit)
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

  /// The travels among the passages that are there, in the order of their entry.
  ///
  /// - Parameter since: Only passages from then on.
  public func travels(since: WallTime? = nil) throws(StorageError) -> [Travel] {
    var query = PassageQuery()
    (query.since, query.onSegment, query.limit) = (since, true, Limits.paired)
    return Pairing.pairs(
      passages: try passages(query).map(\.passage), segments: try routes())
  }
}
