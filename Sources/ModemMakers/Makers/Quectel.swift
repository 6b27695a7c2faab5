import AT
import GSM

extension ModemMaker {
  /// Quectel: modules.
  public static let quectel = ModemMaker("quectel") {
    $0.models = [
      "quectel", "ec20", "ec21", "ec25", "ec200", "eg06", "eg12", "eg18", "eg21", "eg25",
      "eg91", "eg95", "eg800", "ep06", "em05", "em06", "em12", "bg77", "bg95", "bg96", "uc15",
      "uc20", "ug95", "ug96", "rm50", "rm52", "rg50",
    ]
    $0.addSeries(
      .quectelSerial, models: ["m95", "mc60", "m66", "mc20", "m26", "m10", "m35", "m72", "m85"])
    $0.addSeries(.quectel)
    $0.errors = .qualcomm
    $0.lines.restarts = ["APP RDY"]
    $0.lines.named = [
      "+QIND": [.storageFullEvent, .messagesReady(["SMS Ready", "SMS DONE"]), .noise]
    ]
    $0.lines.ignore("+QUSIM")
    $0.usb.rows = """
      = 2c7c Quectel
      0121 D00 G01 A02 S03 | EC21
      0125 D00 G01 A02 S03 | EC25, EG25
      0128 D03 G04 A05 | EM060K
      0191 D00 G01 A02 S03 | EG91
      0195 D00 G01 A02 S03 | EG95
      0296 D00 G01 A02 S03 | BG96
      0306 D00 G01 A02 S03 | EG06, EP06
      0512 D00 G01 A02 S03 | EG12
      0800 D00 G01 A02 S03 | RM500
      0801 D00 G01 A02 S03 | RM520N
      0901 A02 D03 X04 X05 X06 S07 G08 | EC200U, EG915U
      6002 D02 A03 S04 | EC200S
      6005 D02 A03 S04 | EC200A
      6026 D02 A03 S04 | EC200T
      """
  }
}

extension MakerProfile {
  /// EC2x, EG2x, EG9x: what they tell by themselves goes to another port unless told otherwise.
  fileprivate static let quectel = MakerProfile("quectel") {
    let everyPort = "AT+QURCCFG=\"urcport\",\"all\""
    $0.settings = [
      everyPort, "AT+QINDCFG=\"all\",0", "AT+QINDCFG=\"smsincoming\",1", "AT+QINDCFG=\"smsfull\",1",
    ]
    $0.instead = [everyPort: "AT+QURCCFG=\"urcport\",\"usbat\""]
    $0.reportIndications = ["1,1,0,1,0", "2,1,0,1,0", "2,1,0,2,0"]
    $0.indications = ["1,1,0,0,0", "2,1,0,0,0"]
    $0.pinAttempts = "AT+QPINC=\"SC\""
    $0.accessSwitches = [.quectel]
    $0.iccid = ["AT+QCCID"]
    // By mode 1 the clock shows the time of Greenwich with the zone beside it.
    $0.localTimeMode = 3
  }

  /// M95, MC60: modules on a serial line.
  fileprivate static let quectelSerial = MakerProfile("quectel_serial") {
    $0.settings = ["AT+QIURC=0"]
    $0.pinAttempts = "AT+QTRPIN"
    $0.iccid = ["AT+QCCID"]
  }
}

extension AccessSwitch {
  /// EC2x, EG9x, BG9x: the third value has it take effect at once.
  fileprivate static let quectel = AccessSwitch(
    "AT+QCFG=\"nwscanmode\"", "AT+QCFG=\"nwscanmode\",", [.gsm: "1", .umts: "2", .lte: "3"],
    first: 1, suffix: ",1")
}
