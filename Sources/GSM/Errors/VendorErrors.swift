extension ErrorCatalogue {
  /// Codes from 512 on, which mean something else with each maker.
  static func vendor(_ family: VendorFamily) -> [Entry] {
    switch family {
    case .wavecom: wavecom
    case .cinterion: cinterion
    case .qualcomm: qualcomm
    case .unknown: []
    }
  }

  private static let wavecom: [Entry] = [
    Entry(512, "MM establishment failure", .soon),
    Entry(513, "lower layer failure, no acknowledgement", .later),
    Entry(514, "CP error/congestion from the network", .later),
    Entry(515, "service not available, init in progress", .soon),
  ]

  private static let cinterion: [Entry] = [
    Entry(512, "user abort", .soon),
    Entry(513, "unable to store", .storage),
    Entry(514, "invalid status", .permanent),
    Entry(515, "invalid character in address string", .permanent),
    Entry(516, "invalid length", .permanent),
    Entry(517, "invalid character in pdu", .permanent),
    Entry(519, "invalid length or character", .permanent),
    Entry(520, "invalid character in text", .permanent),
    Entry(521, "timer expired", .later),
    Entry(522, "operation temporarily not allowed", .soon),
    Entry(532, "SIM not ready", .soon),
    Entry(534, "cell broadcast error unknown", .later),
    Entry(535, "PS busy (protocol stack)", .soon),
    Entry(538, "invalid parameter", .permanent),
    Entry(549, "incorrect PDU length", .permanent),
    Entry(550, "invalid message type indication", .permanent),
    Entry(551, "invalid (non-hex) chars in address", .permanent),
    Entry(553, "incorrect PDU length (UDL)", .permanent),
    Entry(554, "incorrect SCA length", .permanent),
    Entry(615, "network failure", .later),
    Entry(616, "network is down", .later),
  ]

  private static let qualcomm: [Entry] = [
    Entry(512, "SIM not ready", .soon),
    Entry(513, "message length exceeds", .permanent),
    Entry(514, "invalid request parameters", .permanent),
    Entry(515, "ME storage failure", .storage),
    Entry(517, "invalid service mode", .later),
    Entry(528, "more-messages-to-send state error", .soon),
    Entry(529, "MO SMS not allowed", .alert),
    Entry(530, "GPRS suspended", .later),
    Entry(531, "ME storage full", .storage),
  ]
}
