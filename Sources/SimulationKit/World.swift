import CentralCore
import CentralSQLite
import CentralService
import GSM
import ModemModel
import ModemSession
import NodeCore
import NodeSQLite
import NodeService
import Passages
import SQLiteFile
import SeededRandom
import ServerModel
import SimulatedDisk
public import Storage
import Time

/// A checkpost, an office and a mobile network for a day, under one seed and a virtual clock.
///
/// The node, the modem sessions, the stores and central are those of the service; the modems and
/// the network are the model; and time stands still until everything that is due has been done. Nothing
/// runs beside anything else, so one seed gives one course of events.
public struct World {
  /// Something that is to happen to the world.
  enum SimulationEvent {
    case record(Int)
    case link(Bool)
    case fault(ModemFault, modem: Int)
    case unplug(modem: Int)
    case plug(modem: Int)
    case crash
    case restart
    case disk(DiskFault)
    case crashAtPush
    case blip(Duration)
    case otherWriter
    case struggle(ModelFault, Duration, gap: Duration)
    case struggleEnds(gap: Duration)
    case poison(Int, ModelFault)
    case refuse(ModelFault, Duration)
    case refuseEnds
    case moveSegment
    case assign(isHere: Bool)
    case checkOthers
    case wall(Duration)
    case wallRight
    case dateByHand
    case correct
    case west
    case server(ServerStep)
    case serverUp(Bool)
    case serverFault(InjectedFault)
    case revokeSessions
    case heal
    case checkModems
  }

  /// The office's modem. All others are the node's.
  static let office = 1
  static let numbers = ["+9779801000001", "+9779801000099", "+9779801000002"]

  /// The opposite post's, which is no modem of this world.
  static let oppositeNumber = "+9779801000077"

  /// The node's modem of that place among its own, by its place in the world.
  static func modemID(_ modem: Int) -> ModemID { ModemID(modem == 0 ? 0 : 1) }

  /// The other way round.
  static func place(_ modem: ModemID) -> Int { modem.index == 0 ? 0 : 2 }

  let settings: WorldSettings
  let clock: VirtualClock
  var random: SplitMix64
  var eventQueue = EventQueue<SimulationEvent>()
  var report = WorldReport()
  let path: String

  /// Something handed to a part of the world, for the life of the node's process that it was meant
  /// for.
  enum Work {
    case node([NodeInput], life: Int)
    case session(Int, SessionInput, life: Int)
  }

  var waiting: [Work] = []
  var isPumping = false

  var machine: NodeMachine
  let disk: SimulatedDisk
  var nextCut = NextCut()
  /// What befell the disk up to the last time that the node ended by it.
  var damagesSeen = DiskDamages()
  /// Whether the node's process has ended and is still to start.
  var isDown = false
  /// When the machine was switched on last, and how often before.
  var bootedAt = BootInstant.zero
  var boots = 0
  /// Passages that were handed to the node since its start, and when.
  var offered: [String: Known] = [:]
  /// The same by their plates: what a clock dated that is known to be wrong has another identity.
  var offeredPlates: [String: Known] = [:]
  /// Which life of the node's process this is: an answer to an earlier one reaches nobody.
  var life = 0
  var central: CentralMachine
  var mobile: SimulatedWorld
  var sessions: [ModemSession]
  var isPlugged: [Bool]

