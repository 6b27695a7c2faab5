extension MakerProfile {
  /// One line of the table: which makers and models a profile is for; no models is all of them.
  struct Entry: Sendable {
    var makers: [String]
    var models: [String]
    var profile: MakerProfile

    init(_ makers: [String], _ models: [String], _ profile: MakerProfile) {
      self.makers = makers
      self.models = models
      self.profile = profile
    }
  }

  /// A modem that keeps to the standards.
  public static let generic = MakerProfile("generic")

  /// Every profile, once.
  public static var all: [MakerProfile] { [generic] + table.map(\.profile) }

  /// The particular ones; of several that fit the first holds.
  static let table: [Entry] = [
    Entry(["huawei"], [], huawei),
    Entry(["zte"], [], zte),
    Entry(["simcom"], ["sim7070", "sim7080", "sim7090", "sim7000"], simcomNarrow),
    Entry(["simcom"], ["sim7", "a76"], simcomLTE),
    Entry(["simcom"], [], simcom),
    Entry(
      ["quectel"], ["m95", "mc60", "m66", "mc20", "m26", "m10", "m35", "m72", "m85"], quectelSerial),
    Entry(["quectel"], [], quectel),
    Entry(["u-blox", "ublox"], [], ublox),
    Entry(["sierra", "wavecom"], [], sierra),
    Entry(["telit"], [], telit),
    Entry(["cinterion", "gemalto", "thales", "siemens"], [], cinterion),
    Entry(["fibocom"], [], fibocom),
  ]

  /// Sticks that tell their signal all the time, and pack USSD.
  static let huawei = MakerProfile("huawei") {
    // What it tells by itself, other than its signal, comes at the port of the commands.
    $0.settings = ["AT^CURC=0", "AT^PORTSEL=0"]
    // One mode in which Qualcomm's chips tell what they advertise.
    $0.reportIndications = ["1,1,0,2,0", "2,1,0,2,0", "2,1,0,1,0", "1,1,0,1,0"]
    $0.indications = ["1,1,0,0,0", "2,1,0,0,0"]
    $0.pinAttempts = "AT^CPIN?"
    $0.cardNumber = ["AT^ICCID?", "AT+CCID"]
    $0.packsUSSD = true
    $0.accessSwitches = [.huawei, .huaweiLTE]
    // They come back as a CD-ROM; taking them off the bus does the same without that.
    $0.restart = nil
  }

  /// Sticks that flood the line with the state of the SIM until somebody asks for the storage.
  static let zte = MakerProfile("zte") {
    $0.settings = ["ATE0+CPMS?"]
    $0.reportIndications = ["1,1,0,2,0", "2,1,0,2,0", "2,1,0,1,0"]
    $0.cardNumber = ["AT+ZGETICCID", "AT+CCID"]
    $0.accessSwitches = [.zte]
  }

  /// SIM800, SIM900: modules on a serial line, deaf to texts for some seconds after a start.
  static let simcom = MakerProfile("simcom") {
    // How it restarts by itself must stay visible, so its own results stay on.
    $0.settings = ["AT+CLTS=1"]
    $0.pinAttempts = "AT+SPIC"
  }

  /// SIM7500, SIM7600, A7600, A7670: reports in a storage cannot be read, and messages that follow
  /// each other at once wedge the modem.
  static let simcomLTE = MakerProfile("simcom_lte") {
    $0.reportIndications = ["2,1,0,1,0", "1,1,0,1,0"]
    $0.messagePause = .milliseconds(150)
    $0.pinAttempts = "AT+SPIC"
    $0.cardNumber = ["AT+CICCID", "AT+CCID"]
    $0.accessSwitches = [.simcom]
    $0.restart = "AT+CRESET"
  }

  /// SIM7000, SIM7070: they sleep to save power, and are deaf to the network meanwhile.
  static let simcomNarrow = MakerProfile("simcom_narrow") {
    $0.settings = ["AT+CPSMS=0", "AT+CEDRXS=0"]
    $0.accessSwitches = [.simcom]
    $0.reportIndications = ["2,1,0,1,0", "1,1,0,1,0"]
    $0.messagePause = .milliseconds(150)
    $0.pinAttempts = "AT+SPIC"
  }

  /// EC2x, EG2x, EG9x: what they tell by themselves goes to another port unless told otherwise.
  static let quectel = MakerProfile("quectel") {
    let everyPort = "AT+QURCCFG=\"urcport\",\"all\""
    $0.settings = [everyPort, "AT+QINDCFG=\"all\",0", "AT+QINDCFG=\"smsincoming\",1"]
    $0.instead = [everyPort: "AT+QURCCFG=\"urcport\",\"usbat\""]
    $0.reportIndications = ["1,1,0,1,0", "2,1,0,1,0", "2,1,0,2,0"]
    $0.indications = ["1,1,0,0,0", "2,1,0,0,0"]
    $0.pinAttempts = "AT+QPINC=\"SC\""
    $0.accessSwitches = [.quectel]
    $0.cardNumber = ["AT+QCCID"]
    // By mode 1 the clock shows the time of Greenwich with the zone beside it.
    $0.localTimeMode = 3
  }

  /// M95, MC60: modules on a serial line.
  static let quectelSerial = MakerProfile("quectel_serial") {
    $0.settings = ["AT+QIURC=0"]
    $0.pinAttempts = "AT+QTRPIN"
    $0.cardNumber = ["AT+QCCID"]
  }

  /// They sleep between characters to save power; the link to the network is kept as their manual
  /// says it can be.
  static let ublox = MakerProfile("ublox") {
    $0.settings = ["AT+UPSV=0"]
    $0.commandPause = .milliseconds(20)
    $0.keepsLink = true
    $0.pinAttempts = "AT+UPINCNT"
    $0.restart = "AT+CFUN=16"
  }

  static let sierra = MakerProfile("sierra") {
    $0.cardNumber = ["AT+ICCID", "AT!ICCID?"]
    $0.restart = "AT!RESET"
  }

  /// They tell when the SIM can be used, when asked to.
  static let telit = MakerProfile("telit") {
    $0.settings = ["AT#QSS=2"]
    $0.commandPause = .milliseconds(20)
    $0.keepsLink = true
    $0.pinAttempts = "AT#PCT"
    $0.cardNumber = ["AT#CCID"]
    $0.restart = "AT#REBOOT"
  }

  /// Messages with a class or of the cell broadcast may not be asked for; the form is narrower.
  static let cinterion = MakerProfile("cinterion") {
    $0.settings = ["AT^SIND=\"nitz\",1"]
    $0.reportIndications = ["2,1,0,1,1", "2,1,0,2,1", "1,1,0,1,1", "2,1,0,1,0"]
    $0.indications = ["2,1,0,0,1", "1,1,0,0,1", "2,1,0,0,0"]
    $0.pinAttempts = "AT^SPIC"
    $0.cardNumber = ["AT^SCID", "AT+CCID"]
  }

  static let fibocom = MakerProfile("fibocom") {
    $0.reportIndications = ["2,1,0,1,0", "2,1,0,2,0", "1,1,0,1,0"]
    $0.restart = "AT+CFUN=15"
  }
}
