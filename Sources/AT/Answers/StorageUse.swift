/// How full the storage that messages are read from is: the first two numbers of `+CPMS`
/// (3GPP TS 27.005 3.2.2).
public struct StorageUse: Hashable, Sendable {
  /// Messages in it.
  public let used: Int
  /// Messages that it can hold.
  public let size: Int

  /// The numbers in the answer to `AT+CPMS=…` or `AT+CPMS?`, of which the latter has names between
  /// them.
  public init?(answer: some StringProtocol) {
    let fields = Parameters(answer)
    let start = fields.integer(0) == nil ? 1 : 0
    guard let used = fields.integer(start), let size = fields.integer(start + 1), used >= 0,
      size >= 0
    else { return nil }
    self.used = used
    self.size = size
  }
}
