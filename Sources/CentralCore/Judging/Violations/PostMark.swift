public import Time

/// The ways in which a post says that all it recorded before a second is here.
public enum ReportingWay: String, CaseIterable, Hashable, Sendable, Codable {
  /// Its devices say it over HTTP.
  case devices
  /// It says it by a text.
  case text
}

/// What a post said last on one way: that all it recorded before a second is here. What came last counts, and never
/// for anything after the moment at which it came: a mark which says once that all is here up to 2099 hides nothing.
public struct PostMark: Hashable, Sendable {
  /// Before which second all is here.
  public var through: Int64
  /// When it said so.
  public var receivedAt: WallTime
  /// When it last said less than before; nil while it never did.
  public var wentBackAt: WallTime?

  /// A mark as a store keeps it.
  public init(through: Int64, receivedAt: WallTime, wentBackAt: WallTime? = nil) {
    self.through = through
    self.receivedAt = receivedAt
    self.wentBackAt = wentBackAt
  }

  /// The mark after a word of the post; nil where a later one came before it.
  ///
  /// - Parameters:
  ///   - before: The mark that stood.
  ///   - way: How it came. Of several devices another one may say less without having said more before.
  public init?(
    through second: Int64, receivedAt: WallTime, after before: PostMark?, by way: ReportingWay
  ) {
    self.init(through: min(second, receivedAt.epochSeconds), receivedAt: receivedAt)
    guard let before else { return }
    guard receivedAt >= before.receivedAt else { return nil }
    wentBackAt = way == .text && through < before.through ? receivedAt : before.wentBackAt
  }
}
