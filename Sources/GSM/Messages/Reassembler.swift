/// Puts the parts of long messages together again (3GPP TS 23.040 9.2.3.24.1).
///
/// Pure and bounded: the caller hands in the age of things, keeps the parts on disk, and feeds them
/// again after a restart. Parts are joined before they are decoded, because senders do cut inside a
/// surrogate pair.
public struct Reassembler: Sendable {
  /// What tells one long message from another.
  public struct Key: Hashable, Sendable {
    /// Who sent it: two senders may use the same reference.
    public var originator: Address
    /// The reference that all its parts share.
    public var reference: UInt16
    /// Whether the reference has 16 bits; one of 8 bits with the same value is another message's.
    public var is16Bit: Bool
    /// How many parts it has, as each of them says.
    public var total: UInt8

    /// The key of the message that a part belongs to.
    public init(originator: Address, place: Concatenation) {
      self.originator = originator
      reference = place.reference
      is16Bit = place.is16Bit
      total = place.total
    }
  }

  /// What became of a part.
  public enum Outcome: Hashable, Sendable {
    /// The message is whole; the first part's envelope with all the content.
    case complete(SMSDeliver)
    /// Parts are still missing.
    case waiting(missing: Int)
    /// The part was there already.
    case duplicate
  }

  private struct Partial {
    var key: Key
    var since: Int64
    var parts: [SMSDeliver?]
  }

  private var partials: [Partial] = []

  /// Nothing waits yet.
  public init() {}

  /// How many long messages wait for parts.
  public var count: Int { partials.count }

  /// Takes one part, received at `second` of any clock that only goes forward. A message without a
  /// place in a long one is complete by itself.
  public mutating func add(_ message: SMSDeliver, at second: Int64) -> Outcome {
    guard let place = message.userData.header?.concatenation, place.total > 1 else {
      return .complete(message)
    }
    let key = Key(originator: message.originator, place: place)
    let index = partials.firstIndex { $0.key == key } ?? start(key, at: second)
    let slot = Int(place.part) - 1
    if let held = partials[index].parts[slot] {
      if held.userData.content == message.userData.content { return .duplicate }
      // A cheap sender has come round to the same reference: this is another message.
      partials.remove(at: index)
      let fresh = start(key, at: second)
      partials[fresh].parts[slot] = message
      return .waiting(missing: Int(place.total) - 1)
    }
    partials[index].parts[slot] = message
    let parts = partials[index].parts.compactMap { $0 }
    guard parts.count == Int(place.total) else {
      return .waiting(missing: Int(place.total) - parts.count)
    }
    partials.remove(at: index)
    return .complete(Reassembler.joined(parts))
  }

  /// Gives up on messages that began before `second`, and returns what there is of each.
  public mutating func expire(before second: Int64) -> [(key: Key, parts: [SMSDeliver])] {
    let old = partials.filter { $0.since < second }
    partials.removeAll { $0.since < second }
    return old.map { ($0.key, $0.parts.compactMap { $0 }) }
  }

  /// Begins a message; the oldest that is not whole is dropped when there are too many.
  private mutating func start(_ key: Key, at second: Int64) -> Int {
    if partials.count >= Limits.reassemblies {
      partials.removeFirst()
    }
    partials.append(
      Partial(key: key, since: second, parts: Array(repeating: nil, count: Int(key.total))))
    return partials.count - 1
  }

  private static func joined(_ parts: [SMSDeliver]) -> SMSDeliver {
    var whole = parts[0]
    var septets: [UInt8] = []
    var octets: [UInt8] = []
    var units: [UInt16] = []
    let tables = whole.userData.header?.tables ?? .standard
    var isUniform = true
    for part in parts {
      if part.userData.header?.tables ?? .standard != tables { isUniform = false }
      switch (part.userData.content, whole.userData.alphabet) {
      case (.gsm7(let piece), .gsm7): septets += piece
      case (.octets(let piece), .eightBit): octets += piece
      case (.ucs2(let piece), .ucs2): units += piece
      default: isUniform = false
      }
    }
    if isUniform {
      whole.userData.content =
        switch whole.userData.alphabet {
        case .gsm7: .gsm7(septets)
        case .eightBit: .octets(octets)
        case .ucs2: .ucs2(units)
        }
    } else {
      // Parts in different alphabets or tables are legal: each is decoded by its own.
      let text = parts.map { $0.userData.text ?? "" }.joined()
      whole.userData.content = .ucs2(Array(text.utf16))
      whole.coding = DataCoding(alphabet: .ucs2)
    }
    whole.userData.header =
      tables == .standard || !isUniform ? nil : UserDataHeader(concatenation: nil, tables: tables)
    return whole
  }
}
