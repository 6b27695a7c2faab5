/// The national language tables (3GPP TS 23.038 annex A), built once when they are first needed.
///
/// The tables of the Indian languages share one layout: letters of the script's Unicode block in
/// their order, at the positions that punctuation, digits and Latin small letters leave free. So they
/// are written down as the block's base, the offsets that are not assigned, and the six positions
/// that follow no rule.
enum NationalTables {
  /// The 128 scalars of a locking shift table; nil where a position is not used.
  static func locking(_ language: NationalLanguage) -> [Unicode.Scalar?] {
    switch language {
    case .turkish: latin(turkishLocking)
    case .spanish: DefaultAlphabet.basic
    case .portuguese: latin(portugueseLocking)
    case .urdu: latin(urduLocking)
    case .bengali: indic(bengali)
    case .gujarati: indic(gujarati)
    case .hindi: indic(hindi)
    case .kannada: indic(kannada)
    case .malayalam: indic(malayalam)
    case .oriya: indic(oriya)
    case .punjabi: indic(punjabi)
    case .tamil: indic(tamil)
    case .telugu: indic(telugu)
    }
  }

  /// The scalars of a single shift table by septet.
  static func single(_ language: NationalLanguage) -> [(septet: UInt8, scalar: Unicode.Scalar)] {
    switch language {
    case .turkish:
      DefaultAlphabet.extended + [
        (0x47, "Ğ"), (0x49, "İ"), (0x53, "Ş"), (0x63, "ç"), (0x67, "ğ"), (0x69, "ı"), (0x73, "ş"),
      ]
    case .spanish:
      DefaultAlphabet.extended + [
        (0x09, "ç"), (0x41, "Á"), (0x49, "Í"), (0x4F, "Ó"), (0x55, "Ú"), (0x61, "á"), (0x69, "í"),
        (0x6F, "ó"), (0x75, "ú"),
      ]
    case .portuguese:
      DefaultAlphabet.extended + [
        (0x05, "ê"), (0x09, "ç"), (0x0B, "Ô"), (0x0C, "ô"), (0x0E, "Á"), (0x0F, "á"), (0x12, "Φ"),
        (0x13, "Γ"), (0x15, "Ω"), (0x16, "Π"), (0x17, "Ψ"), (0x18, "Σ"), (0x19, "Θ"), (0x1F, "Ê"),
        (0x41, "À"), (0x49, "Í"), (0x4F, "Ó"), (0x55, "Ú"), (0x5B, "Ã"), (0x5C, "Õ"), (0x61, "Â"),
        (0x69, "í"), (0x6F, "ó"), (0x75, "ú"), (0x7B, "ã"), (0x7C, "õ"), (0x7F, "â"),
      ]
    case .bengali:
      indicSingle(
        signs: [0x09E6, 0x09E7], run: Array(0x09E8...0x09EF) + [0x09DF, 0x09E0, 0x09E1, 0x09E2],
        rest: [0x09E3, 0x09F2, 0x09F3, 0x09F4, 0x09F5],
        after: [0x09F6, 0x09F7, 0x09F8, 0x09F9, 0x09FA])
    case .gujarati:
      indicSingle(signs: danda, run: Array(0x0AE6...0x0AEF))
    case .hindi:
      indicSingle(
        signs: danda, run: Array(0x0966...0x096F) + [0x0951, 0x0952],
        rest: [0x0953, 0x0954, 0x0958, 0x0959, 0x095A],
        after: [
          0x095B, 0x095C, 0x095D, 0x095E, 0x095F, 0x0960, 0x0961, 0x0962, 0x0963, 0x0970, 0x0971,
        ])
    case .kannada:
      indicSingle(signs: danda, run: Array(0x0CE6...0x0CEF) + [0x0CDE, 0x0CF1], rest: [0x0CF2])
    case .malayalam:
      indicSingle(
        signs: danda, run: Array(0x0D66...0x0D6F) + [0x0D70, 0x0D71],
        rest: [0x0D72, 0x0D73, 0x0D74, 0x0D75, 0x0D7A],
        after: [0x0D7B, 0x0D7C, 0x0D7D, 0x0D7E, 0x0D7F])
    case .oriya:
      indicSingle(
        signs: danda, run: Array(0x0B66...0x0B6F) + [0x0B5C, 0x0B5D],
        rest: [0x0B5F, 0x0B70, 0x0B71])
    case .punjabi:
      indicSingle(
        signs: danda, run: Array(0x0A66...0x0A6F) + [0x0A59, 0x0A5A],
        rest: [0x0A5B, 0x0A5C, 0x0A5E, 0x0A75])
    case .tamil:
      indicSingle(
        signs: danda, run: Array(0x0BE6...0x0BEF) + [0x0BF3, 0x0BF4],
        rest: [0x0BF5, 0x0BF6, 0x0BF7, 0x0BF8, 0x0BFA])
    case .telugu:
      indicSingle(
        signs: [], run: Array(0x0C66...0x0C6F) + [0x0C58, 0x0C59],
        rest: [0x0C78, 0x0C79, 0x0C7A, 0x0C7B, 0x0C7C], after: [0x0C7D, 0x0C7E, 0x0C7F])
    case .urdu:
      indicSingle(
        signs: [0x0600, 0x0601], run: Array(0x06F0...0x06F9) + [0x060C, 0x060D],
        rest: [0x060E, 0x060F, 0x0610, 0x0611, 0x0612],
        after: [
          0x0613, 0x0614, 0x061B, 0x061F, 0x0640, 0x0652, 0x0658, 0x066B, 0x066C, 0x0672, 0x0673,
          0x06CD,
        ]) + [(0x3F, "\u{06D4}")]
    }
  }
}

