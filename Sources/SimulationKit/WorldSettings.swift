public import ModemModel
import SeededRandom
import Time

/// What a simulated day is like; drawn from a seed.
public struct WorldSettings: Sendable {
  /// The seed of all that is random.
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
  /// Faults of the server and of the way to it.
  public var serverFaults: Int
  /// How long a request or an answer is on its way, at most.
  public var latency: Duration
  /// Requests of which the line breaks after the server has done them, in percent.
  public var resets: Int
  /// Whether the line comes back at the end, so that everything reaches the server; otherwise it stays
  /// away, and everything leaves as texts.
  public var endsOnline: Bool
  /// Times that the power fails.
  public var powerCuts: Int
  /// Faults of the disk.
  public var diskFaults: Int
  /// Times that the process dies while passages are on their way to the server, of a cause of its own.
  public var crashesAtPush: Int
  /// Times that the line comes for some seconds and goes again: enough for an answer, and not for all that
  /// waits.
  public var blips: Int
  /// Times that another client writes a row under the identity of a passage that waits.
  public var otherWriters: Int
  /// Times that the server takes nothing for a good while, though it answers, and the line goes for some
  /// minutes right after.
  public var struggles: Int
  /// Passages that the server, or what stands before it, never lets through.
  public var poisons: Int
  /// Whether nothing is wrong but that the line goes in the middle of the day, and what the server never lets
  /// through waits among many others when it returns: they go in batches then.
  public var poisonsAmongMany: Bool
  /// Times that the server refuses every passage for a good while, though it answers.
  public var refusals: Int
  /// Times that the post's segment becomes another, or its user another post's, while the node runs.
  public var moves: Int
  /// Texts of which the answer is lost once they left.
  public var lostAnswers: Int
  /// Times that the post's wall clock jumps, and is set right later.
  public var wallJumps: Int
  /// Whether the post starts with a clock that was never set.
  public var startsUnset: Bool
  /// Whether passages have the time of the post's clock, which nobody keeps; otherwise a ranger gives it.
  public var readsClock: Bool
  /// Whether the post's clock is set right by a time service, which the system tells of; otherwise by somebody for
  /// whom nobody vouches.
  public var hasTimeService: Bool
  /// How far the post's clock is behind when it starts, with nothing odd about it; nil where it is right.
  public var startsBehind: Duration?
  /// Plates that are corrected.
  public var corrections: Int
  /// Passages with a photograph, in percent.
  public var photos: Int
  /// Bytes a second that the line takes; nil for as many as are sent.
  public var lineBytes: Int?
  /// Vehicles that the opposite post records as well.
  public var westPassages: Int
  /// After how much silence the post tells that it lives; zero for never.
  public var heartbeatAfter: Duration
  /// Whether passages are texted to the opposite post as well.
  public var textsOpposite: Bool
  /// How long what the server has is kept; nil for ever.
  public var keep: Duration?
  /// Faults, crashes and changes of the line that are left out, by their number in the day's plan: what a
  /// day that failed does not need to fail again.
  public var without: Set<Int> = []
  /// When everything is healed, where that is before the end of the day as it was drawn; what was planned
  /// for later is left out.
  public var until: Duration?
  /// Is told what happens, a line each; nil where nobody listens.
  public var trace: (@Sendable (String) -> Void)?
  /// Whether bytes come from the modems one at a time.
  public var trickles: Bool

  /// How long passages come and things go wrong.
  var trouble: Duration { min(lasts, until ?? lasts) }

