import Accounts
import Passages
import Testing
import Time

/// What the tests of this module speak of.
enum Example {
  static let now = WallTime(epochSeconds: 1_790_000_000)
  static let id = AccountID(random: 1, 1)

  static func account(
    _ role: Account.Role = .ranger, isActive: Bool = true
  ) throws -> Account {
    Account(
      id: id, login: try #require(LoginName("sita", domain: "bnp.local")), fullName: "Sita",
      role: role,
      post: role == .ranger ? try CheckpostCode("BNP-A") : nil, isActive: isActive, createdAt: now)
  }

  static func session(generation: Int = 0, end: Session.End? = nil) -> Session {
    Session(
      id: "5e551011-0000-4000-8000-000000000001", account: id, createdAt: now,
      generation: generation, end: end)
  }

  static func key(
    _ role: APIKey.Role, post: String? = nil, from: WallTime? = nil, until: WallTime? = nil,
    revoked: WallTime? = nil
  ) throws -> APIKey {
    APIKey(
      prefix: "k3v9x2ab", name: "a key", role: role, post: try post.map { try CheckpostCode($0) },
      digest: try #require(TokenDigest([UInt8](repeating: 7, count: 32))), createdAt: now,
      validFrom: from,
      validUntil: until, revokedAt: revoked)
  }
}
