extension UInt8 {
  /// Whether this is an ASCII digit.
  var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  /// Whether this is an ASCII capital letter.
  var isUpper: Bool { self &- UInt8(ascii: "A") < 26 }

  /// The capital of an ASCII letter; anything else as it is.
  var uppercased: UInt8 { self &- UInt8(ascii: "a") < 26 ? self & 0xDF : self }
}
