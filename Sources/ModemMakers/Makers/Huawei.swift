import AT

extension ModemMaker {
  /// Huawei: sticks and modules.
  public static let huawei = ModemMaker("huawei") {
    $0.models = [
      "huawei", "mu509", "mu609", "mu709", "me906", "me909", "em660", "em770", "em820",
      "e153", "e156", "e160", "e169", "e171", "e172", "e173", "e176", "e177", "e180", "e220",
      "e226", "e230", "e303", "e352", "e353", "e355", "e367", "e372", "e392", "e398", "e1550",
      "e1552", "e1750", "e1752", "e1756", "e1762", "e1820", "e3131", "e3272", "e3276",
      "e3372", "e3531", "k3520", "k3565", "k3715", "k3765", "k3770", "k3772", "k4505",
      "k4510", "k4605",
    ]
    $0.addSeries(.huawei)
    $0.lines.restarts = ["^SYSSTART"]
    $0.lines.named = [
      "^RSSI": [.signal], "^NWTIME": [.networkTime], "^SMMEMFULL": [.storageFull],
    ]
    // Its modems tell by the class, however their interfaces are numbered.
    $0.usb.classes = """
      = 12d1 Huawei
      A 01:02 02:02 02:12 03:12 01:32
      P 01:01 02:01 03:01 01:31
      D 01:03 02:03 01:33
      """
    // 1f01 is one that has not been switched over yet.
    $0.usb.networkCards = ["12d1:14db", "12d1:14dc", "12d1:1f01"]
    $0.usb.storageMode = ["12d1:1446", "12d1:14fe", "12d1:1505", "12d1:155b"]
  }
}

extension MakerProfile {
  /// Sticks that tell their signal all the time, and pack USSD.
  fileprivate static let huawei = MakerProfile("huawei") {
    // What it tells by itself, other than its signal, comes at the port of the commands.
    $0.settings = ["AT^CURC=0", "AT^PORTSEL=0"]
    // One mode in which Qualcomm's chips tell what they advertise.
    $0.reportIndications = ["1,1,0,2,0", "2,1,0,2,0", "2,1,0,1,0", "1,1,0,1,0"]
    $0.indications = ["1,1,0,0,0", "2,1,0,0,0"]
    $0.pinAttempts = "AT^CPIN?"
    $0.iccid = ["AT^ICCID?", "AT+CCID"]
    $0.packsUSSD = true
    $0.accessSwitches = [.huawei, .huaweiLTE]
    // They come back as a CD-ROM; taking them off the bus does the same without that.
    $0.restart = nil
  }
}

extension AccessSwitch {
  /// Mode and order of acquisition, then bands, roaming and domain, which stay.
  fileprivate static let huawei = AccessSwitch(
    "AT^SYSCFG?", "AT^SYSCFG=", [.gsm: "13,1", .umts: "14,2"], count: 2)
  /// Sticks with LTE refuse the one above, or do not: the older is asked first.
  fileprivate static let huaweiLTE = AccessSwitch(
    "AT^SYSCFGEX?", "AT^SYSCFGEX=", [.gsm: "\"01\"", .umts: "\"02\"", .lte: "\"03\""],
    suffix: ",,")
}