  /// A day of that seed.
  public init(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    self.seed = seed
    // Most are short: the hours in which little happens cost as much as those in which much does.
    let isShort = random.happens(percent: 75)
    lasts =
      isShort
      ? random.draw(.seconds(900), .seconds(3_600))
      : random.draw(.seconds(3_600), .seconds(8 * 3_600))
    passages = random.draw(1...(isShort ? 15 : 40))
    hasServer = random.happens(percent: 70)
    outages = random.draw(0...8)
    faults = random.draw(0...8)
    crashes = random.draw(0...4)
    behaviour = NetworkBehaviour()
    behaviour.delay = .milliseconds(500)...(.seconds(Int64(random.draw(1...120))))
    behaviour.loss = random.happens(percent: 30) ? 0.1 : 0
    behaviour.duplication = random.happens(percent: 40) ? 0.2 : 0
    behaviour.reordering = random.happens(percent: 40) ? 0.3 : 0
    behaviour.refusal = random.happens(percent: 30) ? 0.15 : 0
    behaviour.reportLoss = random.happens(percent: 30) ? 0.3 : 0
    trickles = random.happens(percent: 10)
    nodeModems = random.happens(percent: 40) ? 2 : 1
    credit = nodeModems == 2 && random.happens(percent: 40) ? random.draw(0...10) : nil
    budgets = (random.draw(2...15), random.draw(5...60), random.draw(20...300))
    textsPerPassage = random.happens(percent: 30) ? random.draw(2...3) : 1
    // A fifth of the days has no fault of the server, so that rules that are too strict are seen.
    serverFaults = hasServer && random.happens(percent: 80) ? random.draw(1...12) : 0
    latency = .milliseconds(Int64(random.draw(20...4_000)))
    resets = random.happens(percent: 30) ? random.draw(1...30) : 0
    endsOnline = hasServer && random.happens(percent: 60)
    if random.happens(percent: 20) { passages += random.draw(20...160) }
    powerCuts = random.happens(percent: 50) ? random.draw(1...6) : 0
    diskFaults = random.happens(percent: 40) ? random.draw(1...5) : 0
    crashesAtPush = hasServer && random.happens(percent: 30) ? random.draw(1...3) : 0
    blips = hasServer && random.happens(percent: 30) ? random.draw(1...4) : 0
    otherWriters = hasServer && random.happens(percent: 30) ? random.draw(1...4) : 0
    struggles = hasServer && random.happens(percent: 30) ? random.draw(1...2) : 0
    lostAnswers = random.happens(percent: 50) ? random.draw(1...3) : 0
    wallJumps = random.happens(percent: 30) ? random.draw(1...3) : 0
    startsUnset = random.happens(percent: 10)
    corrections = random.happens(percent: 40) ? random.draw(1...4) : 0
    photos = random.happens(percent: 30) ? random.draw(10...60) : 0
    westPassages = hasServer && random.happens(percent: 30) ? random.draw(1...5) : 0
    heartbeatAfter =
      random.happens(percent: 20) ? .seconds(Int64(random.draw(900...3_600))) : .zero
    textsOpposite = random.happens(percent: 20)
    keep = random.happens(percent: 20) ? .seconds(Int64(random.draw(600...3_600))) : nil
    lineBytes = photos > 0 && random.happens(percent: 50) ? random.draw(1_000...4_000) : nil
    poisons = hasServer && random.happens(percent: 30) ? random.draw(1...2) : 0
    refusals = hasServer && random.happens(percent: 20) ? random.draw(1...2) : 0
    moves = hasServer && random.happens(percent: 20) ? random.draw(1...3) : 0
    readsClock = random.happens(percent: 40)
    startsBehind =
      readsClock && !startsUnset && random.happens(percent: 50)
      ? random.draw(.seconds(600), .seconds(12 * 3_600)) : nil
    hasTimeService = random.happens(percent: 60)
    poisonsAmongMany = hasServer && random.happens(percent: 6)
    if poisonsAmongMany { leaveOnlyPoisons() }
  }

  /// What also keeps passages back is left out, so that only a batch that never gets through can.
  private mutating func leaveOnlyPoisons() {
    endsOnline = true
    passages = max(passages, 100)
    poisons = 2
    (outages, serverFaults, blips, struggles, refusals, moves) = (0, 0, 0, 0, 0, 0)
    (powerCuts, diskFaults, crashesAtPush, resets) = (0, 0, 0, 0)
  }
}
