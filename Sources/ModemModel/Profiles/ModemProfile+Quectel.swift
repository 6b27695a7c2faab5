/// Quectel's modems.
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
}
