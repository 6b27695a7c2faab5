public import CentralCore
import EventLoop
import Events
public import Host
import Log
import ModemModel
import ModemSession
public import ModemSimulator
public import NodeCore
import NodeService
public import Settings
import Time

/// What the demo is made of: the roles of the service, on a directory of their own, with simulated
/// modems.
public final class DemoEnvironment: Sendable {
  /// The number of the checkpost's modem.
  public static let nodeNumber = "+9779801000001"
  /// The number of the office's modem.
  public static let officeNumber = "+9779801000099"

  /// What the roles go by.
  public let clocks: DemoClocks
  /// The modems.
  public let simulator: ModemSimulator
  /// What happened so far, as the log tells it.
  public let tally: DemoTally
  /// What the roles were put together by.
  public let settings: LoadedSettings
  private let node: NodeRole
  private let central: CentralRole
  private let parts: ServiceParts

  /// Puts everything together in an empty directory; nothing runs yet.
  public init(directory: String, clocks: DemoClocks) throws {
    self.clocks = clocks
    let modemClocks = DemoModemClocks(demo: clocks)
    simulator = try DemoEnvironment.simulator(modemClocks)
    settings = DemoEnvironment.settings(directory, simulator.ports)
    let tally = try DemoTally()
    self.tally = tally
    let context = RoleContext(
      clocks: clocks, modemClocks: modemClocks,
      log: ServiceLog(level: .debug, mask: .short, sinks: [tally]))
    central = try CentralRole(
      settings, context,
      onModem: { event in
        if case .status(let status) = event, status.canSend {
          tally.change { $0.officeReady = true }
        }
      })
    node = try NodeRole(settings, context)
    parts = try ServiceParts([simulator] + central.parts + node.parts)
  }

  /// The node's store.
  public var nodeStore: any NodeStore { node.store }
  /// Central's store.
  public var centralStore: any CentralStore { central.store }

  /// Where passages are recorded.
  public var sink: NodeSink { NodeSink(node.service) }

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

  private static func settings(_ directory: String, _ ports: [String]) -> LoadedSettings {
    var loaded = LoadedSettings()
    loaded.settings.node.database = directory + "/node.db"
    loaded.settings.node.gateways = [officeNumber]
    loaded.settings.node.segment = "Bardia"
    loaded.settings.node.sms.perMinute = 60
    loaded.settings.node.sms.perHour = 3_600
    loaded.settings.node.sms.perDay = 10_000
    loaded.settings.modem.port = ports[0]
    loaded.settings.central.database = directory + "/central.db"
    loaded.settings.central.modem.port = ports[1]
    loaded.settings.central.http.enabled = false
    // One node stands for both posts here, so its modem may speak for both.
    loaded.settings.central.ingress.numbers = ["BNP-A", "BNP-B"].map { "\(nodeNumber)=\($0)" }
    return loaded
  }

  /// Starts everything.
  public func start() throws {
    try parts.start()
  }

  /// Moves the clocks forward, and lets the node look at them.
  public func move(by duration: Duration) {
    clocks.move(by: duration)
    node.service.wake()
  }

  /// Ends everything, in the order in which it hangs together.
  public func stop() {
    try? parts.end()
    node.close()
    central.close()
  }
}
