/// What kind of vehicle passed.
public enum VehicleType: String, CaseIterable, Hashable, Sendable, Codable {
  case car
  /// A jeep or another car for rough roads.
  case jeepSUV = "jeep_suv"
  case minibus
  /// A large one; smaller ones are ``minibus``.
  case bus
  /// A lorry for goods; one for liquids is a ``tanker``.
  case truck
  /// A lorry for liquids.
  case tanker
  case motorcycle
  /// A three-wheeler that carries passengers.
  case autoRickshaw = "auto_rickshaw"
  case tractor
  /// Anything else.
  case other
  /// Known to the server's database; V1 cannot say it and sends `OTH`.
  case pickup
  /// Known to the server's database; V1 cannot say it and sends `OTH`.
  case van

  /// The three letters that are sent in a V1 text.
  public var v1Code: String {
    switch self {
    case .car: "CAR"
    case .jeepSUV: "JSV"
    case .minibus: "MNB"
    case .bus: "BUS"
    case .truck: "TRK"
    case .tanker: "TNK"
    case .motorcycle: "MCY"
    case .autoRickshaw: "ARK"
    case .tractor: "TRC"
    case .other, .pickup, .van: "OTH"
    }
  }

  /// The type of a V1 code in capital letters: the ten that are sent, and the old ones `JEP`, `MOT`,
  /// `AUT` and `MTK` (mini truck, a truck).
  public init?(v1Code: String) {
    let code = Array(v1Code.utf8)
    guard code.count == 3, let type = VehicleType(code: code[0], code[1], code[2]) else {
      return nil
    }
    self = type
  }

  /// The type by its name, its database value or one of its codes, in capital or small letters.
  public init?(name: String) {
    var lower = name.lowercased()
    lower = String(lower.map { $0 == " " || $0 == "-" || $0 == "/" ? "_" : $0 })
    if let type = VehicleType(rawValue: lower) {
      self = type
    } else if lower == "jeep" {
      self = .jeepSUV
    } else if let type = VehicleType(v1Code: name.uppercased()) {
      self = type
    } else {
      return nil
    }
  }

  init?(code first: UInt8, _ second: UInt8, _ third: UInt8) {
    let code = UInt32(first) << 16 | UInt32(second) << 8 | UInt32(third)
    switch code {
    case 0x434152: self = .car  // CAR
    case 0x4A5356, 0x4A4550: self = .jeepSUV  // JSV, JEP
    case 0x4D4E42: self = .minibus  // MNB
    case 0x425553: self = .bus  // BUS
    case 0x54524B, 0x4D544B: self = .truck  // TRK, MTK
    case 0x544E4B: self = .tanker  // TNK
    case 0x4D4359, 0x4D4F54: self = .motorcycle  // MCY, MOT
    case 0x41524B, 0x415554: self = .autoRickshaw  // ARK, AUT
    case 0x545243: self = .tractor  // TRC
    case 0x4F5448: self = .other  // OTH
    default: return nil
    }
  }
}
