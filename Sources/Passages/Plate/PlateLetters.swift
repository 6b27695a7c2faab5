/// The tables behind `Transliteration`.
enum PlateLetters {
  /// A sequence of letters that is read as a whole.
  struct Word: Sendable {
    let letters: [Unicode.Scalar]
    let latin: String
  }

  /// Names of provinces, then the zones and categories of plates, longest first.
  static let words: [Word] = {
    let names: [(String, String)] = [
      ("सुदूरपश्चिम", "SUDURPASHCHIM"), ("लुम्बिनी", "LUMBINI"), ("गण्डकी", "GANDAKI"), ("कर्णाली", "KARNALI"),
      ("बागमती", "BAGMATI"), ("प्रदेश", "PRADESH"), ("कोशी", "KOSHI"), ("मधेश", "MADHESH"),
      ("नेपाल", "NEPAL"),
      ("वाग्मती", "BAGMATI"), ("बाग्मती", "BAGMATI"), ("वागमती", "BAGMATI"), ("लुम्विनी", "LUMBINI"),
      ("गन्डकी", "GANDAKI"), ("कर्नाली", "KARNALI"), ("कोसी", "KOSHI"), ("मधेस", "MADHESH"),
      ("सुदुरपश्चिम", "SUDURPASHCHIM"), ("सुदूर", "SUDUR"), ("सुदुर", "SUDUR"), ("पश्चिम", "PASHCHIM"),
      ("प्रदेस", "PRADESH"), ("प्र", "PRA"),
      ("बा", "BA"), ("ना", "NA"), ("को", "KO"), ("सा", "SA"), ("मे", "ME"), ("लु", "LU"),
      ("रा", "RA"), ("भे", "BHE"), ("से", "SE"), ("पा", "PA"),
    ]
    return
      names
      .map { Word(letters: Array($0.0.unicodeScalars), latin: $0.1) }
      .sorted { $0.letters.count > $1.letters.count }
  }()

  /// Words for "number", which stand between "province" and its number, and nowhere else on a plate.
  static let numberWords: [[Unicode.Scalar]] = ["नम्बर", "नंबर", "नं"].map {
    Array($0.unicodeScalars)
  }

  /// Consonants without their vowel; alone they are read with A.
  static let consonants: [Unicode.Scalar: String] = [
    "क": "K", "ख": "KH", "ग": "G", "घ": "GH", "ङ": "NG", "च": "CH", "छ": "CHH", "ज": "J", "झ": "JH",
    "ञ": "NY", "ट": "T", "ठ": "TH", "ड": "D", "ढ": "DH", "ण": "N", "त": "T", "थ": "TH", "द": "D",
    "ध": "DH", "न": "N", "प": "P", "फ": "PH", "ब": "B", "भ": "BH", "म": "M", "य": "Y", "र": "R",
    "ल": "L", "व": "W", "श": "SH", "ष": "SH", "स": "S", "ह": "H",
  ]

  /// Signs that stand after a consonant and replace its A.
  static let vowelSigns: [Unicode.Scalar: String] = [
    "\u{93E}": "A", "\u{93F}": "I", "\u{940}": "I", "\u{941}": "U", "\u{942}": "U", "\u{947}": "E",
    "\u{948}": "AI", "\u{94B}": "O", "\u{94C}": "AU",
  ]
}