  var isLinkUp = false
  var isServerUp = false
  /// Which stretch of the line's life this is: what left by an earlier one gets no answer.
  var line = 0
  var linkDownSince: BootInstant? = .zero
  var server: ServerModel
  /// Requests with passages whose answer the node has not been told.
  var pushesOut = 0
  /// The last refresh token that the node was given.
  var lastRefresh: Token?
  /// When the server last said that it cannot take a passage now.
  var troubleAt: BootInstant?
  /// What the server was known to have.
  var done: Set<String> = []
  /// What the server said it will never take.
  var rejected: Set<String> = []
  /// What the server's rules refused, and when last.
  var refused: [String: BootInstant] = [:]
  /// When the node was last told what the server calls its place.
  var placeToldAt: BootInstant?
  /// Plates of passages that are never let through, with what happens to them.
  var poisons: [(plate: String, fault: ModelFault)] = []
  /// When each passage was first handed to the server and not taken.
  var missedAt: [String: BootInstant] = [:]
  /// When the node was last told that passages were taken.
  var lastPush: BootInstant?
  /// When the node was last told something that the server did.
  var lastAnswer: BootInstant?
  /// Since when the server takes no passage, as the node was told.
  var takesNothingSince: BootInstant?
  /// Whether a passage met that, and none refuted it.
  var hasPushFailed = false
  /// What passages need first and the node did not get when it asked last: a session, its place.
  var isWithout: Set<World.Need> = []
  /// Passages beside those of the plan.
  var extra = 0
  /// Crashes that wait for passages to be on their way.
  var crashesWaiting = 0
  /// Passages under whose identity another client wrote something else.
  var written: Set<String> = []
  /// Passages whose plate was corrected.
  var corrected: Set<String> = []
  /// Vehicles that the other end recorded.
  var wests = 0
  /// Texts to the opposite post that the network took, of each passage.
  var toldOpposite: [String: Int] = [:]
  /// Warnings that were given on the spot.
  var alerts: Set<String> = []
  /// What was sent of each passage, to see that it never changes.
  var sentBodies: [String: String] = [:]
  var connectedSince: BootInstant?

  /// What the world itself knows of each passage, to hold the node to it.
  struct Known {
    var recordedAt: BootInstant
    var submissions = 0
    /// When one of its texts went on air last.
    var onAirAt: BootInstant?
    /// Whether its time, as it was recorded, may be one that nobody takes.
    var isMisdated = false
    /// Its place in the queue.
    var number: Int64 = 0
    /// When it was in truth.
    var truth: WallTime
    /// In which start of the machine that was; nil where nobody noted it.
    var boot: Int?
    /// Whether its time was read from the post's clock.
    var isClocked = false
    /// What the server is to have as its plate, where that was corrected after it left.
    var plate: String?
    /// Whether it has a photograph.
    var hasPhoto = false
    var lost = false
  }

  /// When each text was handed to a modem, by the modem, oldest first.
  var handed: [ModemID: [(id: TextID, client: ClientID, at: BootInstant)]] = [:]

  /// When the network last took or delivered something.
  var lastOnAir = BootInstant.zero

  var known: [String: Known] = [:]
  var order: [String] = []
  /// Their first identities by their places in the queue, and by those that they had later.
  var numbers: [Int64: String] = [:]
  var aliases: [String: String] = [:]

  /// Rounds of the node since that moment.
  var rounds = 0
  var roundsSince = BootInstant.zero
  /// Whether the node had more of them in a minute than it may: such a day may have no end.
  var spins = false

  /// A world before its day.
  ///
  /// - Parameter path: Where the node's database lies; it must not exist.
  public init(settings: WorldSettings, path: String) throws(StorageError) {
    self.settings = settings
    self.path = path
    random = SplitMix64(seed: settings.seed ^ 0x5EED)
    clock = VirtualClock(wall: WallTime(epochSeconds: 1_773_450_000))
    disk = SimulatedDisk(path: path)
    let store = try SQLiteNodeStore(path: path, bootID: "boot 0", checks: false, reserveBytes: 0)
    machine = NodeMachine(
      store: store, settings: World.nodeSettings(settings), seed: settings.seed,
      isClockKept: { [clock] in clock.isKept })
    central = CentralMachine(
      store: try SQLiteCentralStore(path: SQLiteFile.inMemory), rules: World.centralRules())
    let numbers = Array(World.numbers.prefix(1 + settings.nodeModems))
    isPlugged = numbers.map { _ in true }
    server = ServerModel.pilot(seed: settings.seed)
    server.settings.pairsOnInsert = false
    mobile = SimulatedWorld(
      modems: numbers.map { number in
        var modem = ModemSettings(number: number)
        if number == World.numbers[0] { modem.credit = settings.credit }
        modem.sendDelay = .milliseconds(1_500)
        modem.registrationDelay = .seconds(3)
        return modem
      }, behaviour: settings.behaviour, seed: settings.seed, at: .zero)
    sessions = numbers.indices.map { World.session($0) }
  }

  static func session(_ modem: Int) -> ModemSession {
    ModemSession(configuration: ModemConfiguration(port: "/dev/modem\(modem)"), seed: 0)
  }

