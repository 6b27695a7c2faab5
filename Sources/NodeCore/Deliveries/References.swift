/// What the references that a modem gives its texts (TP-MR, 3GPP TS 23.040 9.2.3.6) tell of one text:
/// one octet, counted up with each message that is handed to the network.
public struct ReferencesAround: Hashable, Sendable {
  /// That of the last text before it of which one is known.
  public var before: UInt8?
  /// That of the first text after it of which one is known.
  public var after: UInt8?
  /// Parts of the texts since the one before it, up to and with it.
  public var parts: Int

  /// What is known around a text.
  public init(before: UInt8?, after: UInt8?, parts: Int) {
    self.before = before
    self.after = after
    self.parts = parts
  }

  /// Whether the text may have had a reference: not before that of the last text which is known, not
  /// further from it than texts lie between, and below that of the next one which is known. Nil when
  /// neither is known.
  public func agree(with reference: UInt8) -> Bool? {
    guard let before else {
      // Above the highest since, which is what is less than half the way round behind it.
      guard let after else { return nil }
      return after &- reference >= 128 || after == reference ? false : nil
    }
    let distance = Int(reference &- before)
    guard distance >= 1, distance <= parts else { return false }
    guard let after, after != before else { return true }
    return distance < Int(after &- before)
  }

  /// Whether there is no room for the text, where references are counted by one.
  public var leaveNoRoom: Bool {
    guard let before, let after else { return false }
    // A count that begins again may well begin where the last one stood.
    return after == before &+ 1 && after > 1
  }
}

/// Two references that a modem gave one after the other.
public struct ReferenceStep: Hashable, Sendable {
  /// That of the older text.
  public var older: UInt8
  /// That of the newer one.
  public var newer: UInt8

  /// A step.
  public init(older: UInt8, newer: UInt8) {
    self.older = older
    self.newer = newer
  }

  /// Whether a modem is known to count by one: of the last texts that went one right after the other
  /// nearly all did. A few may not, since the same card can send by other hands.
  public static func countByOne(_ steps: [ReferenceStep]) -> Bool {
    let byOne = steps.filter { $0.newer == $0.older &+ 1 }.count
    return byOne >= Limits.stepsByOne && (steps.count - byOne) * 8 <= byOne
  }
}
