import AT
import GSM

extension ModemMaker {
  /// Sierra Wireless, and Wavecom before it: modules.
  public static let sierra = ModemMaker("sierra", manufacturers: ["sierra", "wavecom"]) {
    $0.models = [
      "sierra", "wavecom", "wmod2", "em7305", "em7345", "em7355", "em7430", "em7455",
      "em7511", "em7565", "mc7304", "mc7354", "mc7455", "mc8775", "mc8790", "hl76", "hl78",
      "hl85", "wp76",
    ]
    $0.addSeries(.sierra)
    $0.errors = ErrorFamily(
      "wavecom",
      [
        ErrorCode(512, "MM establishment failure", .soon),
        // What was sent is not known to be lost.
        ErrorCode(
          513, "lower layer failure, no acknowledgement", .later, isOutcomeUnknown: true),
        ErrorCode(514, "CP error/congestion from the network", .later),
        ErrorCode(515, "service not available, init in progress", .soon),
      ])
    $0.lines.restarts = ["+WIND: 3"]
    $0.lines.ignore("+PACSP0", "+PACSP1")
    $0.usb.rows = """
      = 1199 Sierra Wireless
      68c0 D00 G02 A03 | RC7611
      9071 D00 G02 A03 | MC74xx
      9079 D00 G02 A03 | EM7455
      9091 D00 G02 A03 | EM7565
      c001 A00 P02 G04 | HL7812
      """
    $0.usb.storageMode = ["1199:0fff"]
  }
}

extension MakerProfile {
  fileprivate static let sierra = MakerProfile("sierra") {
    $0.iccid = ["AT+ICCID", "AT!ICCID?"]
    $0.restart = "AT!RESET"
  }
}
