/// What is particular about a maker's modems, as data: what is set beside the usual, where messages
/// lie, how status reports come, and what the modem must be spared.
public struct MakerProfile: Hashable, Sendable {
  /// The profile's name, in lower case.
  public let name: String
  /// Commands of the maker's own that are set up once, all of them, whichever the modem takes.
  public var settings: [String] = []
  /// What is set instead of one of those when the modem refuses it.
  public var instead: [String: String] = [:]
  /// `<mem>` of `AT+CPMS`, the best first.
  public var storages = ["SM", "ME", "MT"]
  /// `AT+CNMI` with status reports, the best first: told in a storage (`ds` 2) or handed over at once
  /// (`ds` 1).
  public var reportIndications = ["2,1,0,2,0", "2,1,0,1,0", "1,1,0,1,0"]
  /// `AT+CNMI` without status reports, the best first.
  public var indications = ["2,1,0,0,0", "1,1,0,0,0"]
  /// What starts the modem anew; nil where that does more harm than good.
  public var restart: String? = "AT+CFUN=1,1"
  /// Time that the modem needs between two messages; nothing in most.
  public var messagePause = Duration.zero
  /// Time that the modem wants between an answer and the next command, as what it tells by itself would
  /// collide with that; nothing in most.
  public var commandPause = Duration.zero
  /// Whether the link to the network may be kept for messages in a row (`AT+CMMS=1`, 3GPP TS
  /// 27.005 3.5.6): some refuse it, some take it and refuse the next text.
  public var keepsLink = false
  /// What tells how often a PIN may still be tried; the first number in the answer does.
  public var pinAttempts = "AT+CPINR=\"SIM PIN\""
  /// What tells the SIM's own number (ICCID), which can be read before the PIN.
  public var iccid = ["AT+CCID", "AT+ICCID"]
  /// `AT+CTZU` by which the network sets the modem's clock, the best first.
  public var timeUpdates = ["AT+CTZU=1"]
  /// The mode of `AT+CTZU` in which the clock shows the local time; nil where there is one mode alone.
  public var localTimeMode: Int?
  /// What chooses the access technology, the likeliest first.
  public var accessSwitches = [AccessSwitch.standard]
  /// Whether its modems name an indicator by its number (`+CIEV: 8,1`), so that they are asked for the list of them.
  public var numbersIndicators = false
  /// Whether USSD goes both ways as packed septets in hex.
  public var packsUSSD = false

  /// A profile: what differs from that of a modem which keeps to the standards.
  public init(_ name: String, _ change: (inout MakerProfile) -> Void = { _ in }) {
    self.name = name
    change(&self)
  }

  /// A modem that keeps to the standards.
  public static let generic = MakerProfile("generic")
}
