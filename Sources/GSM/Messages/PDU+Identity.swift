extension PDU {
  /// What stays the same when the network hands the same message over once more, in hex: sender,
  /// coding, the service centre's time and the content with the header, or all of a status report.
  ///
  /// What may differ is left out: the service centre it came through, and the flags of the first
  /// octet, of which one says whether more messages wait. Nil for a message without a time, since the
  /// same words of the same sender may then be another message.
  public var identity: String? {
    let hasTime =
      switch tpdu {
      case .deliver(let message): message.timestamp != nil
      case .statusReport(let report): report.timestamp != nil
      case .submit: false
      }
    guard hasTime, let octets = try? tpdu.encoded() else { return nil }
    return Hex.encode(octets.dropFirst())
  }
}
