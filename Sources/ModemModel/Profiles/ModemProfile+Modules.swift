/// Modules of other makers, on serial lines and on USB.
extension ModemProfile {
  /// A Quectel EC25.
  public static let quectel = ModemProfile("Quectel", "EC25", "EC25EFAR06A06M4G") {
    $0.pinCounter = "+QPINC"
    $0.bootLines = ["RDY", "+CPIN: READY", "+QUSIM: 1", "+CFUN: 1"]
    $0.readyLines = ["+QIND: SMS DONE", "+QIND: PB DONE"]
    $0.noise = ["+QIND: \"csq\",18,99"]
    $0.quietedBy = "+QINDCFG=\"all\",0"
    $0.supplementaryCoding = .ucs2
    $0.refusedReportModes = [1]
    $0.clockIsUniversal = true
    $0.timeUpdateModes = [0, 1, 3]
    $0.ownCommands = ["+QURCCFG", "+QINDCFG", "+QCFG"]
  }

  /// A Quectel M95 on a serial line: 2G only.
  public static let quectelSerial = ModemProfile("Quectel_Ltd", "Quectel_M95", "M95FAR02A08") {
    $0.pinCounter = "+QTRPIN"
    $0.bootLines = ["RDY", "+CFUN: 1", "+CPIN: READY"]
    $0.readyLines = ["Call Ready", "SMS Ready"]
    $0.noise = ["+QIURC: \"csq\",18"]
    $0.quietedBy = "+QIURC=0"
    $0.domains = ["CREG", "CGREG"]
    $0.services = [0, 1, 128]
    $0.ownCommands = ["+QIURC", "+QINISTAT"]
  }

  /// A Telit LE910, which shows a name where there is none.
  public static let telit = ModemProfile("Telit", "LE910C1-EU", "25.21.660") {
    $0.pinCounter = "#PCT"
    $0.readyLines = ["#QSS: 3"]
    $0.noise = ["#QSS: 1", "#STN: 33"]
    $0.quietedBy = "#QSS=0"
    $0.listAlpha = "\"\""
    $0.ownCommands = ["#QSS", "#USBCFG", "#STIA"]
  }

  /// A Cinterion PLS8: it takes no cell broadcasts in `+CNMI` and no `+CMMS`, and has its own codes.
  public static let cinterion = ModemProfile("Cinterion", "PLS8-E", "REVISION 03.017") {
    $0.pinCounter = "^SPIC"
    $0.bootLines = ["^SYSSTART"]
    $0.readyLines = ["^SCKS: 1"]
    $0.noise = ["+CIEV: signal,3", "^SBC: Undervoltage"]
    $0.indicationModes = 0...2
    $0.broadcastModes = [0]
    $0.reportModes = 0...1
    $0.moreMessagesError = 303
    $0.ownCodes = [304: 549, 314: 532, 322: 513]
    $0.ownCommands = ["^SCKS", "^SMGO", "^SCFG"]
  }

  /// A u-blox SARA that saves power: whatever wakes it is lost, until `AT+UPSV=0`.
  public static let ublox = ModemProfile("u-blox", "SARA-U201", "23.60") {
    $0.pinCounter = "+UPINCNT"
    $0.bootLines = ["+AT: READY"]
    $0.readyLines = ["+PBREADY"]
    $0.noise = ["+CIEV: 2,3", "+UMWI: 0,1"]
    $0.sleepsAfter = .milliseconds(9_200)
    $0.domains = ["CREG", "CGREG"]
    $0.ownCommands = ["+UPSV", "+UMWI"]
  }

  /// A Sierra Wireless module of Wavecom's line, with its own codes.
  public static let sierra = ModemProfile("WAVECOM MODEM", "WMOD2", "R7.47.0.201102281115.Q2687H") {
    $0.bootLines = ["+WIND: 1", "+WIND: 3"]
    $0.readyLines = ["+WIND: 7", "+WIND: 4"]
    $0.noise = ["+PACSP1", "+WIND: 7"]
    $0.quietedBy = "+WIND=0"
    $0.storageList = "+CPMS: ((\"SM\",\"BM\",\"SR\"),(\"SM\"))"
    $0.domains = ["CREG", "CGREG"]
    $0.ownCodes = [314: 515, 331: 512]
    $0.ownCommands = ["+WIND", "!ENTERCND"]
  }

  /// A Fibocom NL668: it names status reports that come at once, and refuses them.
  public static let fibocom = ModemProfile("Fibocom", "NL668-EU", "19006.1000.00.01.01.02") {
    $0.bootLines = ["+SIM: Inserted"]
    $0.readyLines = ["+SIM READY"]
    $0.noise = ["+CSQ: 18,99"]
    $0.domains = ["CGREG", "CEREG"]
    $0.refusedReportModes = [1]
    $0.ownCommands = ["+GTUSBMODE", "+GTSET"]
  }
}
