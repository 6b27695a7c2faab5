/// Who asks.
public struct RestPrincipal: Hashable, Sendable {
  /// What somebody may be.
  public enum Role: Hashable, Sendable {
    /// Nobody signed in.
    case anonymous
    /// Somebody of a post.
    case ranger
    /// A machine of a post, under the name of any of its people.
    case post
    /// Somebody who may do everything.
    case admin
    /// The service itself, or a program that has its key: no policy counts.
    case service
  }

  /// What they may be.
  public var role: Role
  /// The UUID of their profile.
  public var user: String?
  /// What tells the key from others by which they proved that; nil of whoever signed in.
  public var key: String?
  /// The UUID of the post that they are assigned to.
  public var post: String?
  /// The UUID of the segment of that post.
  public var segment: String?
  /// Those of the further segments that the post ends; none nearly always.
  public var furtherSegments: [String] = []
  /// Those of the posts at the other ends whose passages stand under another segment than one of these, as they end
  /// several.
  public var postsElsewhere: [String] = []
  /// Somebody.
  ///
  /// - Parameters:
  ///   - user: The UUID of their profile, in its canonical form.
  ///   - post: That of their post.
  ///   - segment: That of the post's segment.
  ///   - key: The prefix of their key.
  public init(
    _ role: Role, user: String? = nil, post: String? = nil, segment: String? = nil,
    key: String? = nil
  ) {
    self.role = role
    self.user = user
    self.post = post
    self.segment = segment
    self.key = key
  }

  /// Nobody in particular.
  public static let anonymous = RestPrincipal(.anonymous)
  /// The service itself.
  public static let service = RestPrincipal(.service)

  /// Who it is, for what is written down of what they did; nil of the service itself.
  public var name: String? { user ?? key.map { "key \($0)" } }

  /// Whether they may say that a passage was at another post: central's people alone.
  var movesPassages: Bool { role == .admin || role == .service }

  /// Whether nobody signed in.
  public var isAnonymous: Bool { role == .anonymous }
  /// Whether refusals may tell the values of rows: those of row security may not.
  public var seesDetails: Bool { role == .service }
}
