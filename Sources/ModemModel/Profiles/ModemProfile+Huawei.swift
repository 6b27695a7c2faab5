/// Huawei's modems.
extension ModemProfile {
  /// A Huawei stick that tells its signal all the time until it is told not to.
  public static let huawei = ModemProfile("huawei", "E3131", "21.158.13.00.00") {
    $0.pinCounter = "^CPIN"
    $0.bootLines = ["^SYSSTART"]
    $0.noise = ["^RSSI:18", "^BOOT:29843241,0,0,0,75", "^DSFLOWRPT:0000000C,00000000,00000000"]
    $0.quietedBy = "^CURC=0"
    $0.storageList = "+CPMS: \"SM\",\"ME\",\"SR\""
    $0.deletionList = "+CMGD: (1-4095)"
    $0.functions = [0, 1, 4, 5, 6, 7]
    $0.endsUnknownCodes = true
    $0.ownCommands = ["^CURC", "^PORTSEL", "^GETPORTMODE", "^SYSINFO"]
  }

  /// An older one: its storage begins at 0, its USSD is packed septets both ways, and it takes no
  /// `+CMMS`.
  public static let huaweiE173 = ModemProfile("huawei", "E173", "11.126.85.00.209") {
    $0.pinCounter = "^CPIN"
    $0.bootLines = ["^SIMST:1", "^SRVST:2"]
    $0.noise = ["^RSSI:18", "^BOOT:29843241,0,0,0,75", "^MODE:5,4"]
    $0.storageList = "+CPMS: \"ME\",\"MT\",\"SM\""
    $0.deletionList = "+CMGD: (1-4095)"
    $0.domains = ["CREG", "CGREG"]
    $0.functions = [0, 1, 4, 5, 6, 7]
    $0.firstPlace = 0
    $0.supplementaryCoding = .packed
    $0.moreMessagesError = 500
    $0.reportModes = 0...2
    $0.ownCommands = ["^GETPORTMODE", "^SYSINFO"]
  }
}
