public import Passages
public import Time

/// Somebody, or a program, that may sign in.
public struct Account: Hashable, Sendable {
  /// As what somebody signs in.
  public enum Role: String, CaseIterable, Hashable, Sendable {
    /// A person of one post.
    case ranger
    /// A person who may everything.
    case admin
    /// A program of the office that may everything.
    case service
  }

  /// Which one it is, for good.
  public var id: AccountID
  /// What is typed to sign in; no two have the same.
  public var login: LoginName
  /// What people call it.
  public var fullName: String
  /// As what it signs in.
  public var role: Role
  /// The number in its international form (`+9779801234567`), by which a ranger of the directory is the same
  /// person; nil where none is known.
  public var phone: String?
  /// The post that it serves at; nil for none.
  public var post: CheckpostCode?
  /// Whether it may sign in, and what it signed in for still counts.
  public var isActive: Bool
  /// When it was made.
  public var createdAt: WallTime
  /// When something of it was changed last.
  public var updatedAt: WallTime

  /// An account.
  public init(
    id: AccountID, login: LoginName, fullName: String, role: Role, phone: String? = nil,
    post: CheckpostCode? = nil, isActive: Bool = true, createdAt: WallTime,
    updatedAt: WallTime? = nil
  ) {
    self.id = id
    self.login = login
    self.fullName = fullName
    self.role = role
    self.phone = phone
    self.post = post
    self.isActive = isActive
    self.createdAt = createdAt
    self.updatedAt = updatedAt ?? createdAt
  }
}

extension Principal.Role {
  /// As what an account of that kind acts.
  public init(_ role: Account.Role) {
    switch role {
    case .ranger: self = .ranger
    case .admin: self = .admin
    case .service: self = .service
    }
  }
}

/// What a password has to be before it is hashed.
public enum PasswordRule {
  /// What is wrong with a password, in words that follow "a password"; nil when it may be one.
  public static func fault(of password: String) -> String? {
    if password.count < Limits.passwordCharacters {
      return "has \(Limits.passwordCharacters) characters at least"
    }
    if password.utf8.count > Limits.passwordBytes {
      return "has \(Limits.passwordBytes) bytes at most"
    }
    if password.utf8.contains(where: { $0 < 32 || $0 == 127 }) {
      return "is one line without control characters"
    }
    return nil
  }

  /// Whether what was shown to sign in may be hashed at all: its length is bounded.
  public static func isBounded(_ password: String) -> Bool {
    (1...Limits.passwordBytes).contains(password.utf8.count)
  }
}
