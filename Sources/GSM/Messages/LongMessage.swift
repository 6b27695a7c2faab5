extension SMSDeliver {
  /// The long message of which these are all the parts, in any order (3GPP TS 23.040 9.2.3.24.1); nil
  /// when one is missing, is there twice, or is another message's. It has the envelope of the first
  /// part. A message without a place in a long one is whole by itself.
  ///
  /// The parts are joined before they are decoded, because senders do cut inside a surrogate pair.
  public static func joined(_ parts: [SMSDeliver]) -> SMSDeliver? {
    guard let one = parts.first else { return nil }
    guard let key = PartKey(one) else { return parts.count == 1 ? one : nil }
    let ordered = parts.sorted { $0.part < $1.part }
    guard ordered.map(\.part) == Array(1...Int(key.total)), parts.allSatisfy({ PartKey($0) == key })
    else { return nil }
    var whole = ordered[0]
    let tables = whole.tables
    if let content = UserContent.joined(ordered.map(\.userData.content)),
      ordered.allSatisfy({ $0.tables == tables })
    {
      whole.userData.content = content
      whole.userData.header =
        tables == .standard ? nil : UserDataHeader(concatenation: nil, tables: tables)
    } else {
      // Parts in different alphabets or tables are legal: each is decoded by its own.
      let text = ordered.map { $0.userData.text ?? "" }.joined()
      whole.userData.content = .ucs2(Array(text.utf16))
      whole.userData.header = nil
      whole.coding = DataCoding(alphabet: .ucs2)
    }
    return whole
  }

  /// Which part of a long message it is; 0 when it is none.
  private var part: Int { Int(userData.header?.concatenation?.part ?? 0) }

  private var tables: ShiftTables { userData.header?.tables ?? .standard }
}

/// What tells one long message from another: a reference of 8 bits and one of 16 with the same value
/// are two messages', and two senders may use the same one.
private struct PartKey: Equatable {
  var sender: Address
  var reference: UInt16
  var is16Bit: Bool
  var total: UInt8

  /// The key of a part; nil for a message that is whole.
  init?(_ message: SMSDeliver) {
    guard let place = message.userData.header?.concatenation, place.total > 1 else { return nil }
    sender = message.originator
    (reference, is16Bit, total) = (place.reference, place.is16Bit, place.total)
  }
}

extension UserContent {
  /// All pieces in one; nil when they are not of one kind.
  fileprivate static func joined(_ pieces: [UserContent]) -> UserContent? {
    guard var whole = pieces.first else { return nil }
    for piece in pieces.dropFirst() {
      switch (whole, piece) {
      case (.gsm7(let septets), .gsm7(let more)): whole = .gsm7(septets + more)
      case (.octets(let octets), .octets(let more)): whole = .octets(octets + more)
      case (.ucs2(let units), .ucs2(let more)): whole = .ucs2(units + more)
      default: return nil
      }
    }
    return whole
  }
}
