import Events
import Time

// Why nothing leaves, of what the node itself decides: the numbers, the budget. What is wrong with a
// modem is told with the modem.
extension NodeProblems {
  /// What keeps passages that wait from being texted.
  func ofTexts(_ node: NodeSnapshot) -> [Problem] {
    [gateway(node), budget(node)].compactMap { $0 } + node.restingRecipients.map(recipient)
  }

  private var waiting: Int { facts.overview?.waitingForText ?? 0 }

  private func gateway(_ node: NodeSnapshot) -> Problem? {
    guard !node.gateways.isEmpty else {
      return NodeSetup.noGateway(hasServer: node.hasServer)
    }
    let rests = node.gateways.compactMap(\.restUntil)
    guard rests.count == node.gateways.count, let until = rests.min() else { return nil }
    let isOne = node.gateways.count == 1
    let reason = node.gateways.first { $0.restUntil == until }?.reason ?? "a refusal"
    return Problem(
      "gateway_rests", .critical,
      (isOne ? "the gateway number rests" : "all \(node.gateways.count) gateway numbers rest")
        + " after \(reason)",
      remedy: "check the number (node.gateway) and the SIM's credit",
      since: node.gateways.compactMap(\.restSince).min().map(wall),
      until: wall(until))
  }

  private func recipient(_ resting: NodeSnapshot.RestingRecipient) -> Problem {
    let name = resting.place.map { "recipient \($0)" } ?? "the opposite post"
    return Problem(
      "recipient_rests", .warning, of: name,
      "no text goes to \(name): it refused the last ones",
      remedy:
        "check its number (\(resting.place == nil ? "node.opposite_post_number" : "node.recipients"))",
      until: wall(resting.restUntil))
  }

  private func budget(_ node: NodeSnapshot) -> Problem? {
    guard waiting > 0, case .budget(let use) = node.outlook.obstacle else { return nil }
    // That of a minute is used up again and again while a queue empties.
    guard use.window != .minute || use.limit == 0 else { return nil }
    guard let until = node.outlook.until else {
      return Problem(
        "budget_used", .critical, "the \(use.window.rawValue) budget allows no text at all",
        remedy: "raise node.sms.per_\(use.window.rawValue)")
    }
    return Problem(
      "budget_used", .warning,
      "the \(use.window.rawValue) budget is used (\(use.used) of \(use.limit)), and \(waiting)"
        + " passage\(waiting == 1 ? " waits" : "s wait")",
      remedy:
        "it opens by itself; raise node.sms.per_\(use.window.rawValue) if the SIM allows more",
      until: wall(until))
  }
}
