/// The GSM 7-bit default alphabet and its extension table (3GPP TS 23.038 6.2.1).
enum DefaultAlphabet {
  /// The escape septet, after which the next one is looked up in an extension or single shift table.
  static let escape: UInt8 = 0x1B

  /// The characters of the septets 0 to 127. The escape stands as U+001B, which no text produces.
  static let basic: [Unicode.Scalar] = Array(
    ("@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u{1B}ÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
      + "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà").unicodeScalars)

  /// What the septets mean after an escape.
  static let extended: [(septet: UInt8, scalar: Unicode.Scalar)] = [
    (0x0A, "\u{0C}"), (0x14, "^"), (0x28, "{"), (0x29, "}"), (0x2F, "\\"), (0x3C, "["),
    (0x3D, "~"), (0x3E, "]"), (0x40, "|"), (0x65, "€"),
  ]
}
