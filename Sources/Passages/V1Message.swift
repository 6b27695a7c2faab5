/// A passage as it stands in a V1 text: `V1|<checkpost>|<plate>|<type>|<epoch>|<suffix>`.
///
/// 54 characters and 59 septets of the GSM alphabet at most, so it always fits one short message.
public struct V1Message: Hashable, Sendable {
  /// Where the vehicle passed.
  public let checkpost: CheckpostCode
  /// The vehicle. In the text it stands in its compact form.
  public let plate: Plate
  /// What kind of vehicle it is.
  public let vehicleType: VehicleType
  /// When it passed, in whole seconds since 1970, UTC. Ten digits.
  public let recordedEpoch: Int64
  /// The last four digits of the ranger's phone number.
  public let suffix: PhoneSuffix
  /// The code that stands in the text, which may be an old one: identity hangs on it.
  private let typeCode: TypeCode

  /// A message of values.
  ///
  /// - Throws: `V1Error.timestamp` when the time cannot be said in ten digits.
  public init(
    checkpost: CheckpostCode, plate: Plate, vehicleType: VehicleType, recordedEpoch: Int64,
    suffix: PhoneSuffix
  ) throws(V1Error) {
    guard Limits.epochs.contains(recordedEpoch) else { throw .timestamp("\(recordedEpoch)") }
    let code = Array(vehicleType.v1Code.utf8)
    self.init(
      checkpost: checkpost, plate: plate, vehicleType: vehicleType,
      typeCode: TypeCode(first: code[0], second: code[1], third: code[2]),
      recordedEpoch: recordedEpoch, suffix: suffix)
  }

  init(
    checkpost: CheckpostCode, plate: Plate, vehicleType: VehicleType, typeCode: TypeCode,
    recordedEpoch: Int64, suffix: PhoneSuffix
  ) {
    self.checkpost = checkpost
    self.plate = plate
    self.vehicleType = vehicleType
    self.typeCode = typeCode
    self.recordedEpoch = recordedEpoch
    self.suffix = suffix
  }

  /// The text in its canonical form: what is sent, and what the identity is made of.
  ///
  /// A text that was read keeps the vehicle code it came with, also an old one: the deployed server
  /// hashes what it received, and both must come to the same identity.
  public var body: String {
    withBody { String(decoding: $0, as: UTF8.self) }
  }

  /// The identity of the passage: `ClientID.content` of the body.
  public var clientID: ClientID {
    withBody { ClientID.content(canonicalBytes: $0) }
  }

  /// The three letters of a vehicle type, as they stand in a text.
  struct TypeCode: Hashable, Sendable {
    let first: UInt8
    let second: UInt8
    let third: UInt8
  }

  /// Hands over the bytes of the body, made in place: 54 at most, but for what another program wrote into a store.
  private func withBody<Result>(_ use: (UnsafeRawBufferPointer) -> Result) -> Result {
    let count = 24 + checkpost.code.utf8.count + plate.compact.utf8.count + suffix.digits.utf8.count
    return withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { buffer in
      var position = 0
      func add(_ byte: UInt8) {
        buffer[position] = byte
        position += 1
      }
      func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
      }
      let bar = UInt8(ascii: "|")
      add(UInt8(ascii: "V"))
      add(UInt8(ascii: "1"))
      add(bar)
      add(checkpost.code)
      add(bar)
      add(plate.compact)
      add(bar)
      add(typeCode.first)
      add(typeCode.second)
      add(typeCode.third)
      add(bar)
      var rest = recordedEpoch
      for place in stride(from: position + 9, through: position, by: -1) {
        buffer[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      position += 10
      add(bar)
      add(suffix.digits)
      return use(UnsafeRawBufferPointer(rebasing: buffer[..<position]))
    }
  }
}
