import AT

extension ModemMaker {
  /// Telit: modules.
  public static let telit = ModemMaker("telit") {
    $0.models = [
      "telit", "le910", "le940", "he910", "ue910", "ge910", "ge864", "gl865", "uc864",
    ]
    $0.addSeries(.telit)
    $0.lines.named = ["#SMOV": [.storageFull]]
    $0.usb.rows = """
      = 1bc7 Telit
      1003 A00 S02 | UC864
      1004 A00 G02 S03 | UC864-G
      1005 A00 G02 S03 | CC864-DUAL
      1006 A00 S02 | CC864
      1010 G01 S02 A03 | DE910-DUAL
      1011 A01 | CE910-DUAL
      1031 D00 A01 S02 | LE910C1-EUX
      1033 D00 A01 S02 | LE910C1-EUX
      1040 D00 X03 A04 S05 X06 | LE922, LM9x0
      1041 D00 X04 A05 S06 X07 | LE922, LM9x0
      1050 D00 X03 A04 S05 X06 | FN980
      1051 D00 X04 A05 S06 X07 | FN980
      1060 D00 G03 A04 S05 X06 | LN920
      1061 D00 G04 A05 S06 X07 | LN920
      1070 D00 G03 A04 S05 X06 | FN990
      1071 D00 G04 A05 S06 X07 | FN990
      1075 X* | FN990
      10a0 G01 A02 D03 | FN920C04
      10a2 G02 A03 D04 | FN920C04
      10a4 A01 S02 D03 | FN920C04
      10a7 A02 S03 D04 | FN920C04
      10a9 A01 D02 | FN920C04
      10aa A02 D03 | FN920C04
      10b0 G01 A02 S03 X04 D05 | FE990B40
      10b1 G02 A03 S04 X05 D06 | FE990B40
      10c0 G01 A02 D03 | FE910C04
      10c2 G02 A03 D04 | FE910C04
      10c4 A01 S02 D03 | FE910C04
      10c6 A02 S03 D04 | FE910C04
      10c8 A01 D02 | FE910C04
      10c9 A02 D03 | FE910C04
      10d0 G01 A02 S03 X04 D05 | FN990B40
      10d1 G02 A03 S04 X05 D06 | FN990B40
      1101 D00 A01 S02 | ME910C1
      110a D00 A01 S02 | MEx10G1
      1201 D00 G03 A04 S05 X06 | LE910C1
      1204 D00 G04 A05 S06 X07 | LE910C1
      3000 G01 A02 D03 | FN912C04
      3001 A01 D02 | FN912C04
      7010 X02 S03 A04 | LE910S1
      7011 X02 S03 A04 | LE910S1
      7020 S02 X04 A06 | LE910Q1, ELS63
      7021 S02 X04 A06 | LE910Q1, ELS63
      """
  }
}

extension MakerProfile {
  /// They tell when the SIM can be used, when asked to.
  fileprivate static let telit = MakerProfile("telit") {
    $0.settings = ["AT#QSS=2", "AT#SMOV=1"]
    $0.commandPause = .milliseconds(20)
    $0.keepsLink = true
    $0.pinAttempts = "AT#PCT"
    $0.iccid = ["AT#CCID"]
    $0.restart = "AT#REBOOT"
  }
}
