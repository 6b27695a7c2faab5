import AT

extension ModemMaker {
  /// Fibocom: modules.
  public static let fibocom = ModemMaker("fibocom") {
    $0.models = [
      "fibocom", "nl668", "nl678", "l610", "l716", "l850", "l860", "ma510", "fm150",
    ]
    $0.addSeries(.fibocom)
    $0.lines.ignore("+STKPCI", "+SIM")
    $0.usb.rows = """
      = 1508 Fibocom
      1001 D00 A01 S02 S03 | NL668-EAU
      ~ 1782 Fibocom
      4d10 A00 X01 X02 X03 X04 S05 S06 | L610
      4d11 A02 X03 X04 X05 X06 S07 S08 | L610
      = 2cb7 Fibocom
      0007 A02 X04 S06 | L850-GL
      0104 D00 A01 S02 X03 | FM150
      0106 X00 A01 S02 | MA510
      010a A00 S01 | MA510
      0115 X02 A03 X04 X05 | FM135
      01a0 A02 S03 X04 | NL668-AM
      01a2 A02 X03 X04 X05 | FM101
      01a4 X02 A03 X04 X05 X06 | FM101
      ~ 8087 Fibocom
      095a A00 X02 S04 | L850-GL
      """
  }
}

extension MakerProfile {
  fileprivate static let fibocom = MakerProfile("fibocom") {
    $0.reportIndications = ["2,1,0,1,0", "2,1,0,2,0", "1,1,0,1,0"]
    $0.restart = "AT+CFUN=15"
  }
}
