import AT
import GSM

extension ModemMaker {
  /// SIMCom: modules.
  public static let simcom = ModemMaker("simcom") {
    $0.models = ["simcom", "a76", "sim3", "sim5", "sim6", "sim7", "sim8", "sim9"]
    $0.addSeries(.simcomNarrow, models: ["sim7070", "sim7080", "sim7090", "sim7000"])
    $0.addSeries(.simcomLTE, models: ["sim7", "a76"])
    $0.addSeries(.simcom)
    $0.errors = .qualcomm
    $0.lines.restarts = ["*ATREADY: 1"]
    $0.lines.starts = ["*EMRDY: 1"]
    $0.lines.named = [
      "*PSUTTZ": [.networkTime],
      // Critical temperature, of which 0 is the end.
      "+CMTE": [.troubleUnlessZero(.temperature, at: 0)],
    ]
    $0.lines.ignore("+CNEMIU", "+CNEMS1", "+CSQN", "+CNSMOD", "+CSMINS")
    $0.usb.rows = """
      = 1e0e SIMCom
      9001 D00 G01 A02 S03 V04 | SIM7000, SIM7100, SIM7500, SIM7600
      9011 X02 A04 P05 | A7600, A7602, A7670
      9100 S01 A03 | Prolink PH-300
      9200 S01 A03 | SCT UM300
      9205 D00 G01 A02 P03 | SIM7070, SIM7080, SIM7090
      9206 D00 G01 A02 X03 X04 P05 | SIM7070, SIM7080, SIM7090
      cefe S00 S01 A02 | A-Link 3GU
      """
    $0.usb.storageMode = ["1e0e:f000"]
  }
}

extension MakerProfile {
  /// SIM800, SIM900: modules on a serial line, which receive no texts for some seconds after a start.
  fileprivate static let simcom = MakerProfile("simcom") {
    // How it restarts by itself must stay visible, so its own results stay on.
    $0.settings = ["AT+CLTS=1"]
    $0.pinAttempts = "AT+SPIC"
  }

  /// SIM7500, SIM7600, A7600, A7670: reports in a storage cannot be read, and messages that follow
  /// each other at once wedge the modem.
  fileprivate static let simcomLTE = MakerProfile("simcom_lte") {
    $0.reportIndications = ["2,1,0,1,0", "1,1,0,1,0"]
    $0.messagePause = .milliseconds(150)
    $0.pinAttempts = "AT+SPIC"
    $0.iccid = ["AT+CICCID", "AT+CCID"]
    $0.accessSwitches = [.simcom]
    $0.restart = "AT+CRESET"
  }

  /// SIM7000, SIM7070: they sleep to save power, and the network cannot reach them meanwhile.
  fileprivate static let simcomNarrow = MakerProfile("simcom_narrow") {
    $0.settings = ["AT+CPSMS=0", "AT+CEDRXS=0"]
    $0.accessSwitches = [.simcom]
    $0.reportIndications = ["2,1,0,1,0", "1,1,0,1,0"]
    $0.messagePause = .milliseconds(150)
    $0.pinAttempts = "AT+SPIC"
  }
}

extension AccessSwitch {
  /// SIM7000, SIM7600, A76xx.
  fileprivate static let simcom = AccessSwitch(
    "AT+CNMP?", "AT+CNMP=", [.gsm: "13", .umts: "14", .lte: "38"])
}
