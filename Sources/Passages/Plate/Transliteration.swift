/// Devanagari letters of Nepali plates in Latin letters.
///
/// The zone and category letters, and the names of the provinces, go first and longest first; after
/// them any consonant with its vowel sign, as a reader of Nepali would write it. What a province gave is
/// said by ``ProvincialPlate``.
enum Transliteration {
  /// The compact form of a plate: that of a province in its short form.
  ///
  /// - Throws: `PlateError.unmapped` with the character and its position, counted from 1.
  static func compact(_ scalars: String.UnicodeScalarView) throws(PlateError) -> String {
    let groups = try groups(scalars)
    // What is joined is read as a text that came joined would be.
    return compact(latin: ProvincialPlate.short(groups) ?? groups.joined())
  }

  /// The compact form of a plate that has capital Latin letters and digits alone, which nearly always is what
  /// it is.
  static func compact(latin text: String) -> String {
    // A plate of a province begins with P and a digit, or with three letters and more.
    let letters = text.utf8.prefix { $0.isUpper }.count
    guard letters >= 3 || (letters == 1 && text.utf8.first == UInt8(ascii: "P")),
      let groups = try? groups(text.unicodeScalars)
    else { return text }
    return ProvincialPlate.short(groups) ?? text
  }

  /// Its groups of capital letters or of digits, divided where what is written divides them and where the one
  /// follows the other.
  private static func groups(_ scalars: String.UnicodeScalarView) throws(PlateError) -> [String] {
    let input = Array(scalars)
    var groups: [String] = []
    var output: [UInt8] = []
    func end() {
      guard !output.isEmpty else { return }
      groups.append(String(decoding: output, as: UTF8.self))
      output.removeAll(keepingCapacity: true)
    }
    func add(_ bytes: some Sequence<UInt8>) {
      for byte in bytes {
        if let last = output.last, last.isDigit != byte.isDigit { end() }
        output.append(byte)
      }
    }
    var index = 0
    while index < input.count {
      let scalar = input[index]
      if let byte = latin(scalar) {
        add(CollectionOfOne(byte))
        index += 1
      } else if let word = PlateLetters.words.first(where: {
        input[index...].starts(with: $0.letters)
      }) {
        add(word.latin.utf8)
        index += word.letters.count
      } else if let count = numberWord(input[index...], after: groups + [text(output)]) {
        end()
        index += count
      } else if let consonant = PlateLetters.consonants[scalar] {
        add(consonant.utf8)
        index += 1
        if index < input.count, let vowel = PlateLetters.vowelSigns[input[index]] {
          add(vowel.utf8)
          index += 1
        } else {
          add(CollectionOfOne(UInt8(ascii: "A")))
        }
      } else if divides(scalar) {
        end()
        index += 1
      } else {
        throw .unmapped(character: scalar, position: index + 1)
      }
    }
    end()
    return groups
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  /// How many characters a word for "number" has that stands here, behind "province" alone.
  private static func numberWord(_ input: ArraySlice<Unicode.Scalar>, after groups: [String])
    -> Int?
  {
    let said = groups.joined()
    guard said == "PRADESH" || said == "PRA" else { return nil }
    return PlateLetters.numberWords.first { input.starts(with: $0) }?.count
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
