/// What a modem says of itself, and how it says things.
public struct ModemProfile: Hashable, Sendable {
  /// The answer to `AT+CGMI`.
  public var manufacturer: String
  /// The answer to `AT+CGMM`.
  public var model: String
  /// The answer to `AT+CGMR`.
  public var revision: String
  /// What stands after the prompt's `>`.
  public var promptTail = " "
  /// What begins and ends a line of an answer.
  public var lineEnd = "\r\n"
  /// The domains in which it registers, by the names of their commands.
  public var domains = ["CREG", "CGREG", "CEREG"]
  /// Whether its list of storages lacks the parentheses, as some makers' does.
  public var listsStoragesBare = false
  /// The ways in which it hands status reports over: `<ds>` of `+CNMI`.
  public var reportModes: ClosedRange<Int> = 0...2
  /// Whether it puts status reports where messages go, instead of into a storage of their own.
  public var mixesReports = false
  /// What stands before the length in `+CDS`.
  public var reportPrefix = ""
  /// Commands of the maker's own that it takes and that change nothing here.
  public var ownCommands: [String] = []
  /// What it tells when it has started.
  public var bootLines: [String]
  /// What it tells by itself now and then.
  public var noise: [String]

  /// A profile of a modem without peculiarities.
  public init(manufacturer: String, model: String, revision: String) {
    self.manufacturer = manufacturer
    self.model = model
    self.revision = revision
    bootLines = []
    noise = []
  }

  private init(
    _ manufacturer: String, _ model: String, _ revision: String,
    _ peculiarities: (inout ModemProfile) -> Void
  ) {
    self.init(manufacturer: manufacturer, model: model, revision: revision)
    peculiarities(&self)
  }

  /// A modem without peculiarities.
  public static let generic = ModemProfile(
    manufacturer: "Checkpost", model: "Simulated modem", revision: "1.0")

  /// A USB stick that tells its signal all the time.
  public static let huawei = ModemProfile("huawei", "E3131", "21.158.13.00.00") {
    $0.bootLines = ["^SYSSTART"]
    $0.noise = ["^RSSI:18", "^BOOT:29843241,0,0,0,75", "^DSFLOWRPT:0000000C,00000000,00000000"]
    $0.listsStoragesBare = true
    $0.ownCommands = ["^CURC", "^GETPORTMODE", "^SYSINFO"]
  }

  /// A module on a serial line.
  public static let simcom = ModemProfile(
    "SIMCOM_Ltd", "SIMCOM_SIM800L", "Revision:1418B05SIM800L24"
  ) {
    $0.bootLines = ["RDY", "+CFUN: 1", "+CPIN: READY", "Call Ready", "SMS Ready"]
    $0.noise = ["+CIEV: 10,\"42901\",\"NTC\",\"NTC\", 0, 0"]
    $0.domains = ["CREG", "CGREG"]
    $0.mixesReports = true
    $0.ownCommands = ["+CIURC", "+CLTS"]
  }

  /// An LTE module of the same maker's, with its doubled carriage returns; it hands status reports
  /// over at once or not at all.
  public static let simcomLTE = ModemProfile(
    "SIMCOM INCORPORATED", "SIMCOM_SIM7600E", "SIM7600M22_V2.0"
  ) {
    $0.lineEnd = "\r\r\n"
    $0.bootLines = ["*ATREADY: 1", "+CPIN: READY", "SMS DONE", "PB DONE"]
    $0.noise = ["+CNSMOD: 0,8"]
    $0.domains = ["CGREG", "CEREG"]
    $0.reportModes = 0...1
    $0.ownCommands = ["+CNMP", "+CNSMOD"]
  }

  /// An LTE module.
  public static let quectel = ModemProfile("Quectel", "EC25", "EC25EFAR06A06M4G") {
    $0.bootLines = ["RDY", "+CPIN: READY", "+QUSIM: 1", "+CFUN: 1", "+QIND: SMS DONE"]
    $0.noise = ["+QIND: \"csq\",18,99"]
    $0.ownCommands = ["+QURCCFG", "+QINDCFG", "+QCFG"]
  }

  /// A USB stick that ends its prompt with a line end, and writes a comma too many.
  public static let zte = ModemProfile("ZTE INCORPORATED", "MF190", "BD_KPNMF190V1.0.0B05") {
    $0.promptTail = "\r\n"
    $0.noise = ["+ZUSIMR:2"]
    $0.domains = ["CREG", "CGREG"]
    $0.reportPrefix = ","
  }

  /// The profiles by the names that a command line takes.
  public static let named: [(name: String, profile: ModemProfile)] = [
    ("generic", generic), ("huawei", huawei), ("simcom", simcom), ("simcom_lte", simcomLTE),
    ("quectel", quectel), ("zte", zte),
  ]
}