extension NationalTables {
  private static let danda: [UInt32] = [0x0964, 0x0965]

  private static let small = "abcdefghijklmnopqrstuvwxyz"
  private static let capital = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

  private static let turkishLocking =
    "@£$¥€éùıòÇ\nĞğ\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u{1B}ŞşßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
    + "İ\(capital)ÄÖÑÜ§ç\(small)äöñüà"

  private static let portugueseLocking =
    "@£$¥êéúíóç\nÔô\rÁáΔ_ªÇÀ∞^\\€Ó|\u{1B}ÂâÊÉ !\"#º%&'()*+,-./0123456789:;<=>?"
    + "Í\(capital)ÃÕÚÜ§~\(small)ãõ`üà"

  private static let urduLocking =
    "\u{0627}\u{0622}\u{0628}\u{067B}\u{0680}\u{067E}\u{06A6}\u{062A}\u{06C2}\u{067F}\n"
    + "\u{0679}\u{067D}\r\u{067A}\u{067C}\u{062B}\u{062C}\u{0681}\u{0684}\u{0683}\u{0685}\u{0686}"
    + "\u{0687}\u{062D}\u{062E}\u{062F}\u{1B}\u{068C}\u{0688}\u{0689}\u{068A} !"
    + "\u{068F}\u{068D}\u{0630}\u{0631}\u{0691}\u{0693})(\u{0699}\u{0632},\u{0696}.\u{0698}"
    + "0123456789:;\u{069A}\u{0633}\u{0634}?\u{0635}\u{0636}\u{0637}\u{0638}\u{0639}\u{0641}"
    + "\u{0642}\u{06A9}\u{06AA}\u{06AB}\u{06AF}\u{06B3}\u{06B1}\u{0644}\u{0645}\u{0646}\u{06BA}"
    + "\u{06BB}\u{06BC}\u{0648}\u{06C4}\u{06D5}\u{06C1}\u{06BE}\u{0621}\u{06CC}\u{06D0}\u{06D2}"
    + "\u{064D}\u{0650}\u{064F}\u{0657}\u{0654}\(small)\u{0655}\u{0651}\u{0653}\u{0656}\u{0670}"

  private static func latin(_ text: String) -> [Unicode.Scalar?] {
    Array(text.unicodeScalars)
  }

  /// One Indian script: where its block begins, which letters of the common layout it lacks, and
  /// the characters at 0x60 and 0x7B to 0x7F.
  private struct Script {
    var base: UInt32
    var lacking: Set<UInt32>
    var special: [UInt32]
  }

