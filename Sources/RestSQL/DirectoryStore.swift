public import Accounts
public import CentralCore
public import Passages
public import RestAPI
public import Time

/// What writing parks, segments, posts and people over the API needs of a store, inside one transaction.
public protocol DirectoryStore {
  /// The keys of the rows that fulfil conditions, as the views of the API show them.
  func keys(
    _ filters: [RestFilter], of table: RestTable
  ) throws(PassageFailure) -> [String]

  /// The segment of a key, with what held before.
  func segment(_ id: String) throws(PassageFailure) -> Segment?

  /// The post of a key.
  func post(_ id: String) throws(PassageFailure) -> Post?

  /// Puts entries into the directory, as an import does.
  func put(_ entries: [DirectoryEntry]) throws(PassageFailure) -> [DirectoryRefusal?]

  /// Makes the row of a park, a segment or a post, under a key by which nothing is known yet. Nothing stands in its way.
  func make(
    _ id: String, in table: RestTable, _ row: NewDirectoryRow, at now: WallTime
  ) throws(PassageFailure)

  /// Changes columns that the directory knows nothing of.
  func set(
    _ values: [String: RestValue], of id: String, in table: RestTable, at now: WallTime
  ) throws(PassageFailure)

  /// Removes a park, a segment or a post with all that goes with it by the deployed tables.
  ///
  /// - Throws: A refusal where a row of another table names it that does not go with it.
  func remove(_ id: String, from table: RestTable) throws(PassageFailure)

  /// What judging by the directory as it is now would change of what was judged; nothing of it is kept.
  func effect(at now: WallTime) throws(PassageFailure) -> DirectoryEffect

  /// Writes down who did what.
  func note(_ entry: AuditEntry) throws(PassageFailure)
}

/// A row that is to be made, with what its values name.
public struct NewDirectoryRow: Hashable, Sendable {
  /// The values by column.
  public var values: [String: RestValue]
  /// The segment, of a row of a segment.
  public var segment: Segment?
  /// The post, of a row of a post.
  public var post: Post?
}

/// What a change of the directory would change of what was judged.
public struct DirectoryEffect: Hashable, Sendable {
  /// Violations that a person confirmed or that somebody was fined for, among those that would be changed or taken back.
  public var settled: Int
  /// Whether all vehicles were looked at that it concerns.
  public var isWhole: Bool

  /// What would change.
  public init(settled: Int, isWhole: Bool) {
    self.settled = settled
    self.isWhole = isWhole
  }
}

extension RestTable {
  /// Whether its rows are the directory's, which judging goes by.
  public var isOfDirectory: Bool {
    [Catalogue.parks.name, Catalogue.segments.name, Catalogue.checkposts.name].contains(name)
  }
}
