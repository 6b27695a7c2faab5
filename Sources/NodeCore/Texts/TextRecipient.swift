/// Who is to get a passage as a text.
public enum TextRecipient: Hashable, Sendable {
  /// The centre, by one of the gateways.
  case centre
  /// The post at the other end of the segment, which matches the passage on the spot.
  case opposite
  /// A further number that the settings name: an officer's, another office's.
  case number(String)

  /// The recipient that a store knows by this name; nil when it names none.
  public init?(name: String) {
    switch name {
    case "centre": self = .centre
    case "opposite": self = .opposite
    case _ where name.hasPrefix("+"): self = .number(name)
    default: return nil
    }
  }

  /// What a store knows it by, which never changes; of a number it is the number.
  public var name: String {
    switch self {
    case .centre: "centre"
    case .opposite: "opposite"
    case .number(let number): number
    }
  }
}

extension NodeRules {
  /// Whom passages are texted to besides the centre, in the order in which one passage goes to them.
  public var others: [TextRecipient] {
    let opposite: [TextRecipient] = oppositeNumber == nil ? [] : [.opposite]
    return opposite + recipients.prefix(Limits.recipients).map { .number($0) }
  }

  /// The number of a recipient besides the centre; nil for one that the settings do not name.
  func number(of recipient: TextRecipient) -> String? {
    guard others.contains(recipient) else { return nil }
    return switch recipient {
    case .centre: nil
    case .opposite: oppositeNumber
    case .number(let number): number
    }
  }

  /// How long a passage is worth a text to a recipient. The opposite post needs it before the vehicle is
  /// there.
  func worth(to recipient: TextRecipient) -> Duration {
    recipient == .opposite ? min(worthFor, Limits.oppositeWithin) : worthFor
  }
}