  private static let bengali = Script(
    base: 0x0980,
    lacking: [0x0D, 0x0E, 0x11, 0x12, 0x29, 0x31, 0x33, 0x34, 0x35, 0x45, 0x46, 0x49, 0x4A],
    special: [0x09CE, 0x09D7, 0x09DC, 0x09DD, 0x09F0, 0x09F1])
  private static let gujarati = Script(
    base: 0x0A80, lacking: [0x0E, 0x12, 0x29, 0x31, 0x34, 0x46, 0x4A],
    special: [0x0AD0, 0x0AE0, 0x0AE1, 0x0AE2, 0x0AE3, 0x0AF1])
  private static let hindi = Script(
    base: 0x0900, lacking: [],
    special: [0x0950, 0x0972, 0x097B, 0x097C, 0x097E, 0x097F])
  private static let kannada = Script(
    base: 0x0C80, lacking: [0x01, 0x0D, 0x11, 0x29, 0x34, 0x45, 0x49],
    special: [0x0CD5, 0x0CD6, 0x0CE0, 0x0CE1, 0x0CE2, 0x0CE3])
  private static let malayalam = Script(
    base: 0x0D00, lacking: [0x01, 0x0D, 0x11, 0x29, 0x3C, 0x45, 0x49],
    special: [0x0D57, 0x0D60, 0x0D61, 0x0D62, 0x0D63, 0x0D79])
  private static let oriya = Script(
    base: 0x0B00,
    lacking: [0x0D, 0x0E, 0x11, 0x12, 0x29, 0x31, 0x34, 0x45, 0x46, 0x49, 0x4A],
    special: [0x0B56, 0x0B57, 0x0B60, 0x0B61, 0x0B62, 0x0B63])
  private static let punjabi = Script(
    base: 0x0A00,
    lacking: [
      0x0B, 0x0C, 0x0D, 0x0E, 0x11, 0x12, 0x29, 0x31, 0x34, 0x37, 0x3D, 0x43, 0x44, 0x45, 0x46,
      0x49, 0x4A,
    ],
    special: [0x0A51, 0x0A70, 0x0A71, 0x0A72, 0x0A73, 0x0A74])
  private static let tamil = Script(
    base: 0x0B80,
    lacking: [
      0x01, 0x0B, 0x0C, 0x0D, 0x11, 0x16, 0x17, 0x18, 0x1B, 0x1D, 0x20, 0x21, 0x22, 0x25, 0x26,
      0x27, 0x2B, 0x2C, 0x2D, 0x3C, 0x3D, 0x43, 0x44, 0x45, 0x49,
    ],
    special: [0x0BD0, 0x0BD7, 0x0BF0, 0x0BF1, 0x0BF2, 0x0BF9])
  private static let telugu = Script(
    base: 0x0C00, lacking: [0x0D, 0x11, 0x29, 0x34, 0x3C, 0x45, 0x49],
    special: [0x0C55, 0x0C56, 0x0C60, 0x0C61, 0x0C62, 0x0C63])

  private static func indic(_ script: Script) -> [Unicode.Scalar?] {
    var table = [Unicode.Scalar?](repeating: nil, count: 128)
    for scalar in "\n\r\u{1B} !),.:;?(0123456789\(small)".unicodeScalars {
      table[Int(scalar.value)] = scalar
    }
    // Closing and opening parentheses have changed places in these tables.
    table[0x28] = ")"
    table[0x29] = "("
    let offsets: [UInt32] =
      Array(0x01...0x03) + Array(0x05...0x28) + Array(0x29...0x39) + Array(0x3C...0x4D)
    let free = (0..<0x60).filter { table[$0] == nil }
    for (position, offset) in zip(free, offsets) where !script.lacking.contains(offset) {
      table[position] = Unicode.Scalar(script.base + offset)
    }
    for (position, value) in zip([0x60, 0x7B, 0x7C, 0x7D, 0x7E, 0x7F], script.special) {
      table[position] = Unicode.Scalar(value)
    }
    return table
  }

  /// A single shift table of the common layout: punctuation, then the script's own signs at 0x19 and
  /// 0x1A, a run from 0x1C to 0x27, the rest from 0x2A to 0x2E and from 0x30 on, and capitals.
  private static func indicSingle(
    signs: [UInt32], run: [UInt32], rest: [UInt32] = [], after: [UInt32] = []
  ) -> [(septet: UInt8, scalar: Unicode.Scalar)] {
    var table: [(septet: UInt8, scalar: Unicode.Scalar)] = []
    func place(_ values: some Sequence<UInt32>, from first: UInt8) {
      var septet = first
      for value in values {
        if let scalar = Unicode.Scalar(value) {
          table.append((septet, scalar))
        }
        septet += 1
      }
    }
    place("@£$¥¿\"¤%&'\u{0C}*+".unicodeScalars.map(\.value), from: 0x00)
    place("-/<=>¡^¡_#*".unicodeScalars.map(\.value), from: 0x0E)
    place(signs, from: 0x19)
    place(run, from: 0x1C)
    table += [(0x28, "{"), (0x29, "}")]
    place(rest, from: 0x2A)
    table.append((0x2F, "\\"))
    place(after, from: 0x30)
    table += [(0x3C, "["), (0x3D, "~"), (0x3E, "]"), (0x40, "|")]
    place(capital.unicodeScalars.map(\.value), from: 0x41)
    table.append((0x65, "€"))
    return table
  }
}
