import Time

/// A value in the form in which it goes to the server: binary where the type is plain, else as a text.
struct EncodedValue {
  /// Nil for NULL. A text ends with a zero, which the library looks for.
  var bytes: [UInt8]?
  var isBinary: Bool

  /// - Parameters:
  ///   - type: What the server takes the parameter for.
  ///   - place: The parameter's number, for the words of an error: 1 for `$1`.
  init(_ value: PostgreSQLValue, for type: UInt32, at place: Int) throws(PostgreSQLError) {
    switch EncodedValue.binary(value, for: type) {
    case .some(let binary): self = EncodedValue(bytes: binary, isBinary: true)
    case .none:
      guard let text = EncodedValue.text(value) else {
        self = EncodedValue(bytes: nil, isBinary: false)
        return
      }
      guard !text.contains(0) else {
        throw .misused(reason: "parameter \(place) has a zero character, which no text may have")
      }
      self = EncodedValue(bytes: text + [0], isBinary: false)
    }
  }

  private init(bytes: [UInt8]?, isBinary: Bool) {
    self.bytes = bytes
    self.isBinary = isBinary
  }

  /// The binary form; nil where the value goes as a text.
  private static func binary(_ value: PostgreSQLValue, for type: UInt32) -> [UInt8]? {
    switch value {
    case .null, .text, .time, .times: return nil
    case .integer(let number): return integer(number, for: type)
    case .double(let number): return double(number, for: type)
    case .bool(let value): return type == TypeNumber.bool ? [value ? 1 : 0] : nil
    case .bytes(let bytes): return type == TypeNumber.bytes ? bytes : nil
    case .texts(let list):
      return array(list, for: type) { TypeNumber.texts.contains($1) ? Array($0.utf8) : nil }
    case .integers(let list): return array(list, for: type, integer)
    case .doubles(let list): return array(list, for: type, double)
    case .bools(let list):
      return array(list, for: type) { $1 == TypeNumber.bool ? [$0 ? 1 : 0] : nil }
    case .byteArrays(let list): return array(list, for: type) { $1 == TypeNumber.bytes ? $0 : nil }
    }
  }

  /// What does not fit goes as a text, and the server says so in its own words.
  private static func integer(_ number: Int64, for type: UInt32) -> [UInt8]? {
    switch type {
    case TypeNumber.int8: bigEndian(number)
    case TypeNumber.int4: Int32(exactly: number).map(bigEndian)
    case TypeNumber.int2: Int16(exactly: number).map(bigEndian)
    default: nil
    }
  }

  private static func double(_ number: Double, for type: UInt32) -> [UInt8]? {
    type == TypeNumber.float8 ? bigEndian(number.bitPattern) : nil
  }

  /// Dimensions, whether there are NULLs, the type; length and lower bound; each element with its length.
  private static func array<Element>(
    _ list: [Element?], for type: UInt32, _ encode: (Element, UInt32) -> [UInt8]?
  ) -> [UInt8]? {
    guard let element = TypeNumber.elements[type] else { return nil }
    var body: [UInt8] = []
    for value in list {
      guard let value else {
        body += bigEndian(Int32(-1))
        continue
      }
      guard let bytes = encode(value, element), let count = Int32(exactly: bytes.count) else {
        return nil
      }
      // A text with a zero is refused with words of our own, where texts are made.
      if TypeNumber.texts.contains(element), bytes.contains(0) { return nil }
      body += bigEndian(count)
      body += bytes
    }
    let hasNull: Int32 = list.contains { $0 == nil } ? 1 : 0
    guard let count = Int32(exactly: list.count) else { return nil }
    var head = bigEndian(Int32(list.isEmpty ? 0 : 1)) + bigEndian(hasNull) + bigEndian(element)
    if !list.isEmpty { head += bigEndian(count) + bigEndian(Int32(1)) }
    return head + body
  }

  private static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  /// The form as a text, without its end; nil for NULL.
  private static func text(_ value: PostgreSQLValue) -> [UInt8]? {
    switch value {
    case .null: nil
    case .text(let text): Array(text.utf8)
    case .integer(let number): Array(String(number).utf8)
    case .double(let number): Array(word(number).utf8)
    case .bool(let value): [UInt8(ascii: value ? "t" : "f")]
    case .bytes(let bytes): hexadecimal(bytes)
    case .time(let time): Array(FarTime.text(time).utf8)
    case .texts(let list): ArrayText.write(list.map { $0.map { Array($0.utf8) } })
    case .integers(let list): ArrayText.write(list.map { $0.map { Array(String($0).utf8) } })
    case .doubles(let list): ArrayText.write(list.map { $0.map { Array(word($0).utf8) } })
    case .bools(let list): ArrayText.write(list.map { $0.map { [UInt8(ascii: $0 ? "t" : "f")] } })
    case .byteArrays(let list): ArrayText.write(list.map { $0.map(hexadecimal) })
    case .times(let list): ArrayText.write(list.map { $0.map { Array(FarTime.text($0).utf8) } })
    }
  }

  private static func word(_ number: Double) -> String {
    number.isNaN ? "NaN" : number.isInfinite ? (number < 0 ? "-Infinity" : "Infinity") : "\(number)"
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = [UInt8(ascii: "\\"), UInt8(ascii: "x")]
    text.reserveCapacity(2 + 2 * bytes.count)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return text
  }
}
