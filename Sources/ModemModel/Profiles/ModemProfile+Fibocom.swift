/// Fibocom's modems.
extension ModemProfile {
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
