/// What a modem says of itself, and how it says things.
public struct ModemProfile: Hashable, Sendable {
  /// The answer to `AT+CGMI`.
  public var manufacturer: String
  /// The answer to `AT+CGMM`.
  public var model: String
  /// The answer to `AT+CGMR`.
  public var revision: String
  /// What stands after the prompt's `>`.
  public var promptTail: String
  /// What it tells when it has started.
  public var bootLines: [String]
  /// What it tells by itself now and then.
  public var noise: [String]

  /// A profile.
  public init(
    manufacturer: String, model: String, revision: String, promptTail: String = " ",
    bootLines: [String] = [], noise: [String] = []
  ) {
    self.manufacturer = manufacturer
    self.model = model
    self.revision = revision
    self.promptTail = promptTail
    self.bootLines = bootLines
    self.noise = noise
  }

  /// A modem without peculiarities.
  public static let generic = ModemProfile(
    manufacturer: "Checkpost", model: "Simulated modem", revision: "1.0")

  /// A USB stick that tells its signal all the time.
  public static let huawei = ModemProfile(
    manufacturer: "huawei", model: "E3131", revision: "21.158.13.00.00",
    bootLines: ["^SYSSTART"],
    noise: ["^RSSI:18", "^BOOT:29843241,0,0,0,75", "^DSFLOWRPT:0000000C,00000000,00000000"])

  /// A module on a serial line.
  public static let simcom = ModemProfile(
    manufacturer: "SIMCOM_Ltd", model: "SIMCOM_SIM800L", revision: "Revision:1418B05SIM800L24",
    bootLines: ["RDY", "+CFUN: 1", "+CPIN: READY", "Call Ready", "SMS Ready"],
    noise: ["+CIEV: 10,\"42901\",\"NTC\",\"NTC\", 0, 0"])

  /// An LTE module.
  public static let quectel = ModemProfile(
    manufacturer: "Quectel", model: "EC25", revision: "EC25EFAR06A06M4G",
    bootLines: ["RDY", "+CPIN: READY", "+QUSIM: 1", "+CFUN: 1", "+QIND: SMS DONE"],
    noise: ["+QIND: \"csq\",18,99"])

  /// The profiles by the names that a command line takes.
  public static let named: [(name: String, profile: ModemProfile)] = [
    ("generic", generic), ("huawei", huawei), ("simcom", simcom), ("quectel", quectel),
  ]
}
