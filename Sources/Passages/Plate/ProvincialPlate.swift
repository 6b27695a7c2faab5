/// The short form of a plate that one of Nepal's seven provinces gave: `P`, the number of the province in the
/// constitution, as ISO 3166-2:NP has it, then what the plate says.
///
/// A painted plate says the office in two digits, the lot in three, the category in letters and the number:
/// बागमती प्रदेश ०२ ०३३ च ९२७ is `P302033CHA0927`. An embossed one says a class from A to K, two letters and
/// the number: "Bagmati B AB 0123" is `P3BAB0123`. Five of the provinces have the name of an older zone, so a
/// name alone is read so only where the rest can be nothing else: "Bagmati 1 Pa 1234" is no plate of a province.
enum ProvincialPlate {
  /// The short form of a plate in groups of capital letters or digits; nil where it is none of a province, or
  /// where the province is not said.
  static func short(_ groups: [String]) -> String? {
    let words = groups.prefix { isLetters($0) }
    guard let head = Head(words) else { return nil }
    var rest = Rest(groups[words.count...])
    var letters = String(head.letters)
    let province: Int
    if let named = head.province {
      province = named
    } else {
      guard letters.isEmpty, let number = rest.takeProvince() else { return nil }
      province = number
    }
    if !letters.isEmpty {
      guard rest.letters.isEmpty else { return nil }
      // Nothing but the serial follows a class and its letters.
      (rest.numbers, rest.serial) = ([], rest.numbers)
      rest.letters = letters
    }
    letters = rest.letters
    if rest.isWhole, let lot = rest.paintedLot {
      return "P\(province)\(lot)\(letters)\(rest.paddedSerial)"
    }
    let isApart = words.suffix(2).map(\.utf8.count) == [1, 2]
    if rest.isWhole, rest.numbers.isEmpty, isEmbossed(letters, isApart || head.isSure) {
      return "P\(province)\(letters)\(rest.paddedSerial)"
    }
    guard head.isSure, !letters.isEmpty || !rest.numbers.isEmpty else { return nil }
    return "P\(province)" + rest.asWritten
  }

  /// Before which places of a short form a space stands for people; nil of a plate that is none, or that says
  /// less than a whole one.
  static func spaces(in compact: String.UTF8View) -> [Int]? {
    let bytes = Array(compact)
    guard bytes.count >= 9, bytes[0] == UInt8(ascii: "P"),
      (UInt8(ascii: "1")...UInt8(ascii: "7")).contains(bytes[1])
    else { return nil }
    let numbers = bytes[2...].prefix { $0.isDigit }.count
    let letters = bytes[(2 + numbers)...].prefix { $0.isUpper }.count
    let serial = 2 + numbers + letters
    guard bytes.count - serial == 4, bytes[serial...].allSatisfy(\.isDigit) else { return nil }
    if numbers == 5 { return [2, 4, 7, serial] }
    return numbers == 0 && letters == 3 ? [2, 3, serial] : nil
  }

  /// Whether letters are a class with its two letters, and not a category that is written with three.
  private static func isEmbossed(_ letters: String, _ isSure: Bool) -> Bool {
    guard letters.utf8.count == 3, let first = letters.utf8.first, first <= UInt8(ascii: "K")
    else { return false }
    return isSure || !letters.hasSuffix("HA")
  }

  private static func isLetters(_ group: String) -> Bool { group.utf8.first?.isUpper ?? false }

  /// How a plate of a province begins.
  private struct Head {
    /// Its number, where the name says it.
    var province: Int?
    /// Whether a word says that it is a province.
    var isSure: Bool
    /// Letters that follow at once.
    var letters: Substring

