/// What a simulated modem and its SIM are made of.
public struct ModemSettings: Hashable, Sendable {
  /// The SIM's own number, by which the network finds it.
  public var number: String
  /// What it says of itself.
  public var profile = ModemProfile.generic
  /// The modem's number, fifteen digits.
  public var imei = "356938035643809"
  /// The subscriber's number (IMSI), fifteen digits.
  public var imsi = "429011234567890"
  /// The SIM's own number (ICCID).
  public var iccid = "8997701234567890123"
  /// The zone of the modem's clock, in quarters of an hour: Nepal's.
  public var quarterHours = 23
  /// The PIN that the SIM asks for; nil when it asks for none.
  public var pin: String?
  /// The PUK that unlocks it after three wrong PINs.
  public var puk = "12345678"
  /// Whether there is a SIM at all.
  public var hasSIM = true
  /// The number of the service centre on the SIM; empty when there is none.
  public var smsc = "+9779800000000"
  /// What the network calls itself.
  public var operatorName = "Ncell"
  /// The network's code: country and network.
  public var operatorCode = "42902"
  /// The signal as `+CSQ` counts it, 0 to 31, 99 for unknown.
  public var signal = 18
  /// Messages that the SIM can hold.
  public var storageSize = 30
  /// Time from a command to its answer.
  public var commandDelay: Duration = .zero
  /// Time from `AT+CMGS` to the prompt.
  public var promptDelay: Duration = .zero
  /// Time from the end of a message to the network's answer.
  public var sendDelay: Duration = .zero
  /// Time from a USSD code to its answer.
  public var supplementaryDelay: Duration = .seconds(1)
  /// Codes that ask for the balance.
  public var balanceCodes = ["*100#", "*901#"]
  /// How long it waits for `AT+CNMA` where one is due.
  public var acknowledgementTimeout: Duration = .seconds(15)
  /// Time from the start to the registration.
  public var registrationDelay: Duration = .zero
  /// Whether it tells by itself how it stands with the network, once `+CREG=1` asks for that: some take
  /// the setting and stay silent.
  public var tellsRegistration = true
  /// Whether it registers away from home.
  public var isRoaming = false
  /// Prepaid texts that are left; nil when nobody counts.
  public var credit: Int?
  /// The `+CMS ERROR` with which the network refuses when none are left; which one is the operator's
  /// choice.
  public var emptyAccountCode = 21

  /// A modem with that number and everything else as usual.
  public init(number: String) {
    self.number = number
  }
}
