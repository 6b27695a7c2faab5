import CentralCore
import CentralSQLite
import CentralService
import EventLoop
import Events
import GSM
import Host
import ModemDriver
import ModemModel
import ModemSession
import ModemSimulator
import NodeCore
import NodeSQLite
import NodeService
import Passages
import SerialPorts
import Settings
import Synchronization
import Time

/// What the demo is made of: the same parts as the service, on a directory of their own, with
/// simulated modems.
final class DemoEnvironment: Sendable {
  /// The numbers of the two modems.
  static let nodeNumber = "+9779801000001"
  static let officeNumber = "+9779801000099"

  let clocks: DemoClocks
  let nodeStore: SQLiteNodeStore
  let centralStore: any CentralStore
  let simulator: ModemSimulator
  private let node: NodeService
  private let central: CentralService
  private let nodeModem: ModemDriver
  private let officeModem: ModemDriver
  /// Counted by the threads, read by the demo.
  let tally = Tally()
  private let running = Mutex<Task<Void, any Error>?>(nil)

  /// What happened so far.
  final class Tally: Sendable {
    struct Counts: Sendable {
      var nodeReady = false
      var officeReady = false
      var accepted = 0
      var arrived = 0
      var judged = 0
      var budgetsUsed = 0
      var problem: String?
    }

    private let counts = Mutex(Counts())
    private let wakeup = Mutex<CheckedContinuation<Void, Never>?>(nil)

    var current: Counts { counts.withLock { $0 } }

    func change(_ body: (inout Counts) -> Void) {
      counts.withLock { body(&$0) }
      wakeup.withLock { waiting in
        waiting?.resume()
        waiting = nil
      }
    }

    /// Waits until something happened after `seen`, or returns at once when it has.
    func changed(since isStill: (Counts) -> Bool) async {
      while isStill(current) {
        await withCheckedContinuation { continuation in
          let isLate = !isStill(current)
          wakeup.withLock { waiting in
            waiting?.resume()
            waiting = isLate ? nil : continuation
          }
          if isLate { continuation.resume() }
        }
        if current.problem != nil { return }
      }
    }
  }

  init(directory: String, clocks: DemoClocks) throws {
    self.clocks = clocks
    let modemClocks = DemoModemClocks(demo: clocks)
    nodeStore = try SQLiteNodeStore(
      path: directory + "/node.db", bootID: SystemClocks.bootIdentity())
    centralStore = try SQLiteCentralStore(path: directory + "/central.db")
    simulator = try DemoEnvironment.simulator(modemClocks)
    let tally = tally
    var rules = CentralRules()
    rules.bindings = try DemoEnvironment.bindings()
    central = try CentralService(
      machine: CentralMachine(store: centralStore, rules: rules), clocks: clocks,
      onEvent: { event in
        if event.name == "central_storage_failed" {
          tally.change { $0.problem = event.words }
        }
        tally.change { $0.judged += 1 }
      })
    let officeBox = DriverBox()
    let central = central
    officeModem = try DemoEnvironment.driver(simulator.ports[1], modemClocks) { event in
      switch event {
      case .status(let status): if status.canSend { tally.change { $0.officeReady = true } }
      case .received(let inbound):
        let message = InboundMessage(inbound.pdu, receivedAt: clocks.wall())
        _ = central.submit(message) { result in
          guard case .success(let outcome) = result else { return }
          if case .kept = outcome { tally.change { $0.arrived += 1 } }
          officeBox.post(.confirmStored(token: inbound.token))
        }
      default: break
      }
    }
    officeBox.driver = officeModem
    let nodeBox = LateBound<NodeService>()
    nodeModem = try DemoEnvironment.driver(simulator.ports[0], modemClocks) { event in
      if case .status(let status) = event, status.canSend { tally.change { $0.nodeReady = true } }
      if case .sendOutcome(_, .accepted) = event { tally.change { $0.accepted += 1 } }
      nodeBox.object?.post(.modem(ModemID(0), event))
    }
    let nodeModem = nodeModem
    node = try NodeService(
      store: nodeStore, settings: DemoEnvironment.settings(), seed: 1, clocks: clocks,
      ports: NodePorts(
        modem: { _, request in nodeModem.post(request) }, probe: { _ in },
        isLinkUp: { false },
        log: { event in
          if event.level == .error { tally.change { $0.problem = event.words } }
          if event.name == "budget_exhausted" { tally.change { $0.budgetsUsed += 1 } }
        }))
    nodeBox.object = node
  }

  /// A driver that is known only after the closure that uses it.
  private final class DriverBox: Sendable {
    private let held = Mutex<ModemDriver?>(nil)
    var driver: ModemDriver? {
      get { held.withLock { $0 } }
      set { held.withLock { $0 = newValue } }
    }
    func post(_ request: ModemRequest) { driver?.post(request) }
  }

  private static func simulator(_ clocks: DemoModemClocks) throws -> ModemSimulator {
    var settings = SimulatorSettings(
      modems: [nodeNumber, officeNumber].map { number in
        var modem = ModemSettings(number: number)
        modem.storageSize = 255
        return modem
      })
    settings.behaviour.retryInterval = .milliseconds(200)
    return try ModemSimulator(settings: settings, clocks: clocks, onEvent: { _ in })
  }

  /// One node stands for both posts here, so its modem may speak for both.
  private static func bindings() throws -> [SenderBinding] {
    guard let number = PhoneNumber(nodeNumber) else { return [] }
    return try ["BNP-A", "BNP-B"].map { SenderBinding(number: number, post: try CheckpostCode($0)) }
  }

  private static func driver(
    _ port: String, _ clocks: DemoModemClocks, _ onEvent: @escaping @Sendable (ModemEvent) -> Void
  ) throws -> ModemDriver {
    try ModemDriver(
      configuration: ModemConfiguration(port: port), clocks: clocks,
      openLink: { path throws(LinkError) in try SerialPorts.open(path, baud: 115_200) },
      onEvent: onEvent)
  }

  private static func settings() -> NodeMachine.Settings {
    var rules = NodeRules()
    rules.gateways = [officeNumber]
    rules.textsPerMinute = 60
    rules.textsPerHour = 3_600
    rules.textsPerDay = 10_000
    return NodeMachine.Settings(rules: rules)
  }

  /// Starts everything.
  func start() throws {
    try simulator.start()
    try central.start()
    try officeModem.start()
    try nodeModem.start()
    let node = node
    running.withLock { $0 = Task { try await node.run() } }
  }

  /// Moves the clocks forward, and lets the node look at them.
  func move(by duration: Duration) {
    clocks.move(by: duration)
    node.wake()
  }

  /// Ends everything, in the order in which it hangs together.
  func stop() async {
    node.post(.stopping)
    let task = running.withLock { $0 }
    task?.cancel()
    _ = try? await task?.value
    nodeModem.stop()
    officeModem.stop()
    await nodeModem.finished()
    await officeModem.finished()
    central.stop()
    await central.finished()
    simulator.stop()
    await simulator.finished()
    try? nodeStore.close()
    try? centralStore.close()
  }
}
