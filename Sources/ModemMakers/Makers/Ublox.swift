import AT

extension ModemMaker {
  /// u-blox: modules.
  public static let ublox = ModemMaker("ublox", manufacturers: ["u-blox", "ublox"]) {
    $0.models = ["ublox", "sara", "lisa", "toby", "lara", "leon"]
    $0.addSeries(.ublox)
    $0.lines.restarts = ["+AT: READY"]
    $0.lines.starts = ["+PBREADY"]
    // The temperature supervisor: its mode and an event, of which 0 is inside the range.
    $0.lines.named = ["+UUSTS": [.troubleUnlessZero(.temperature, at: 1)]]
    $0.usb.rows = """
      ~ 05c6 u-blox
      908b X00 A01 S02 X03 | LARA-R6
      ~ 1546 u-blox
      01a5 G* | GPS receiver
      01a6 G* | GPS receiver
      01a7 G* | GPS receiver
      01a8 G* | GPS receiver
      01a9 G* | GPS receiver
      1010 A00 X02 X04 S06 X08 | TOBY-L4
      1102 A00 S02 S04 X06 X08 X0a X0c | SARA-U2, LISA-U2
      1104 A00 X02 X04 X06 | SARA-U2, LISA-U2
      1107 A00 S02 S04 X06 X08 X0a | TOBY-R2
      110a A00 S02 S04 X06 X08 X0a | LARA-R2
      """
  }
}

extension MakerProfile {
  /// They sleep between characters to save power; the link to the network is kept as their manual
  /// says it can be.
  fileprivate static let ublox = MakerProfile("ublox") {
    $0.settings = ["AT+UPSV=0"]
    $0.commandPause = .milliseconds(20)
    $0.numbersIndicators = true
    $0.keepsLink = true
    $0.pinAttempts = "AT+UPINCNT"
    $0.restart = "AT+CFUN=16"
  }
}
