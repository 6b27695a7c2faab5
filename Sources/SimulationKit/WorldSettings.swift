import Chance
public import ModemModel
import Timing

/// What a simulated day is like; drawn from a seed.
public struct WorldSettings: Sendable {
  /// Where everything by chance comes from.
  public var seed: UInt64
  /// How long passages come and things go wrong; afterwards everything is healed and settles.
  public var lasts: Duration
  /// Passages that are recorded.
  public var passages: Int
  /// Whether a server is configured.
  public var hasServer: Bool
  /// Changes of the network link and of the server, each.
  public var outages: Int
  /// Faults of the modems.
  public var faults: Int
  /// Times that the node's process dies and starts again.
  public var crashes: Int
  /// How the mobile network treats messages.
  public var behaviour: NetworkBehaviour
  /// Modems of the node: 1 or 2.
  public var nodeModems: Int
  /// Texts that the node's first SIM has credit for; nil for any number. Only where there is another.
  public var credit: Int?
  /// Texts of each SIM within a minute, an hour and a day.
  public var budgets: (minute: Int, hour: Int, day: Int)
  /// Texts for one passage that may have gone on air.
  public var textsPerPassage: Int
  /// Whether bytes come from the modems one at a time.
  public var trickles: Bool

  /// A day of that seed.
  public init(seed: UInt64) {
    var chance = SplitMix64(seed: seed)
    self.seed = seed
    lasts = chance.draw(.seconds(3_600), .seconds(8 * 3_600))
    passages = chance.draw(1...40)
    hasServer = chance.happens(percent: 70)
    outages = chance.draw(0...8)
    faults = chance.draw(0...8)
    crashes = chance.draw(0...4)
    behaviour = NetworkBehaviour()
    behaviour.delay = .milliseconds(500)...(.seconds(Int64(chance.draw(1...120))))
    behaviour.loss = chance.happens(percent: 30) ? 0.1 : 0
    behaviour.duplication = chance.happens(percent: 40) ? 0.2 : 0
    behaviour.reordering = chance.happens(percent: 40) ? 0.3 : 0
    behaviour.refusal = chance.happens(percent: 30) ? 0.15 : 0
    behaviour.reportLoss = chance.happens(percent: 30) ? 0.3 : 0
    trickles = chance.happens(percent: 10)
    nodeModems = chance.happens(percent: 40) ? 2 : 1
    credit = nodeModems == 2 && chance.happens(percent: 40) ? chance.draw(0...10) : nil
    budgets = (chance.draw(2...15), chance.draw(5...60), chance.draw(20...300))
    textsPerPassage = chance.happens(percent: 30) ? chance.draw(2...3) : 1
  }
}
