import EventLoop

/// Hashes passwords beside Swift's threads, a few at a time, so that neither the memory nor the other
/// requests suffer from many who sign in at once.
public struct PasswordHasher: Sendable {
  /// What came of looking at a password.
  public enum Answer: Hashable, Sendable {
    /// It is right.
    case right
    /// It is wrong, or there was nothing to compare it with.
    case wrong
    /// Too many wait, or the system has no memory or threads now.
    case busy
  }

  private let cost: PasswordHash.Cost
  private let lane: BlockingLane
  /// What is compared with where there is nothing to compare with.
  private let nobody: PasswordHash

  /// A hasher.
  ///
  /// - Parameter cost: What new hashes cost, and the comparison with one that is not there.
  public init(cost: PasswordHash.Cost = .standard) {
    self.init(
      cost: cost,
      lane: BlockingLane(
        name: "password", atOnce: Limits.hashedAtOnce, waiting: Limits.waitingToBeHashed))
  }

  init(cost: PasswordHash.Cost, lane: BlockingLane) {
    self.cost = cost
    self.lane = lane
    nobody = PasswordHash.ofNobody(cost)
  }

  /// Whether a password is that of which the hash was kept. Without one it takes as long, and is wrong.
  public func compare(_ password: String, with kept: String?) async -> Answer {
    let hash = kept.flatMap { PasswordHash($0) }
    let compared = hash ?? nobody
    let answer = await lane.run { compared.matches(password) }
    return switch answer {
    case true??: hash == nil ? .wrong : .right
    case false??: .wrong
    case .some(nil), nil: .busy
    }
  }

  /// The hash of a new password, to be kept; nil when too many wait, or there is no memory for it now.
  public func hash(_ password: String) async -> String? {
    await lane.run { [cost] in PasswordHash(of: password, cost: cost)?.description } ?? nil
  }
}