  static func nodeSettings(_ settings: WorldSettings) -> NodeMachine.Settings {
    var rules = NodeRules()
    rules.gateways = [numbers[office]]
    rules.hasServer = settings.hasServer
    rules.checkpost = try? CheckpostCode("BNP-A")
    rules.sync.signsIn = true
    rules.sync.account = "sita"
    rules.modems = (0..<settings.nodeModems).map { NodeModem(name: "m\($0)") }
    (rules.textsPerMinute, rules.textsPerHour, rules.textsPerDay) = settings.budgets
    rules.textsPerPassage = settings.textsPerPassage
    rules.heartbeatAfter = settings.heartbeatAfter
    if settings.textsOpposite { rules.oppositeNumber = oppositeNumber }
    var machine = NodeMachine.Settings(rules: rules)
    machine.keep = settings.keep
    return machine
  }

  private static func centralRules() -> CentralRules {
    var rules = CentralRules()
    rules.ingress = .open
    return rules
  }

  // MARK: The day

  /// Lives the day, until everything has settled; then checks what came of it.
  public mutating func run() throws(StorageError) -> WorldReport {
    plan()
    try node { machine, now, wall throws(StorageError) in try machine.start(at: now, wall: wall) }
    for modem in sessions.indices { try tell(modem, .start) }
    linkChanged()
    let end =
      BootInstant.zero + settings.trouble
      + (settings.endsOnline ? Limits.draining : Limits.settling)
    var lookFrom = BootInstant.zero
    for _ in 0..<Limits.steps {
      guard let next = nextMoment, next <= end else { break }
      clock.advance(to: next)
      try step()
      report.steps += 1
      if spins { break }
      if clock.boot() > lookFrom {
        // Whether all has settled is a question to the database: not after each step.
        lookFrom = clock.boot() + Limits.settledEvery
        if clock.boot() > settledFrom, isSettled { break }
      }
    }
    if report.steps == Limits.steps { violate(.noSpin, "the day has no end") }
    report.seconds = (clock.boot() - .zero).wholeSeconds
    try check()
    try checkServer()
    return report
  }

  private var nextMoment: BootInstant? {
    let node = isDown ? nil : machine.nextDeadline.map { $0 + (bootedAt - .zero) }
    let others = [eventQueue.next, node, mobile.deadline] + sessions.map(\.deadline)
    return others.compactMap { $0 }.min().map { max($0, clock.boot()) }
  }

  /// Nothing more can come: the day is over, nothing is on its way, and nothing waits for a text.
  private var isSettled: Bool {
    guard !isDown, eventQueue.isEmpty || settings.endsOnline, mobile.inTransit == 0,
      !machine.isSending
    else { return false }
    let moment = machine.report(at: nodeBoot)
    let isTexted =
      settings.endsOnline ? isDrained : moment.waiting == 0 || isBudgetSpentForHours
    return isTexted && moment.unstored == 0
  }

  /// Whether everything that was recorded is on the server, as far as the node knows.
  private var isDrained: Bool {
    guard clock.boot() > .zero + settings.trouble,
      let overview = try? machine.store.overview(at: machine.store.clock.time(at: nodeBoot))
    else { return false }
    let stuck = order.filter { rejected.contains($0) || refused[$0] != nil || isPoisoned($0) }
    guard overview.pending + overview.inFlight + overview.failed <= stuck.count else {
      return false
    }
    return order.allSatisfy { isDone($0) && isTextedIfPoisoned($0) }
  }

  /// Whether what is left waits for a budget, and has for hours: it would for a day.
  private var isBudgetSpentForHours: Bool {
    guard clock.boot() > .zero + settings.trouble + Limits.texting,
      case .budget = machine.report(at: nodeBoot).node.outlook.obstacle
    else { return false }
    return true
  }

  /// Long enough after the day and after the last text for the last sweep of the modems.
  private var settledFrom: BootInstant {
    max(.zero + settings.trouble, lastOnAir) + .seconds(1_200)
  }

  private mutating func step() throws(StorageError) {
    let now = clock.boot()
    if let next = eventQueue.next, next <= now, let (_, event) = eventQueue.removeFirst() {
      try happen(event)
    }
    try take(mobile.advance(to: now, wall: clock.truth()))
    for modem in sessions.indices {
      if let due = sessions[modem].deadline, due <= now { try tell(modem, .timePassed) }
    }
    if !isDown, let due = machine.nextDeadline, due <= nodeBoot { try inform([]) }
    if !isDown, disk.isOff {
      // It failed where the node need not notice, as while the log is brought into the file.
      endNode()
      restartLater()
    }
  }
}