    init?(_ words: ArraySlice<String>) {
      let text = words.joined()[...]
      if text == "P" {
        self.init(province: nil, isSure: true, letters: "")
        return
      }
      if let rest = Head.after(Head.units, in: text) {
        let letters = Head.after(Head.numberWords, in: rest) ?? rest
        guard letters.isEmpty else { return nil }
        self.init(province: nil, isSure: true, letters: "")
        return
      }
      // A name that stands by itself is that one, whatever letters follow it.
      let alone = [words.first ?? "", words.prefix(2).joined()]
      let name =
        alone.lazy.compactMap { word in Head.names.first { $0.0 == word } }.first
        ?? Head.names.first { text.hasPrefix($0.0) }
      if let (name, number) = name {
        let rest = text.dropFirst(name.count)
        let unit = Head.after(Head.units, in: rest)
        self.init(province: number, isSure: unit != nil, letters: unit ?? rest)
        return
      }
      for (name, number) in Head.shortNames where text.hasPrefix(name) {
        guard let rest = Head.after(Head.shortUnits, in: text.dropFirst(name.count)) else {
          continue
        }
        self.init(province: number, isSure: true, letters: rest)
        return
      }
      return nil
    }

    private init(province: Int?, isSure: Bool, letters: Substring) {
      self.province = province
      self.isSure = isSure
      self.letters = letters
    }

    private static func after(_ words: [String], in text: Substring) -> Substring? {
      words.first { text.hasPrefix($0) }.map { text.dropFirst($0.count) }
    }

    /// Longer ones before those that they begin with.
    private static let names: [(String, Int)] = [
      ("KOSHI", 1), ("KOSI", 1), ("MADHESH", 2), ("MADHES", 2), ("MADESH", 2), ("BAGMATI", 3),
      ("BAGAMATI", 3), ("BAAGMATI", 3), ("WAGMATI", 3), ("VAGMATI", 3), ("GANDAKI", 4),
      ("LUMBINI", 5), ("KARNALI", 6), ("SUDURPASHCHIM", 7), ("SUDURPASCHIM", 7),
      ("SUDOORPASHCHIM", 7), ("SUDOORPASCHIM", 7), ("SUDURPACHHIM", 7),
    ]

    /// As police and papers shorten them: बा. प्र.
    private static let shortNames: [(String, Int)] = [
      ("KO", 1), ("MA", 2), ("BA", 3), ("GA", 4), ("LU", 5), ("KA", 6), ("SU", 7),
    ]
    private static let shortUnits = ["PRADESH", "PROVINCE", "PRA"]
    private static let units = ["PRADESH", "PROVINCE", "PROV", "STATE", "PRA"]
    private static let numberWords = ["NUMBER", "NO"]
  }

  /// What follows the province.
  private struct Rest {
    var numbers: [String]
    var letters: String
    var serial: [String]
    var more: [String]

    init(_ groups: ArraySlice<String>) {
      var rest = groups
      func take(_ isTaken: (String) -> Bool) -> [String] {
        let taken = rest.prefix(while: isTaken)
        rest = rest.dropFirst(taken.count)
        return Array(taken)
      }
      numbers = take { !ProvincialPlate.isLetters($0) }
      letters = take(ProvincialPlate.isLetters).joined()
      serial = take { !ProvincialPlate.isLetters($0) }
      more = Array(rest)
    }

    /// Takes the number of the province: a digit by itself, or the first of a group that has the office too.
    /// Two digits before others are no province: they are an office whose province is not said.
    mutating func takeProvince() -> Int? {
      guard let first = numbers.first, let digit = first.first?.wholeNumberValue,
        (1...7).contains(digit)
      else { return nil }
      if first.count == 1 {
        numbers.removeFirst()
      } else if numbers.count == 1 || (numbers.count == 2 && first.count == 3) {
        numbers[0].removeFirst()
      } else {
        return nil
      }
      return digit
    }

    /// Whether there is a category or class, a number of four digits at most, and nothing else.
    var isWhole: Bool {
      (1...4).contains(letters.utf8.count) && more.isEmpty
        && (1...4).contains(serial.joined().utf8.count)
    }

    /// The office in two digits and the lot in three; nil where that is not what the numbers are.
    var paintedLot: String? {
      let isTwo = numbers.count == 2 && numbers[0].utf8.count <= 2 && numbers[1].utf8.count <= 3
      let lot =
        isTwo ? Rest.padded(numbers[0], to: 2) + Rest.padded(numbers[1], to: 3) : numbers.joined()
      return lot.utf8.count == 5 ? lot : nil
    }

    var paddedSerial: String { Rest.padded(serial.joined(), to: 4) }

    var asWritten: String {
      numbers.joined() + letters + serial.joined() + more.joined()
    }

    private static func padded(_ digits: String, to count: Int) -> String {
      String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
  }
}
