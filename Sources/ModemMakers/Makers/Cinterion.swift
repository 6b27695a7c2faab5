import AT
import GSM

extension ModemMaker {
  /// Cinterion, and what Siemens, Gemalto and Thales made of it: modules.
  public static let cinterion = ModemMaker(
    "cinterion", manufacturers: ["cinterion", "gemalto", "thales", "siemens"]
  ) {
    $0.models = [
      "cinterion", "pls6", "pls8", "phs8", "ehs5", "ehs6", "els6", "bgs2", "tc35", "tc63",
      "tc65",
    ]
    $0.addSeries(.cinterion)
    $0.errors = ErrorFamily(
      "cinterion", mixesKinds: true,
      [
        ErrorCode(512, "user abort", .soon),
        ErrorCode(513, "unable to store", .storage),
        ErrorCode(514, "invalid status", .permanent),
        ErrorCode(515, "invalid character in address string", .permanent),
        ErrorCode(516, "invalid length", .permanent),
        ErrorCode(517, "invalid character in pdu", .permanent),
        ErrorCode(519, "invalid length or character", .permanent),
        ErrorCode(520, "invalid character in text", .permanent),
        ErrorCode(521, "timer expired", .later, isOutcomeUnknown: true),
        ErrorCode(522, "operation temporarily not allowed", .soon),
        ErrorCode(532, "SIM not ready", .soon),
        ErrorCode(534, "cell broadcast error unknown", .later),
        ErrorCode(535, "PS busy (protocol stack)", .soon),
        ErrorCode(538, "invalid parameter", .permanent),
        ErrorCode(549, "incorrect PDU length", .permanent),
        ErrorCode(550, "invalid message type indication", .permanent),
        ErrorCode(551, "invalid (non-hex) chars in address", .permanent),
        ErrorCode(553, "incorrect PDU length (UDL)", .permanent),
        ErrorCode(554, "incorrect SCA length", .permanent),
        ErrorCode(615, "network failure", .later),
        ErrorCode(616, "network is down", .later),
      ])
    $0.lines.restarts = ["^SYSSTART"]
    $0.lines.named = [
      // Board temperature, of which 0 is normal.
      "^SCTM_B": [.troubleUnlessZero(.temperature, at: 0)],
      "^SBC": [.troubleBeginning(.supply, with: ["Undervoltage", "Overvoltage"])],
      // 1 is full, 2 is full with a message waiting in the network.
      "^SMGO": [.storageFullUnlessZero],
      "^SHUTDOWN": [.trouble(.powerDown)],
    ]
    $0.usb.rows = """
      = 1e2d Cinterion
      0053 G01 | PHS8
      005b A00 S02 G04 X06 D08 | PLS62
      005d A00 S02 G04 X06 D08 | PLS62
      0061 P00 A02 G04 X06 X08 | PLS8, PHS8-P
      0069 A00 S02 G04 D06 | PLS63
      00b3 A02 G04 X05 | MV31
      00f1 A02 G04 X05 | MV32
      """
  }
}

extension MakerProfile {
  /// Messages with a class or of the cell broadcast may not be asked for; the form is narrower.
  fileprivate static let cinterion = MakerProfile("cinterion") {
    $0.settings = ["AT^SIND=\"nitz\",1", "AT^SMGO=1"]
    $0.reportIndications = ["2,1,0,1,1", "2,1,0,2,1", "1,1,0,1,1", "2,1,0,1,0"]
    $0.indications = ["2,1,0,0,1", "1,1,0,0,1", "2,1,0,0,0"]
    $0.pinAttempts = "AT^SPIC"
    $0.iccid = ["AT^SCID", "AT+CCID"]
  }
}
