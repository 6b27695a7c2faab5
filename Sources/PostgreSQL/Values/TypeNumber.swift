/// The numbers that PostgreSQL gives its own types, which never change (`pg_type.dat` of its source).
enum TypeNumber {
  static let bool: UInt32 = 16
  static let bytes: UInt32 = 17
  static let name: UInt32 = 19
  static let int8: UInt32 = 20
  static let int2: UInt32 = 21
  static let int4: UInt32 = 23
  static let text: UInt32 = 25
  static let oid: UInt32 = 26
  static let float4: UInt32 = 700
  static let float8: UInt32 = 701
  static let padded: UInt32 = 1_042
  static let varchar: UInt32 = 1_043
  static let time: UInt32 = 1_184
  static let numeric: UInt32 = 1_700
  static let void: UInt32 = 2_278
  static let uuid: UInt32 = 2_950

  /// The type of an array's elements, by the type of the array; that of other arrays is 0.
  static let elements: [UInt32: UInt32] = [
    1_000: bool, 1_001: bytes, 1_003: name, 1_005: int2, 1_007: int4, 1_009: text, 1_014: padded,
    1_015: varchar, 1_016: int8, 1_021: float4, 1_022: float8, 1_028: oid, 1_185: time,
    1_231: numeric, 2_951: uuid,
  ]

  static let integers: Set<UInt32> = [int2, int4, int8, oid]
  static let floats: Set<UInt32> = [float4, float8]
  static let texts: Set<UInt32> = [text, varchar, padded, name]

  /// Types whose binary form is read here. An answer of these alone is asked for in it.
  static let plain: Set<UInt32> =
    integers.union(floats).union(texts).union([bool, bytes, uuid, void])

  static func isPlain(_ type: UInt32) -> Bool {
    plain.contains(type) || elements[type].map(plain.contains) == true
  }
}
