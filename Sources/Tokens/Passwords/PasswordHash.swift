import Crypto
import CryptoExtras
import FoundationEssentials

/// What is kept of a password: scrypt (RFC 7914), which costs whoever guesses memory as well as time, with
/// its numbers and its salt, in the text form of the password hashing competition
/// (`$scrypt$ln=15,r=8,p=1$salt$hash`).
public struct PasswordHash: Hashable, Sendable, CustomStringConvertible {
  /// What a hash costs.
  public struct Cost: Hashable, Sendable {
    /// The binary logarithm of the rounds.
    public var logRounds: Int
    /// The size of a block, in units of 128 bytes.
    public var blockSize: Int
    /// How many such are reckoned one after the other.
    public var parallelism: Int

    /// What a hash costs; nil beyond 10 to 20, 1 to 32, 1 to 16 and 256 MiB.
    public init?(logRounds: Int, blockSize: Int, parallelism: Int) {
      guard (10...20).contains(logRounds), (1...32).contains(blockSize),
        (1...16).contains(parallelism), (128 * blockSize) << logRounds <= 256 << 20
      else { return nil }
      self.init(logRounds, blockSize, parallelism)
    }

    private init(_ logRounds: Int, _ blockSize: Int, _ parallelism: Int) {
      self.logRounds = logRounds
      self.blockSize = blockSize
      self.parallelism = parallelism
    }

    /// 32 MiB, and some 0.1 seconds of a small machine.
    public static let standard = Cost(15, 8, 1)
    /// What tests can afford: 1 MiB.
    public static let least = Cost(10, 8, 1)
  }

  /// What it cost.
  public var cost: Cost
  let salt: [UInt8]
  let hash: [UInt8]

  /// Hashes a password with a new salt. It blocks for as long as the cost says.
  ///
  /// - Returns: Nil when the system has no memory for it.
  public init?(of password: String, cost: Cost = .standard) {
    let salt = RandomBytes.make(Limits.saltBytes)
    guard let hash = PasswordHash.derive(password, salt, cost) else { return nil }
    self.cost = cost
    self.salt = salt
    self.hash = hash
  }

  /// Reads one that was kept; nil for what is none, or costs more than is ever asked for.
  public init?(_ text: String) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt" else { return nil }
    let numbers = parts[2].split(separator: ",").compactMap { part -> (Substring, Int)? in
      let halves = part.split(separator: "=")
      guard halves.count == 2, let value = Int(halves[1]) else { return nil }
      return (halves[0], value)
    }
    guard numbers.map(\.0) == ["ln", "r", "p"],
      let cost = Cost(logRounds: numbers[0].1, blockSize: numbers[1].1, parallelism: numbers[2].1),
      let salt = PasswordHash.bytes(parts[3]), let hash = PasswordHash.bytes(parts[4]),
      salt.count == Limits.saltBytes, hash.count == Limits.hashBytes
    else { return nil }
    self.cost = cost
    self.salt = salt
    self.hash = hash
  }

  init(cost: Cost, salt: [UInt8], hash: [UInt8]) {
    self.cost = cost
    self.salt = salt
    self.hash = hash
  }

  /// One that no password has, for whoever tries a name that nobody has.
  static func ofNobody(_ cost: Cost) -> PasswordHash {
    PasswordHash(
      cost: cost, salt: RandomBytes.make(Limits.saltBytes),
      hash: RandomBytes.make(Limits.hashBytes))
  }

  /// The text that is kept.
  public var description: String {
    "$scrypt$ln=\(cost.logRounds),r=\(cost.blockSize),p=\(cost.parallelism)"
      + "$\(PasswordHash.text(salt))$\(PasswordHash.text(hash))"
  }

  /// Whether it is that password's, compared in constant time. It blocks for as long as its cost says.
  ///
  /// - Returns: Nil when the system has no memory for it.
  public func matches(_ password: String) -> Bool? {
    guard let other = PasswordHash.derive(password, salt, cost) else { return nil }
    var difference: UInt8 = hash.count == other.count ? 0 : 1
    for (left, right) in zip(hash, other) { difference |= left ^ right }
    return difference == 0
  }

  private static func derive(_ password: String, _ salt: [UInt8], _ cost: Cost) -> [UInt8]? {
    let key = try? KDF.Scrypt.deriveKey(
      from: Array(password.utf8), salt: salt, outputByteCount: Limits.hashBytes,
      rounds: 1 << cost.logRounds, blockSize: cost.blockSize, parallelism: cost.parallelism)
    return key?.withUnsafeBytes { Array($0) }
  }

  /// Base64 without the signs that fill it up.
  private static func text(_ bytes: [UInt8]) -> String {
    String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
  }

  private static func bytes(_ text: Substring) -> [UInt8]? {
    let filled = text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    return Data(base64Encoded: String(filled)).map { Array($0) }
  }
}
