import AT
import GSM
import ModemMakers
import ModemModel

/// A maker that does not exist, with everything that a maker has: no file beside this one knows of it.
extension ModemMaker {
  static let himal = ModemMaker("himal") {
    $0.models = ["hm1"]
    $0.addSeries(
      MakerProfile("himal") {
        $0.settings = ["AT%HURC=0"]
        $0.indications = ["2,2,0,0,0", "2,1,0,0,0"]
        $0.restart = "AT%HRESET"
      })
    $0.errors = ErrorFamily("himal", [ErrorCode(700, "outbox full", .storage)])
    $0.lines.restarts = ["%HBOOT"]
    $0.lines.named = ["+HTEMP": [.troubleUnlessZero(.temperature, at: 0)]]
    $0.usb.rows = """
      = f00d Himal
      0001 D00 A02 P03 | HM1
      """
    $0.usb.storageMode = ["f00d:0fff"]
  }
}

/// Its simulated twin.
extension ModemProfile {
  static let himal: ModemProfile = {
    var profile = ModemProfile(manufacturer: "Himal Devices", model: "HM1-E", revision: "1.0")
    profile.bootLines = ["%HBOOT"]
    profile.noise = ["+HTEMP: 1"]
    profile.ownCommands = ["%HURC"]
    profile.ownCodes = [322: 700]
    return profile
  }()
}
