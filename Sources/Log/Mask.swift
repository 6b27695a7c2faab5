/// How plates, phone numbers and what follows from them appear in a log: personal data that a log must
/// not hand on.
public enum Mask: Sendable {
  /// As they are, because an operator asked for it.
  case whole
  /// A plate as `plate#1f9c03aa`, by the key of this installation: one plate, one mask.
  case keyed(MaskKey)
  /// A plate by its first two characters, `BA••`, where there is no key.
  case short

  /// A plate, given in its compact form.
  public func plate(_ compact: String) -> String {
    switch self {
    case .whole: compact
    case .keyed(let key): "plate#" + key.hash(compact, digits: 8)
    case .short: String(compact.prefix(2)) + "••"
    }
  }

  /// The identity of a passage: `id#8d1c22f0` by the key of this installation, so that what is told of one
  /// passage is found together; nothing of it where there is no key.
  public func identity(_ identity: String) -> String {
    switch self {
    case .whole: identity
    case .keyed(let key): "id#" + key.hash(identity, digits: 8)
    case .short: "id#••"
    }
  }

  /// A phone number: its last two digits, `••67`.
  public func phone(_ number: String) -> String {
    switch self {
    case .whole: number
    case .keyed, .short: "••" + String(number.suffix(2))
    }
  }

  /// A text that somebody else wrote (a library, a modem): V1 messages go, and of every run of seven
  /// digits or more only the last two stay.
  public func scrub(_ text: String) -> String {
    if case .whole = self { return text }
    var result: [UInt8] = []
    var run: [UInt8] = []
    let bytes = Array(text.utf8)
    var position = 0
    func flush() {
      // A plus leads a number and belongs to it.
      if run.count >= 7 {
        if result.last == 0x2B { result.removeLast() }
        result += Array("••".utf8) + run.suffix(2)
      } else {
        result += run
      }
      run = []
    }
    while position < bytes.count {
      let byte = bytes[position]
      if (0x30...0x39).contains(byte) {
        run.append(byte)
        position += 1
        continue
      }
      flush()
      if let length = Mask.messageLength(bytes[position...]) {
        result += Array("V1|••".utf8)
        position += length
      } else {
        result.append(byte)
        position += 1
      }
    }
    flush()
    return String(decoding: result, as: UTF8.self)
  }

  /// The length of the V1 message at the start of `bytes`, up to white space or a quote.
  private static func messageLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= 3, let first = bytes.first, first == 0x56 || first == 0x76,
      bytes[bytes.startIndex + 1] == 0x31, bytes[bytes.startIndex + 2] == 0x7C
    else {
      return nil
    }
    return bytes.prefix { $0 > 0x20 && $0 != 0x22 && $0 != 0x27 }.count
  }
}
