import AT

extension ModemMaker {
  /// ZTE: sticks.
  public static let zte = ModemMaker("zte") {
    $0.models = ["zte", "mf1", "mf6", "mf7", "mf8", "k3805", "k3806", "k4201", "k5006"]
    $0.addSeries(.zte)
    $0.lines.ignore("+ZPASR", "+ZUSIMR", "+ZDONR", "+ZEND")
    $0.usb.rows = """
      = 19d2 ZTE
      0001 A00 S02
      0002 A02 S04
      0003 A00 S01
      0004 A00 S01
      0005 A00 S01
      0006 A00 S01
      0007 A00 S01
      0008 A00 S01
      0009 A00 S01
      0012 A02 S04
      0015 A01 S03
      0016 S01 A02 | MF668
      0017 S01 A02
      0018 S01 A02
      0019 S01 A02
      0021 S01 A03
      0024 A02 S04
      0025 A02 S04
      0030 A01 S03
      0031 S01 A03 | MF110, MF190, MF637
      0033 S01 A04
      0037 S01 A03
      0039 S01 A03
      0042 S01 A03
      0043 S02 A03
      0048 S02 A04
      0049 S02 A04
      0052 S01 A03
      0054 A01 S03
      0055 A02 S04
      0057 S01 A03
      0058 S01 A03
      0061 S01 A03
      0063 S01 A03
      0064 S00 A02
      0066 S01 A03
      0078 S01 A03
      0082 S01 A03
      0091 S01 A04
      0104 S01 A03
      0106 S01 A03
      0108 S01 A03
      0113 S01 A04
      0117 S01 A02 | MF112, MF667
      0118 S01 A04
      0121 S01 A04
      0122 S01 A03
      0123 S01 A03
      0124 S01 A04
      0125 S01 A05
      0126 S01 A04
      0128 S01 A04
      0156 S01 A02
      1007 S01 A03
      1008 S01 A03
      1010 S01 A03
      1254 S01 A03
      1268 S01 A03 | MF823
      1402 | MF60
      1515 A00 S02 | MF192
      2002 S01 A03
      2003 S01 A03
      """
    $0.usb.storageMode = ["19d2:2000", "19d2:0166"]
  }
}

extension MakerProfile {
  /// Sticks that flood the line with the state of the SIM until somebody asks for the storage.
  fileprivate static let zte = MakerProfile("zte") {
    $0.settings = ["ATE0+CPMS?"]
    $0.reportIndications = ["1,1,0,2,0", "2,1,0,2,0", "2,1,0,1,0"]
    $0.iccid = ["AT+ZGETICCID", "AT+CCID"]
    $0.accessSwitches = [.zte]
  }
}

extension AccessSwitch {
  fileprivate static let zte = AccessSwitch(
    "AT+ZSNT?", "AT+ZSNT=", [.gsm: "1", .umts: "2", .lte: "6"])
}
