import Time

/// A value as it came: not NULL, in either form, within the answer's memory.
struct ReceivedValue {
  var bytes: UnsafeRawBufferPointer
  var type: UInt32
  var isBinary: Bool

  var text: String? {
    if isBinary, type == TypeNumber.uuid { return uuid }
    return String(validating: bytes, as: UTF8.self)
  }

  var integer: Int64? {
    guard isBinary else { return text.flatMap { Int64($0) } }
    switch bytes.count {
    case 2: return Int64(bigEndian(Int16.self))
    // The one type without a sign.
    case 4 where type == TypeNumber.oid: return Int64(bigEndian(UInt32.self))
    case 4: return Int64(bigEndian(Int32.self))
    case 8: return bigEndian(Int64.self)
    default: return nil
    }
  }

  var double: Double? {
    guard isBinary else { return text.flatMap { Double($0) } }
    if TypeNumber.integers.contains(type) { return integer.map(Double.init) }
    switch bytes.count {
    case 4: return Double(Float(bitPattern: bigEndian(UInt32.self)))
    case 8: return Double(bitPattern: bigEndian(UInt64.self))
    default: return nil
    }
  }

  var bool: Bool? {
    guard bytes.count == 1, let byte = bytes.first else { return nil }
    if isBinary { return byte != 0 }
    return byte == UInt8(ascii: "t") ? true : byte == UInt8(ascii: "f") ? false : nil
  }

  /// In the form that the session is told to write: `2026-01-01 05:45:00.25+00`.
  var time: WallTime? {
    guard let text, !isBinary else { return nil }
    return WallTime(rfc3339: text.hasSuffix("+00") ? text + ":00" : text) ?? FarTime.read(text)
  }

  var octets: [UInt8]? {
    guard !isBinary else { return Array(bytes) }
    guard bytes.starts(with: Array("\\x".utf8)), bytes.count.isMultiple(of: 2) else { return nil }
    var octets: [UInt8] = []
    octets.reserveCapacity(bytes.count / 2 - 1)
    for index in stride(from: 2, to: bytes.count, by: 2) {
      guard let high = digit(bytes[index]), let low = digit(bytes[index + 1]) else { return nil }
      octets.append(high << 4 | low)
    }
    return octets
  }

  /// Calls `read` with each element, or nil for NULL; false when it is no array of one dimension.
  func forEachElement(_ read: (ReceivedValue?) -> Bool) -> Bool {
    isBinary ? forEachBinary(read) : forEachText(read)
  }

  private func forEachText(_ read: (ReceivedValue?) -> Bool) -> Bool {
    guard let elements = ArrayText.read(bytes) else { return false }
    let type = TypeNumber.elements[type] ?? 0
    return elements.allSatisfy { element in
      guard let element else { return read(nil) }
      return element.withUnsafeBytes {
        read(ReceivedValue(bytes: $0, type: type, isBinary: false))
      }
    }
  }

  private func forEachBinary(_ read: (ReceivedValue?) -> Bool) -> Bool {
    var rest = bytes[...]
    func number() -> Int32? {
      guard rest.count >= 4 else { return nil }
      defer { rest = rest.dropFirst(4) }
      return UnsafeRawBufferPointer(rebasing: rest.prefix(4))
        .loadUnaligned(as: Int32.self).bigEndian
    }
    guard let dimensions = number(), number() != nil, let type = number() else { return false }
    if dimensions == 0 { return true }
    guard dimensions == 1, let count = number(), count >= 0, number() != nil else { return false }
    for _ in 0..<count {
      guard let length = number() else { return false }
      guard length >= 0 else {
        guard read(nil) else { return false }
        continue
      }
      guard rest.count >= Int(length) else { return false }
      let element = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(length)))
      rest = rest.dropFirst(Int(length))
      guard
        read(ReceivedValue(bytes: element, type: UInt32(bitPattern: type), isBinary: true))
      else { return false }
    }
    return rest.isEmpty
  }

  private var uuid: String? {
    guard bytes.count == 16 else { return nil }
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func bigEndian<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
    Number(bigEndian: bytes.loadUnaligned(as: type))
  }

  private func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
