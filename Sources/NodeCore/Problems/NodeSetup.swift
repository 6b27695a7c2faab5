public import Events

/// What a configuration gives a node to send with.
public struct NodeSetup: Hashable, Sendable {
  /// Modems that it names.
  public var modems: Int
  /// Numbers of central that it names.
  public var gateways: Int
  /// Whether passages have a server to go to.
  public var hasServer: Bool

  /// What a configuration names.
  public init(modems: Int, gateways: Int, hasServer: Bool = false) {
    self.modems = modems
    self.gateways = gateways
    self.hasServer = hasServer
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
    if gateways == 0 { problems.append(NodeSetup.noGateway(hasServer: hasServer)) }
    return problems
  }

  /// That there is no number to text to.
  static func noGateway(hasServer: Bool) -> Problem {
    Problem(
      "no_gateway", hasServer ? .warning : .critical,
      "no number to text to is configured (node.gateway), so no text can leave",
      remedy: "set node.gateway to the number of central's modem, with +")
  }
}
