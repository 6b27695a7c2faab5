/// ZTE's modems.
extension ModemProfile {
  /// A ZTE stick: a line end after its prompt, a comma too many in its status reports, a flood that
  /// `AT+CPMS?` stops, and calls that end which nobody made.
  public static let zte = ModemProfile("ZTE INCORPORATED", "MF190", "BD_KPNMF190V1.0.0B05") {
    $0.promptTail = "\r\n"
    $0.bootLines = ["+ZDONR: \"Ncell\",429,02,\"CS_PS\",\"ROAM_OFF\""]
    $0.readyLines = ["+ZUSIMR:2"]
    $0.noise = ["+ZUSIMR:2", "NO CARRIER"]
    $0.quietedBy = "+CPMS?"
    $0.domains = ["CREG", "CGREG"]
    $0.reportPrefix = ","
  }
}
