import GSM

extension ModemMaker {
  /// Qualcomm, whose name modems of others give that were left as their chip came: the model tells whose
  /// they are.
  public static let qualcomm = ModemMaker("qualcomm") {
    $0.errors = .qualcomm
  }
}

extension ErrorFamily {
  /// What modems on Qualcomm's chips have, whoever makes them.
  static let qualcomm = ErrorFamily(
    "qualcomm",
    [
      ErrorCode(512, "SIM not ready", .soon),
      ErrorCode(513, "message length exceeds", .permanent),
      ErrorCode(514, "invalid request parameters", .permanent),
      ErrorCode(515, "ME storage failure", .storage),
      ErrorCode(517, "invalid service mode", .later),
      ErrorCode(528, "more-messages-to-send state error", .soon),
      ErrorCode(529, "MO SMS not allowed", .alert),
      ErrorCode(530, "GPRS suspended", .later),
      ErrorCode(531, "ME storage full", .storage),
    ])
}
