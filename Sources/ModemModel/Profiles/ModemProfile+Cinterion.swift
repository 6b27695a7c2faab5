/// Cinterion's modems.
extension ModemProfile {
  /// A Cinterion PLS8: it takes no cell broadcasts in `+CNMI` and no `+CMMS`, and has its own codes.
  public static let cinterion = ModemProfile("Cinterion", "PLS8-E", "REVISION 03.017") {
    $0.pinCounter = "^SPIC"
    $0.bootLines = ["^SYSSTART"]
    $0.readyLines = ["^SCKS: 1"]
    $0.noise = ["+CIEV: signal,3", "^SBC: Undervoltage"]
    $0.indicationModes = 0...2
    $0.broadcastModes = [0]
    $0.reportModes = 0...1
    $0.moreMessagesError = 303
    $0.ownCodes = [304: 549, 314: 532, 322: 513]
    $0.ownCommands = ["^SCKS", "^SMGO", "^SCFG"]
  }
}
