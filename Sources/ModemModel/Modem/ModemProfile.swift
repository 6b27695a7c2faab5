/// What a modem says of itself, and how it says things.
///
/// The profiles of the makers stand in files of their own, one for each maker.
public struct ModemProfile: Hashable, Sendable {
  /// How the answers of the network's machines are written, and the codes that ask them.
  public enum SupplementaryCoding: String, Hashable, Sendable {
    /// In the character set of `+CSCS`.
    case text
    /// In UTF-16 as hexadecimal digits, whatever `+CSCS` says.
    case ucs2
    /// In packed septets as hexadecimal digits, both ways.
    case packed
  }

  // MARK: What it says of itself

  /// The answer to `AT+CGMI`.
  public var manufacturer: String
  /// The answer to `AT+CGMM`.
  public var model: String
  /// The answer to `AT+CGMR`.
  public var revision: String
  /// What it tells when it has started.
  public var bootLines: [String] = []
  /// What it tells then and when its SIM has been unlocked; before that, nothing.
  public var readyLines: [String] = []
  /// What it tells by itself now and then.
  public var noise: [String] = []
  /// A command, without `AT`, after which it tells none of that.
  public var quietedBy: String?

  // MARK: The line

  /// What stands after the prompt's `>`.
  public var promptTail = " "
  /// What begins and ends a line of an answer.
  public var lineEnd = "\r\n"
  /// How long nothing must be typed for it to sleep: what wakes it is lost. Nil when it never does.
  public var sleepsAfter: Duration?
  /// The errors that it calls otherwise than the standard: its own `+CMS ERROR` for the usual one.
  public var ownCodes: [Int: Int] = [:]

  // MARK: The network

  /// The domains in which it registers, by the names of their commands.
  public var domains = ["CREG", "CGREG", "CEREG"]
  /// The values that `+CFUN` takes.
  public var functions = [0, 1, 4]
  /// How it writes USSD.
  public var supplementaryCoding = SupplementaryCoding.text
  /// Whether it only ends the dialogue on a code that nobody knows, as if all had been said.
  public var endsUnknownCodes = false

  /// Whether `+CCLK` shows the time of Greenwich with the zone beside it, unless the last value of
  /// ``timeUpdateModes`` is set.
  public var clockIsUniversal = false
  /// The values of `+CTZU`.
  public var timeUpdateModes = [0, 1]

  // MARK: Messages

  /// Its list of storages, where that is not the usual one.
  public var storageList: String?
  /// The number of the first place of a storage.
  public var firstPlace = 1
  /// The answer to `AT+CMGD=?`, where that is not the usual one.
  public var deletionList: String?
  /// What stands in a list between the state and the length of a message.
  public var listAlpha = ""
  /// The values of `+CSMS`.
  public var services = [0, 1]
  /// `<mode>` of `+CNMI`.
  public var indicationModes = 0...3
  /// `<bm>` of `+CNMI`.
  public var broadcastModes = [0, 2]
  /// The ways in which it hands status reports over: `<ds>` of `+CNMI`.
  public var reportModes: ClosedRange<Int> = 0...2
  /// The values of `<ds>` that it names and refuses all the same.
  public var refusedReportModes: [Int] = []
  /// The `+CMS ERROR` with which it refuses `+CMMS`; nil when it takes it.
  public var moreMessagesError: Int?
  /// Whether it puts status reports where messages go, instead of into a storage of their own.
  public var mixesReports = false
  /// What stands before the length in `+CDS`.
  public var reportPrefix = ""
  /// Its indicators in the order in which `+CIEV` numbers them (3GPP TS 27.007 8.9). With `smsfull` among them it
  /// tells that the storage for messages has become full, and that it has room again.
  public var indicators: [String] = []
  /// The maker's command that tells how often the PIN may still be tried; nil when only `+CPINR` does.
  public var pinCounter: String?
  /// Commands of the maker's own that it takes and that change nothing here.
  public var ownCommands: [String] = []

  /// A profile of a modem without peculiarities.
  public init(manufacturer: String, model: String, revision: String) {
    self.manufacturer = manufacturer
    self.model = model
    self.revision = revision
  }

  /// A maker's profile.
  init(
    _ manufacturer: String, _ model: String, _ revision: String,
    _ peculiarities: (inout ModemProfile) -> Void
  ) {
    self.init(manufacturer: manufacturer, model: model, revision: revision)
    peculiarities(&self)
  }

  /// A modem without peculiarities.
  public static let generic = ModemProfile(
    manufacturer: "Checkpost", model: "Simulated modem", revision: "1.0")

  /// The profiles by the names that a command line takes.
  public static let named: [(name: String, profile: ModemProfile)] = [
    ("generic", generic), ("huawei", huawei), ("huawei_e173", huaweiE173), ("zte", zte),
    ("simcom", simcom), ("simcom_lte", simcomLTE), ("simcom_a76", simcomA76),
    ("quectel", quectel), ("quectel_serial", quectelSerial), ("telit", telit),
    ("cinterion", cinterion), ("ublox", ublox), ("sierra", sierra), ("fibocom", fibocom),
    ("simcom_narrow", simcomNarrow),
  ]
}
