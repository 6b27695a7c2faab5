public import Passages

/// Who makes a request: what of it was proven, and as what it may act. What each may see and do is the
/// business of whoever answers.
public struct Principal: Hashable, Sendable {
  /// As what somebody acts.
  public enum Role: String, CaseIterable, Hashable, Sendable {
    /// Nobody that is known: a key that anybody may have. May nothing but sign in.
    case anonymous
    /// A person of one post, who signed in.
    case ranger
    /// A machine of one post, by a key of its own: may for that post what a ranger of it may, under the
    /// name of any of its rangers.
    case post
    /// A person who may everything, who signed in.
    case admin
    /// A program of the office, by a key or an account of its own: may everything.
    case service

    /// The role of PostgreSQL that PostgREST would act as.
    public var inDatabase: String {
      switch self {
      case .anonymous: "anon"
      case .ranger, .post, .admin: "authenticated"
      case .service: "service_role"
      }
    }
  }

  /// How it was proven.
  public enum Proof: Hashable, Sendable {
    /// By a token of this session, for which somebody signed in.
    case session(String)
    /// By the key of this prefix.
    case key(String)
  }

  /// As what it acts.
  public var role: Role
  /// The account that signed in; nil for keys.
  public var account: AccountID?
  /// The post of the account or the key; nil for one without.
  public var post: CheckpostCode?
  /// The name of the segment that the post belongs to; nil without one.
  public var segment: String?
  /// How it was proven.
  public var proof: Proof

  /// Who makes a request.
  public init(
    _ role: Role, account: AccountID? = nil, post: CheckpostCode? = nil, segment: String? = nil,
    by proof: Proof
  ) {
    self.role = role
    self.account = account
    self.post = post
    self.segment = segment
    self.proof = proof
  }

  /// Whether it may see and change everything.
  public var mayEverything: Bool { role == .admin || role == .service }
}
