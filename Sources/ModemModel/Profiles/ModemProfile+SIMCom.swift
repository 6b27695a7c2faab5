/// SIMCom's modules.
extension ModemProfile {
  /// A SIM800 on a serial line: 2G only, and what it says at its start says that it restarted.
  public static let simcom = ModemProfile(
    "SIMCOM_Ltd", "SIMCOM_SIM800L", "Revision:1418B05SIM800L24"
  ) {
    $0.pinCounter = "+SPIC"
    $0.bootLines = ["RDY", "+CFUN: 1", "+CPIN: READY"]
    $0.readyLines = ["Call Ready", "SMS Ready"]
    $0.noise = ["+CIEV: 10,\"42901\",\"NTC\",\"NTC\", 0, 0"]
    $0.domains = ["CREG", "CGREG"]
    $0.mixesReports = true
    $0.ownCommands = ["+CIURC", "+CLTS"]
  }

  /// What the chips of Qualcomm's in LTE modules call errors.
  private static let qualcommCodes = [304: 514, 314: 512, 322: 531]

  /// A SIM7600, with its doubled carriage returns; it hands status reports over at once or not at all.
  public static let simcomLTE = ModemProfile(
    "SIMCOM INCORPORATED", "SIMCOM_SIM7600E", "SIM7600M22_V2.0"
  ) {
    $0.pinCounter = "+SPIC"
    $0.lineEnd = "\r\r\n"
    $0.bootLines = ["*ATREADY: 1", "+CPIN: READY"]
    $0.readyLines = ["SMS DONE", "PB DONE"]
    $0.noise = ["+CNSMOD: 0,8"]
    $0.domains = ["CGREG", "CEREG"]
    $0.reportModes = 0...1
    $0.ownCodes = qualcommCodes
    $0.ownCommands = ["+CNMP", "+CNSMOD"]
  }

  /// A SIM7080G for LTE-M and NB-IoT, which says at its start what a SIM800 says.
  public static let simcomNarrow = ModemProfile(
    "SIMCOM_Ltd", "SIMCOM_SIM7080", "Revision:1951B16SIM7080"
  ) {
    $0.pinCounter = "+SPIC"
    $0.bootLines = ["RDY", "+CFUN: 1", "+CPIN: READY"]
    $0.readyLines = ["SMS Ready"]
    $0.noise = ["+CNSMOD: 0,7"]
    $0.domains = ["CGREG", "CEREG"]
    $0.reportModes = 0...1
    $0.ownCommands = ["+CPSMS", "+CEDRXS", "+CNMP", "+CNSMOD"]
  }

  /// An A7670, whose prompt ends its line.
  public static let simcomA76 = ModemProfile(
    "SIMCOM INCORPORATED", "A7670E-FASE", "A7670M7_V1.11.1"
  ) {
    $0.pinCounter = "+SPIC"
    $0.bootLines = ["*ATREADY: 1", "+CPIN: READY"]
    $0.readyLines = ["SMS DONE", "PB DONE"]
    $0.noise = ["+NITZ: 2026/11/21 05:45:00+23,0", "+CNSMOD: 0,8"]
    $0.promptTail = "\r\n"
    $0.domains = ["CGREG", "CEREG"]
    $0.supplementaryCoding = .ucs2
    $0.reportModes = 0...1
    $0.ownCommands = ["+CNMP", "+CNSMOD"]
  }
}
