public import Events

/// What a configuration gives a node to send with.
public struct NodeSetup: Hashable, Sendable {
  /// Modems that it names.
  public var modems: Int
  /// Numbers of central that it names.
  public var gateways: Int

  /// What a configuration names.
  public init(modems: Int, gateways: Int) {
    self.modems = modems
    self.gateways = gateways
  }

  /// What is missing, so that no text can leave.
  public var problems: [Problem] {
    var problems: [Problem] = []
    if modems == 0 {
      problems.append(
        Problem(
          "no_modem", .critical, "no modem is configured (modem.port), so no text can leave",
          remedy: "set modem.port to auto; `checkpost modem list` shows what is plugged in"))
    }
    if gateways == 0 {
      problems.append(
        Problem(
          "no_gateway", .critical, "no gateway is configured (node.gateway), so no text can leave",
          remedy: "set node.gateway to the number of central's modem"))
    }
    return problems
  }
}
