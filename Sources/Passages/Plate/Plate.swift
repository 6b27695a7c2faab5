/// The number plate of a vehicle, in whatever script and spacing it was read.
///
/// Two plates are equal when their compact forms are: बा १ प १२३४ and "ba-1-pa 1234" are one
/// vehicle.
public struct Plate: Hashable, Sendable {
  /// What was read or typed, untouched.
  public let raw: String

  /// Upper-case Latin letters and digits alone, such as `BA1PA1234`: the key for matching, and what
  /// stands in a V1 text. A plate of a province begins with `P` and its number: `P302033CHA1234` is
  /// बागमती प्रदेश ०२ ०३३ च १२३४, however that is written.
  public let compact: String

  /// Reads a plate in Devanagari or Latin letters, or both.
  ///
  /// White space and punctuation divide and are not kept. Everything else must be a letter or digit
  /// that the tables know.
  ///
  /// - Throws: `PlateError` that shows the character or the length that is wrong.
  public init(_ raw: String) throws(PlateError) {
    guard raw.utf8.count <= Limits.rawPlateBytes else {
      throw .tooLong(raw.utf8.count)
    }
    let compact =
      if Plate.isCompact(raw.utf8) {
        Transliteration.compact(latin: raw)
      } else {
        try Transliteration.compact(raw.unicodeScalars)
      }
    guard !compact.isEmpty else { throw .empty }
    let count = compact.utf8.count
    guard count >= Limits.compactPlate.lowerBound else { throw .tooShort(count) }
    guard count <= Limits.compactPlate.upperBound else { throw .tooLong(count) }
    self.raw = raw
    self.compact = compact
  }

  /// A part of a plate as it stands in the compact form: `1234`, `pa 12`, `१२३४`.
  ///
  /// - Throws: `PlateError` that shows the character that is wrong, or that it is too long or empty.
  public static func part(_ raw: String) throws(PlateError) -> String {
    guard raw.utf8.count <= Limits.rawPlateBytes else { throw .tooLong(raw.utf8.count) }
    let part = try Transliteration.compact(raw.unicodeScalars)
    guard !part.isEmpty else { throw .empty }
    guard part.utf8.count <= Limits.compactPlate.upperBound else { throw .tooLong(part.utf8.count) }
    return part
  }

  /// A plate as a store has it: its compact form, and what was read of it. It is taken as it stands there, also where
  /// another program wrote what is no plate.
  public init(stored compact: String, raw: String) {
    self.raw = raw.isEmpty ? compact : raw
    self.compact = compact
  }

  /// The plate with what was read of it in another way, whatever that says: a camera may have read it wrongly, and
  /// somebody put it right.
  ///
  /// - Throws: `PlateError.tooLong` where that has more bytes than there is room for.
  public func read(as raw: String) throws(PlateError) -> Plate {
    guard raw.utf8.count <= Limits.rawPlateBytes else { throw .tooLong(raw.utf8.count) }
    return Plate(stored: compact, raw: raw)
  }

  /// Whether a text is a plate in its compact form.
  public static func isPlate(compact: String) -> Bool {
    Limits.compactPlate.contains(compact.utf8.count) && isCompact(compact.utf8)
  }

  /// A plate whose compact form is known already; its bytes have been checked by the caller.
  init(checkedCompact compact: String) {
    raw = compact
    self.compact = compact
  }

  /// For people: a space at each change between letters and digits, such as `BA 1 PA 1234`; that of a province
  /// as it stands on the plate, `P3 02 033 CHA 1234` or `P3 B AB 0123`.
  public var display: String {
    var text: [UInt8] = []
    text.reserveCapacity(compact.utf8.count * 2)
    let spaces = ProvincialPlate.spaces(in: compact.utf8)
    var last: Bool?
    for (place, byte) in compact.utf8.enumerated() {
      let isDigit = byte.isDigit
      let isApart = spaces?.contains(place) ?? last.map { $0 != isDigit } ?? false
      if isApart { text.append(UInt8(ascii: " ")) }
      text.append(byte)
      last = isDigit
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether two are the same plate, however they were written.
  public static func == (left: Plate, right: Plate) -> Bool {
    left.compact == right.compact
  }

  /// Hashes the compact form, as that is what equality looks at.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(compact)
  }

  /// Whether `bytes` are in the compact form already, which most are.
  static func isCompact(_ bytes: some Collection<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { $0.isDigit || $0.isUpper }
  }
}
