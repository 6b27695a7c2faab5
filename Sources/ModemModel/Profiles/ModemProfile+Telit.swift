/// Telit's modems.
extension ModemProfile {
  /// A Telit LE910, which shows a name where there is none.
  public static let telit = ModemProfile("Telit", "LE910C1-EU", "25.21.660") {
    $0.pinCounter = "#PCT"
    $0.readyLines = ["#QSS: 3"]
    $0.noise = ["#QSS: 1", "#STN: 33"]
    $0.quietedBy = "#QSS=0"
    $0.listAlpha = "\"\""
    $0.ownCommands = ["#QSS", "#USBCFG", "#STIA"]
  }
}
