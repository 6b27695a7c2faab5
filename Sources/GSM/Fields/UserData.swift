/// What a short message carries behind its header.
public enum UserContent: Hashable, Sendable {
  /// Septets of a 7-bit alphabet, escapes included.
  case gsm7([UInt8])
  /// Octets without a meaning known here.
  case octets([UInt8])
  /// UTF-16 code units; a part of a long message may end inside a surrogate pair.
  case ucs2([UInt16])
}

/// The user data of a short message: an optional header and its content (3GPP TS 23.040 9.2.3.24).
public struct UserData: Hashable, Sendable {
  /// The header, or nil.
  public var header: UserDataHeader?
  /// The content.
  public var content: UserContent

  /// User data from its parts.
  public init(header: UserDataHeader? = nil, content: UserContent) {
    self.header = header
    self.content = content
  }

  /// A text in the default alphabet when it fits, in UCS-2 otherwise.
  public init(text: String) {
    if let septets = GSMText.septets(text) {
      self.init(content: .gsm7(septets))
    } else {
      self.init(content: .ucs2(Array(text.utf16)))
    }
  }

  /// The alphabet of the content.
  public var alphabet: Alphabet {
    switch content {
    case .gsm7: .gsm7
    case .octets: .eightBit
    case .ucs2: .ucs2
    }
  }

  /// The text, with U+FFFD for what is none; nil for octets.
  public var text: String? {
    switch content {
    case .gsm7(let septets):
      GSMText.text(septets: septets, tables: header?.tables ?? .standard)
    case .octets:
      nil
    case .ucs2(let units):
      String(decoding: units, as: UTF16.self)
    }
  }

  /// The octets of 8-bit data; nil for text.
  public var data: [UInt8]? {
    if case .octets(let octets) = content { octets } else { nil }
  }

  /// How many octets and, in TP-UDL, units the data takes on the wire.
  var encodedSize: (length: Int, octets: Int) {
    let headerOctets = header.map { $0.encoded().count } ?? 0
    switch content {
    case .gsm7(let septets):
      let length = (headerOctets * 8 + 6) / 7 + septets.count
      return (length, (length * 7 + 7) / 8)
    case .octets(let octets):
      return (headerOctets + octets.count, headerOctets + octets.count)
    case .ucs2(let units):
      return (headerOctets + units.count * 2, headerOctets + units.count * 2)
    }
  }
}

extension UserData {
  /// TP-UDL and TP-UD.
  ///
  /// - Throws: ``PDUError`` when the header or the content does not fit into one message.
  public func encoded() throws(PDUError) -> [UInt8] {
    let (length, octets) = encodedSize
    guard octets <= Limits.userDataOctets else { throw .tooLong(octets: octets) }
    let head = header?.encoded() ?? []
    switch content {
    case .gsm7(let septets):
      let headSeptets = (head.count * 8 + 6) / 7
      let fill = headSeptets * 7 - head.count * 8
      return [UInt8(length)] + head + Septets.pack(septets, fill: fill)
    case .octets(let body):
      return [UInt8(length)] + head + body
    case .ucs2(let units):
      return [UInt8(length)] + head
        + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }
  }

  /// Reads TP-UDL and what follows. A length beyond what is there is taken as what is there: modems
  /// and networks do cut messages, and the beginning is better than nothing.
  init(
    reading reader: inout OctetReader, coding: DataCoding, hasHeader: Bool
  ) throws(PDUError) {
    let length = Int(try reader.next("user data length"))
    if coding.isCompressed { throw .compressed }
    let available = reader.remaining
    let alphabet = UserData.alphabet(coding, length: length, available: available)
    let octetCount = alphabet == .gsm7 ? (length * 7 + 7) / 8 : length
    let octets = reader.upTo(min(octetCount, Limits.userDataOctets))
    var header: UserDataHeader?
    var headOctets = 0
    if hasHeader {
      let headerLength = Int(octets.first ?? 0)
      guard headerLength < max(octets.count, 1) else { throw .headerLength(headerLength) }
      header = UserDataHeader(octets: octets.dropFirst().prefix(headerLength))
      headOctets = octets.isEmpty ? 0 : headerLength + 1
    }
    let body = octets.dropFirst(headOctets)
    switch alphabet {
    case .gsm7:
      let headSeptets = (headOctets * 8 + 6) / 7
      let septets = Septets.unpack(
        body, count: max(0, length - headSeptets), fill: headSeptets * 7 - headOctets * 8)
      self.init(header: header, content: .gsm7(septets))
    case .eightBit:
      self.init(header: header, content: .octets(Array(body)))
    case .ucs2:
      self.init(header: header, content: .ucs2(GSMText.units(body)))
    }
  }

  /// The alphabet in fact. In the reserved half of the class group the scheme tells nothing that
  /// networks agree on, so the number of octets decides: as many as TP-UDL says means octets. Up to
  /// seven septets take as many octets, and then, as in a message cut short, the scheme is all there
  /// is to go by.
  private static func alphabet(_ coding: DataCoding, length: Int, available: Int) -> Alphabet {
    guard coding.isAmbiguous, length > 7 else { return coding.alphabet }
    if available == (length * 7 + 7) / 8 { return .gsm7 }
    if available == length { return length.isMultiple(of: 2) ? .ucs2 : .eightBit }
    return coding.alphabet
  }
}
