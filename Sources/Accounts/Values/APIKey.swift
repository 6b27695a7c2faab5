public import Passages
public import Time

/// A key that a program shows with each request.
///
/// It looks like `cpk.k3v9x2ab.` and 43 characters more. The part in the middle names it in lists and logs;
/// of the whole only a hash is kept. Its three parts with dots are what clients of Supabase expect of a key.
public struct APIKey: Hashable, Sendable {
  /// What a key is for.
  public enum Role: String, CaseIterable, Hashable, Sendable {
    /// Signing in: in programs that anybody can read.
    case anonymous = "anon"
    /// A machine of one post.
    case post
    /// A program of the office.
    case service
  }

  /// The part that names it: 8 of `a-z` and `0-9`.
  public var prefix: String
  /// What people call it.
  public var name: String
  /// What it is for.
  public var role: Role
  /// The post that it is for; not nil for ``Role/post`` alone.
  public var post: CheckpostCode?
  /// The hash of the whole key.
  public var digest: TokenDigest
  /// When it was made.
  public var createdAt: WallTime
  /// From when on it counts; nil for always.
  public var validFrom: WallTime?
  /// Until when it counts; nil for ever.
  public var validUntil: WallTime?
  /// When it was revoked; nil while it counts.
  public var revokedAt: WallTime?
  /// When it was shown last, to the hour; nil for never.
  public var usedAt: WallTime?

  /// A key.
  public init(
    prefix: String, name: String, role: Role, post: CheckpostCode? = nil, digest: TokenDigest,
    createdAt: WallTime, validFrom: WallTime? = nil, validUntil: WallTime? = nil,
    revokedAt: WallTime? = nil, usedAt: WallTime? = nil
  ) {
    self.prefix = prefix
    self.name = name
    self.role = role
    self.post = post
    self.digest = digest
    self.createdAt = createdAt
    self.validFrom = validFrom
    self.validUntil = validUntil
    self.revokedAt = revokedAt
    self.usedAt = usedAt
  }

  /// Whether it counts at a moment. One that was revoked never does again, whatever a clock says.
  public func counts(at now: WallTime) -> Bool {
    if revokedAt != nil { return false }
    if role == .post && post == nil { return false }
    if let validFrom, now < validFrom { return false }
    if let validUntil, now >= validUntil { return false }
    return true
  }

  /// Whether its use is to be written down: once an hour, and when the clock stands before the last time.
  public func isUseToNote(at now: WallTime) -> Bool {
    guard let usedAt else { return true }
    let since = now - usedAt
    return since >= .seconds(3_600) || since < .zero
  }

  /// As what whoever shows it acts.
  public var principalRole: Principal.Role {
    switch role {
    case .anonymous: .anonymous
    case .post: .post
    case .service: .service
    }
  }
}

/// What a key looks like.
public enum APIKeyText {
  /// What every key begins with.
  public static let mark = "cpk."
  /// Characters of its middle part.
  public static let prefixCharacters = 8
  /// Random bytes that its last part is made of.
  public static let secretBytes = 32

  /// The middle part of what looks like a key; nil for what does not. Whether it is one is known by its hash.
  public static func prefix(of text: String) -> String? {
    guard text.utf8.count <= Limits.keyBytes, text.hasPrefix(mark) else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[1].count == prefixCharacters, parts[2].count == 43,
      parts[1].allSatisfy(isOfPrefix)
    else { return nil }
    return String(parts[1])
  }

  /// The middle part from random bytes, of which the first 8 count.
  public static func prefix(from random: [UInt8]) -> String {
    let letters = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
    return String(
      decoding: random.prefix(prefixCharacters).map { letters[Int($0) % letters.count] },
      as: UTF8.self)
  }

  private static func isOfPrefix(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
  }
}
