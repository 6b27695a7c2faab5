/// How many messages wait for an operator, of whom: so that a flood of nonsense fills no disk.
public struct Quarantine: Hashable, Sendable {
  /// All of them.
  public private(set) var count: Int64
  private var ofSender: [String: Int64] = [:]

  /// So many, of which no sender is known.
  public init(count: Int64 = 0) {
    self.count = count
  }

  /// Counts one more.
  public mutating func add(from sender: String) {
    count += 1
    noted(sender)
  }

  /// Says of one that is counted who sent it.
  mutating func noted(_ sender: String) {
    ofSender[Quarantine.name(sender), default: 0] += 1
  }

  /// Whether there is no room for `more` of a sender.
  public func isFull(for sender: String, _ limits: IngressLimits, more: Int64 = 1) -> Bool {
    count + more > limits.refused
      || (ofSender[Quarantine.name(sender)] ?? 0) + more > limits.refusedOfSender
  }

  /// Whether there is no room for one more of a sender, whatever all others have.
  func isFull(ofSender sender: String, _ limits: IngressLimits) -> Bool {
    (ofSender[Quarantine.name(sender)] ?? 0) + 1 > limits.refusedOfSender
  }

  /// The number, however it was written.
  private static func name(_ sender: String) -> String {
    PhoneNumber(sender)?.digits ?? String(sender.prefix(Limits.phoneCharacters))
  }
}
