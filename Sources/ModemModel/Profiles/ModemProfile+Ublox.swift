/// u-blox's modems.
extension ModemProfile {
  /// A u-blox SARA that saves power: whatever wakes it is lost, until `AT+UPSV=0`.
  public static let ublox = ModemProfile("u-blox", "SARA-U201", "23.60") {
    $0.pinCounter = "+UPINCNT"
    $0.bootLines = ["+AT: READY"]
    $0.readyLines = ["+PBREADY"]
    $0.noise = ["+CIEV: 2,3", "+UMWI: 0,1"]
    $0.indicators = [
      "battchg", "signal", "service", "sounder", "message", "call", "roam", "smsfull", "gprs",
      "callsetup", "callheld", "simind",
    ]
    $0.sleepsAfter = .milliseconds(9_200)
    $0.domains = ["CREG", "CGREG"]
    $0.ownCommands = ["+UPSV", "+UMWI"]
  }
}
