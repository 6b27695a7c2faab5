/// One information element of a user data header (3GPP TS 23.040 9.2.3.24).
public struct InformationElement: Hashable, Sendable {
  /// Which element it is.
  public var identifier: UInt8
  /// Its octets.
  public var octets: [UInt8]

  /// An element.
  public init(identifier: UInt8, octets: [UInt8]) {
    self.identifier = identifier
    self.octets = octets
  }
}

/// Which part of a long message this is (3GPP TS 23.040 9.2.3.24.1 and 9.2.3.24.8).
public struct Concatenation: Hashable, Sendable {
  /// The reference that all parts share: 0 to 255, or to 65,535 with 16 bits.
  public var reference: UInt16
  /// Whether the reference has 16 bits.
  public var is16Bit: Bool
  /// How many parts there are, 1 to 255.
  public var total: UInt8
  /// Which one this is, 1 to `total`.
  public var part: UInt8

  /// A place in a long message.
  public init(reference: UInt16, is16Bit: Bool = false, total: UInt8, part: UInt8) {
    self.reference = is16Bit ? reference : reference & 0xFF
    self.is16Bit = is16Bit
    self.total = total
    self.part = part
  }
}

/// The header that precedes the text of a long message, or one for an application
/// (3GPP TS 23.040 9.2.3.24).
public struct UserDataHeader: Hashable, Sendable {
  /// The elements in their order, unknown ones included.
  public var elements: [InformationElement]

  /// A header of these elements.
  public init(elements: [InformationElement] = []) {
    self.elements = elements
  }

  /// A header for one part of a long message, with the tables its text is written in.
  public init(concatenation: Concatenation?, tables: ShiftTables = .standard) {
    elements = []
    if let concatenation {
      let tail = [concatenation.total, concatenation.part]
      if concatenation.is16Bit {
        let reference = concatenation.reference
        elements.append(
          InformationElement(
            identifier: 0x08,
            octets: [UInt8(reference >> 8), UInt8(reference & 0xFF)] + tail))
      } else {
        elements.append(
          InformationElement(
            identifier: 0x00, octets: [UInt8(concatenation.reference & 0xFF)] + tail))
      }
    }
    if let single = tables.single {
      elements.append(InformationElement(identifier: 0x24, octets: [single.rawValue]))
    }
    if let locking = tables.locking {
      elements.append(InformationElement(identifier: 0x25, octets: [locking.rawValue]))
    }
  }

  /// The part of a long message, when the header says so in a way that makes sense: a part 0, a part
  /// beyond the total or a total of 0 means the element is to be ignored.
  public var concatenation: Concatenation? {
    for element in elements.reversed() {
      let octets = element.octets
      let found: Concatenation
      switch (element.identifier, octets.count) {
      case (0x00, 3):
        found = Concatenation(reference: UInt16(octets[0]), total: octets[1], part: octets[2])
      case (0x08, 4):
        found = Concatenation(
          reference: UInt16(octets[0]) << 8 | UInt16(octets[1]), is16Bit: true, total: octets[2],
          part: octets[3])
      default:
        continue
      }
      if found.total > 0, found.part > 0, found.part <= found.total {
        return found
      }
    }
    return nil
  }

  /// The application ports, destination first, by elements 04 and 05.
  public var ports: (destination: UInt16, source: UInt16)? {
    for element in elements.reversed() {
      let octets = element.octets
      switch (element.identifier, octets.count) {
      case (0x04, 2):
        return (UInt16(octets[0]), UInt16(octets[1]))
      case (0x05, 4):
        return (
          UInt16(octets[0]) << 8 | UInt16(octets[1]), UInt16(octets[2]) << 8 | UInt16(octets[3])
        )
      default:
        continue
      }
    }
    return nil
  }

  /// The tables that the text is written in; a language unknown here counts as none.
  public var tables: ShiftTables {
    var tables = ShiftTables.standard
    for element in elements where element.octets.count == 1 {
      switch element.identifier {
      case 0x24: tables.single = NationalLanguage(rawValue: element.octets[0])
      case 0x25: tables.locking = NationalLanguage(rawValue: element.octets[0])
      default: continue
      }
    }
    return tables
  }

  /// The octets with the leading length, which does not count itself.
  func encoded() -> [UInt8] {
    let body = elements.flatMap { [$0.identifier, UInt8($0.octets.count & 0xFF)] + $0.octets }
    return [UInt8(min(body.count, 255))] + body
  }

  /// Reads the elements; one that claims more octets than there are ends the reading, and what stood
  /// before it counts.
  init(octets: ArraySlice<UInt8>) {
    elements = []
    var rest = octets
    while rest.count >= 2 {
      let identifier = rest[rest.startIndex]
      let length = Int(rest[rest.startIndex + 1])
      rest = rest.dropFirst(2)
      guard length <= rest.count else { return }
      elements.append(
        InformationElement(identifier: identifier, octets: Array(rest.prefix(length))))
      rest = rest.dropFirst(length)
    }
  }
}
