extension V1Message {
  /// Reads a V1 text.
  ///
  /// Before it is read, and nothing more: white space and what nobody sees around it go (a byte order mark,
  /// zero-width and directional marks, NUL and other controls), `¡` and a space with `¡` become
  /// `|` again (what is left of `|` where its escape in the GSM alphabet was dropped), letters become
  /// capitals, and spaces around a delimiter go.
  ///
  /// - Parameters:
  ///   - text: The body as it came.
  ///   - window: The seconds since 1970 that are accepted, both ends with it; nil takes any.
  /// - Throws: `V1Error` that names the field and what is wrong with it.
  public static func decode(_ text: String, window: ClosedRange<Int64>?) throws(V1Error)
    -> V1Message
  {
    let utf8 = text.utf8
    guard utf8.count <= Limits.bodyBytes else { throw .tooLong(utf8.count) }
    let read = utf8.withContiguousStorageIfAvailable { bytes -> Swift.Result<V1Message, V1Error>? in
      guard let message = canonical(UnsafeRawBufferPointer(bytes)) else { return nil }
      return Swift.Result { () throws(V1Error) in try message.checked(window) }
    }
    if let read, let result = read { return try result.get() }
    return try slow(text).checked(window)
  }

  private func checked(_ window: ClosedRange<Int64>?) throws(V1Error) -> V1Message {
    if let window, !window.contains(recordedEpoch) {
      throw .outsideWindow(epoch: recordedEpoch, window: window)
    }
    return self
  }

  /// One look at each byte of a text that is canonical already, as nearly all are; nil for any other.
  private static func canonical(_ bytes: UnsafeRawBufferPointer) -> V1Message? {
    let bar = UInt8(ascii: "|")
    // The tail has a fixed length: |TYP|epoch|suffix
    let tail = bytes.count - 20
    guard tail >= 7, bytes.count <= 54, bytes[0] == UInt8(ascii: "V"),
      bytes[1] == UInt8(ascii: "1"), bytes[2] == bar, bytes[tail] == bar, bytes[tail + 4] == bar,
      bytes[tail + 15] == bar
    else { return nil }
    var position = 3
    while position < tail, CheckpostCode.isAllowed(bytes[position]) { position += 1 }
    guard Limits.checkpostCode.contains(position - 3), position < tail, bytes[position] == bar
    else {
      return nil
    }
    let plateStart = position + 1
    position = plateStart
    while position < tail, bytes[position].isUpper || bytes[position].isDigit { position += 1 }
    guard position == tail, Limits.compactPlate.contains(tail - plateStart),
      let type = VehicleType(code: bytes[tail + 1], bytes[tail + 2], bytes[tail + 3])
    else { return nil }
    var epoch: Int64 = 0
    for place in tail + 5..<tail + 15 {
      guard bytes[place].isDigit else { return nil }
      epoch = epoch * 10 + Int64(bytes[place] - UInt8(ascii: "0"))
    }
    guard epoch >= Limits.epochs.lowerBound else { return nil }
    for place in tail + 16..<tail + 20 where !bytes[place].isDigit { return nil }
    func text(_ range: Range<Int>) -> String {
      String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }
    return V1Message(
      checkpost: CheckpostCode(checked: text(3..<plateStart - 1)),
      plate: Plate(checkedCompact: text(plateStart..<tail)), vehicleType: type,
      typeCode: TypeCode(
        first: bytes[tail + 1], second: bytes[tail + 2], third: bytes[tail + 3]),
      recordedEpoch: epoch, suffix: PhoneSuffix(checked: text(tail + 16..<tail + 20)))
  }

  /// Makes a text canonical, reads its fields one after another, and says what is wrong.
  private static func slow(_ text: String) throws(V1Error) -> V1Message {
    let fields = Canonical.fields(text)
    if V1Error.isVersion(fields[0]), fields[0] != "V1" { throw .version(fields[0]) }
    guard fields.count == 6 else {
      if fields[0] != "V1" { throw .version(fields[0]) }
      throw .fieldCount(fields.count)
    }
    guard fields[0] == "V1" else { throw .version(fields[0]) }
    let post: CheckpostCode
    do {
      post = try CheckpostCode(fields[1])
    } catch {
      throw .checkpost(fields[1])
    }
    guard Plate.isCompact(fields[2].utf8), Limits.compactPlate.contains(fields[2].utf8.count)
    else { throw .plate(fields[2]) }
    let code = Array(fields[3].utf8)
    guard code.count == 3, let type = VehicleType(code: code[0], code[1], code[2]) else {
      throw .vehicleType(fields[3])
    }
    guard fields[4].utf8.count == 10, fields[4].utf8.allSatisfy(\.isDigit),
      let epoch = Int64(fields[4]), Limits.epochs.contains(epoch)
    else { throw .timestamp(fields[4]) }
    guard let suffix = PhoneSuffix(fields[5]) else { throw .phoneSuffix(fields[5]) }
    return V1Message(
      checkpost: post, plate: Plate(checkedCompact: fields[2]), vehicleType: type,
      typeCode: TypeCode(first: code[0], second: code[1], third: code[2]), recordedEpoch: epoch,
      suffix: suffix)
  }
}

/// What is put right in a text before it is read.
enum Canonical {
  /// The fields of a text, at least one.
  static func fields(_ text: String) -> [String] {
    var fields: [[Unicode.Scalar]] = [[]]
    for scalar in Unseen.trimmed(text) {
      if scalar == "|" || scalar == "\u{A1}" {
        fields.append([])
      } else {
        let isSmall = (0x61...0x7A).contains(scalar.value)
        let capital = isSmall ? Unicode.Scalar(scalar.value - 0x20) ?? scalar : scalar
        fields[fields.count - 1].append(capital)
      }
    }
    return fields.map { trimmed($0) }
  }

  private static func trimmed(_ scalars: [Unicode.Scalar]) -> String {
    var range = scalars[...]
    while let first = range.first, first.properties.isWhitespace { range.removeFirst() }
    while let last = range.last, last.properties.isWhitespace { range.removeLast() }
    var text = ""
    text.unicodeScalars.append(contentsOf: range)
    return text
  }
}
