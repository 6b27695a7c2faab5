/// How a text is to be sent.
public struct SubmitOptions: Hashable, Sendable {
  /// Whether a status report is asked for.
  public var requestsStatusReport = true
  /// How long the network tries; nil leaves it to the network.
  public var validity: ValidityPeriod?
  /// The message class 0 to 3, or nil.
  public var messageClass: UInt8?
  /// Whether the service centre is asked to reject a duplicate.
  public var rejectsDuplicates = false
  /// The alphabet to use; nil takes 7-bit when the text fits it and UCS-2 otherwise.
  public var alphabet: Alphabet?
  /// The tables of a 7-bit text.
  public var tables = ShiftTables.standard
  /// The reference of a long message's parts.
  public var concatenationReference: UInt16 = 0
  /// Whether that reference has 16 bits.
  public var uses16BitReference = false
  /// Parts that the text may take.
  public var maximumParts = Limits.parts

  /// The usual: a status report asked for, the rest left to text and network.
  public init() {}
}

/// A message ready for `AT+CMGS`.
public struct EncodedPDU: Hashable, Sendable {
  /// Upper-case digits, SMSC part first.
  public let hex: String
  /// Octets of the TPDU alone, the number that `AT+CMGS` takes (3GPP TS 27.005 4.3).
  public let length: Int

  /// A message from its octets, the SMSC part of `smscOctets` octets leading.
  public init(octets: [UInt8], smscOctets: Int = 1) {
    hex = Hex.encode(octets)
    length = octets.count - smscOctets
  }
}

/// Makes the messages of a text: one, or the parts of a long one.
public enum MessageComposer {
  /// The messages that carry `text` to `destination`, each ready for `AT+CMGS`.
  ///
  /// - Throws: ``PDUError`` when the text takes more messages than are allowed, or cannot be written in
  ///   the alphabet that was asked for.
  public static func submit(
    text: String, to destination: Address, options: SubmitOptions = SubmitOptions()
  ) throws(PDUError) -> [EncodedPDU] {
    var encoded: [EncodedPDU] = []
    for message in try messages(text: text, to: destination, options: options) {
      encoded.append(EncodedPDU(octets: [0x00] + (try message.encoded())))
    }
    return encoded
  }

  /// The messages themselves.
  ///
  /// - Throws: As ``submit(text:to:options:)`` does.
  public static func messages(
    text: String, to destination: Address, options: SubmitOptions = SubmitOptions()
  ) throws(PDUError) -> [SMSSubmit] {
    let content = try content(of: text, options: options)
    let tables = content.isSevenBit ? options.tables : .standard
    let whole = tables == .standard ? nil : UserDataHeader(concatenation: nil, tables: tables)
    let single = UserData(header: whole, content: content)
    var bodies = [single]
    if single.encodedSize.octets > Limits.userDataOctets {
      bodies = try split(content, tables: tables, options: options)
    }
    guard bodies.count <= options.maximumParts else {
      throw .partsNotAllowed(
        needed: bodies.count, allowed: options.maximumParts, length: content.count,
        alphabet: single.alphabet)
    }
    return bodies.map { body in
      SMSSubmit(
        to: destination, userData: body,
        coding: DataCoding(alphabet: body.alphabet, messageClass: options.messageClass),
        requestsStatusReport: options.requestsStatusReport, validity: options.validity,
        rejectsDuplicates: options.rejectsDuplicates)
    }
  }

  private static func content(
    of text: String, options: SubmitOptions
  ) throws(PDUError) -> UserContent {
    switch options.alphabet {
    case .ucs2:
      return .ucs2(Array(text.utf16))
    case .eightBit:
      return .octets(Array(text.utf8))
    case .gsm7:
      guard let septets = GSMText.septets(text, tables: options.tables) else {
        let stranger = text.first {
          GSMText.septets(String($0), tables: options.tables) == nil
        }
        throw .character(stranger ?? "?", alphabet: "GSM 7-bit")
      }
      return .gsm7(septets)
    case nil:
      if let septets = GSMText.septets(text, tables: options.tables) {
        return .gsm7(septets)
      }
      return .ucs2(Array(text.utf16))
    }
  }

  private static func split(
    _ content: UserContent, tables: ShiftTables, options: SubmitOptions
  ) throws(PDUError) -> [UserData] {
    let place = Concatenation(
      reference: options.concatenationReference, is16Bit: options.uses16BitReference, total: 1,
      part: 1)
    let head = UserDataHeader(concatenation: place, tables: tables).encoded().count
    let pieces: [UserContent] =
      switch content {
      case .gsm7(let septets):
        cut(septets, every: Limits.userDataSeptets - (head * 8 + 6) / 7) { piece in
          // An escape and the septet after it stay together.
          trailingEscapes(piece).isMultiple(of: 2) ? 0 : 1
        }.map(UserContent.gsm7)
      case .octets(let octets):
        cut(octets, every: Limits.userDataOctets - head) { _ in 0 }.map(UserContent.octets)
      case .ucs2(let units):
        cut(units, every: (Limits.userDataOctets - head) / 2) { piece in
          UTF16.isLeadSurrogate(piece.last ?? 0) ? 1 : 0
        }.map(UserContent.ucs2)
      }
    guard pieces.count <= Limits.parts else { throw .tooManyParts(pieces.count) }
    return pieces.enumerated().map { index, piece in
      var place = place
      place.total = UInt8(pieces.count)
      place.part = UInt8(index + 1)
      return UserData(
        header: UserDataHeader(concatenation: place, tables: tables), content: piece)
    }
  }

  private static func trailingEscapes(_ piece: ArraySlice<UInt8>) -> Int {
    piece.reversed().prefix { $0 == DefaultAlphabet.escape }.count
  }

  /// Cuts `elements` into pieces of at most `count`, each shorter by what `excess` says of it.
  private static func cut<Element>(
    _ elements: [Element], every count: Int, excess: (ArraySlice<Element>) -> Int
  ) -> [[Element]] {
    var pieces: [[Element]] = []
    var rest = elements[...]
    while !rest.isEmpty {
      var piece = rest.prefix(count)
      if piece.count < rest.count {
        piece = piece.dropLast(excess(piece))
      }
      pieces.append(Array(piece))
      rest = rest.dropFirst(piece.count)
    }
    return pieces
  }
}

extension UserContent {
  /// Septets, octets or UTF-16 units.
  fileprivate var count: Int {
    switch self {
    case .gsm7(let septets): septets.count
    case .octets(let octets): octets.count
    case .ucs2(let units): units.count
    }
  }

  fileprivate var isSevenBit: Bool {
    if case .gsm7 = self { true } else { false }
  }
}
