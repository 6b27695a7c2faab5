public import Passages
public import Time

/// A number that may speak for a post, for a time or for good.
public struct SenderBinding: Hashable, Sendable {
  /// The number that texts come from.
  public var number: PhoneNumber
  /// The post that it may speak for.
  public var post: CheckpostCode
  /// From when on; nil for ever.
  public var validFrom: WallTime?
  /// Up to and without this moment; nil for good.
  public var validUntil: WallTime?

  /// `number` may speak for `post`.
  public init(
    number: PhoneNumber, post: CheckpostCode, validFrom: WallTime? = nil,
    validUntil: WallTime? = nil
  ) {
    self.number = number
    self.post = post
    self.validFrom = validFrom
    self.validUntil = validUntil
  }

  /// Whether a text that came at a moment counts.
  public func isValid(at time: WallTime) -> Bool {
    validFrom.map { $0 <= time } ?? true && validUntil.map { time < $0 } ?? true
  }
}
