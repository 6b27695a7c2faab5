/// How long the network tries to deliver a message (3GPP TS 23.040 9.2.3.12).
public enum ValidityPeriod: Hashable, Sendable {
  /// One octet: steps of five minutes to twelve hours, of half an hour to a day, of days to a month,
  /// of weeks to 63.
  case relative(UInt8)
  /// Until a moment.
  case absolute(ServiceCentreTime)
  /// Seven octets of the enhanced format, as they are.
  case enhanced([UInt8])

  /// The shortest relative period that is at least `duration`, at most 63 weeks.
  public init(lasting duration: Duration) {
    let (whole, rest) = duration.components
    // A begun minute counts; beyond the longest period nothing needs counting.
    let seconds = min(max(0, whole), 63 * 604_800) + (whole >= 0 && rest > 0 ? 1 : 0)
    let minutes = (seconds + 59) / 60
    let value: Int64 =
      switch minutes {
      case ...720: max(0, (minutes + 4) / 5 - 1)
      case ...1_440: 143 + (minutes - 720 + 29) / 30
      case ...43_200: 166 + (minutes + 1_439) / 1_440
      default: min(255, 192 + (minutes + 10_079) / 10_080)
      }
    self = .relative(UInt8(value))
  }

  /// How long a relative period lasts; nil for the other forms.
  public var duration: Duration? {
    guard case .relative(let value) = self else { return nil }
    let minutes: Int64 =
      switch value {
      case 0...143: (Int64(value) + 1) * 5
      case 144...167: 720 + (Int64(value) - 143) * 30
      case 168...196: (Int64(value) - 166) * 1_440
      default: (Int64(value) - 192) * 10_080
      }
    return .seconds(minutes * 60)
  }

  /// Bits 4 and 3 of the first octet.
  var format: UInt8 {
    switch self {
    case .relative: 0x10
    case .absolute: 0x18
    case .enhanced: 0x08
    }
  }

  init?(format: UInt8, reading reader: inout OctetReader) throws(PDUError) {
    switch format & 0x18 {
    case 0x10:
      self = .relative(try reader.next("validity period"))
    case 0x18:
      let octets = try reader.next(7, "validity period")
      guard let time = ServiceCentreTime(octets: octets) else {
        self = .enhanced(Array(octets))
        return
      }
      self = .absolute(time)
    case 0x08:
      self = .enhanced(Array(try reader.next(7, "validity period")))
    default:
      return nil
    }
  }

  func encoded() -> [UInt8] {
    switch self {
    case .relative(let value): [value]
    case .absolute(let time): time.encoded()
    case .enhanced(let octets): Array((octets + [UInt8](repeating: 0, count: 7)).prefix(7))
    }
  }
}
