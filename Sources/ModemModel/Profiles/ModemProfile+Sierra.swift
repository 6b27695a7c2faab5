/// Sierra Wireless's modems.
extension ModemProfile {
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
}
