/// Devanagari letters of Nepali plates in Latin letters.
///
/// The zone and category letters, and the names of the provinces, go first and longest first; after
/// them any consonant with its vowel sign, as a reader of Nepali would write it.
enum Transliteration {
  /// The compact form of a plate.
  ///
  /// - Throws: `PlateError.unmapped` with the character and its position, counted from 1.
  static func compact(_ scalars: String.UnicodeScalarView) throws(PlateError) -> String {
    let input = Array(scalars)
    var output: [UInt8] = []
    output.reserveCapacity(input.count)
    var index = 0
    while index < input.count {
      let scalar = input[index]
      if let byte = latin(scalar) {
        output.append(byte)
        index += 1
      } else if let word = PlateLetters.words.first(where: {
        input[index...].starts(with: $0.letters)
      }) {
        output.append(contentsOf: word.latin.utf8)
        index += word.letters.count
      } else if let consonant = PlateLetters.consonants[scalar] {
        output.append(contentsOf: consonant.utf8)
        index += 1
        if index < input.count, let vowel = PlateLetters.vowelSigns[input[index]] {
          output.append(contentsOf: vowel.utf8)
          index += 1
        } else {
          output.append(UInt8(ascii: "A"))
        }
      } else if divides(scalar) {
        index += 1
      } else {
        throw .unmapped(character: scalar, position: index + 1)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// A Latin letter in upper case, or a digit of either script.
  private static func latin(_ scalar: Unicode.Scalar) -> UInt8? {
    switch scalar.value {
    case 0x30...0x39, 0x41...0x5A: UInt8(scalar.value)
    case 0x61...0x7A: UInt8(scalar.value - 0x20)
    case 0x966...0x96F: UInt8(scalar.value - 0x966 + 0x30)
    default: nil
    }
  }

  /// Whether the character only divides groups: white space, dashes, the few marks that stand between
  /// the groups of a plate, and the joiners that keyboards leave between Devanagari letters. Any other
  /// mark may stand for a letter that was not read.
  private static func divides(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", ",", "/", ":", "_", "\u{B7}", "\u{964}", "\u{200C}", "\u{200D}", "\u{FEFF}":
      true
    default:
      scalar.properties.generalCategory == .dashPunctuation || scalar.properties.isWhitespace
    }
  }
}
