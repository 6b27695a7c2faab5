import EventLoop
import ModemDriver
import ModemPorts
import ModemSession
import NodeCore
import NodeService
import Operations
import PassageStore
import Synchronization
import Timing
import Uplink

/// The role of a node in the running service: its store, its decisions, its modem and its line to
/// the server, joined.
final class NodeRole: Sendable {
  let service: NodeService
  let modem: ModemRole?
  let uplink: Uplink?
  private let store: PassageStore
  private let lock: ServiceLock

  /// Opens the store and joins the parts; nothing runs yet.
  init(_ loaded: LoadedSettings, clocks: any Clocks, log: ServiceLog) throws {
    let settings = loaded.settings
    lock = try ServiceLock(forStoreAt: settings.node.database)
    store = try PassageStore(
      path: settings.node.database, bootID: SystemClocks.bootIdentity())
    let node = LateBound<NodeService>()
    let pin = try loaded.modemPIN()
    if let wish = PortWish(settings.modem) {
      modem = try ModemRole(
        role: "node", configuration: ModemConfiguration(settings.modem, at: wish, pin: pin),
        wish: wish,
        hooks: ModemHooks(
          settings.modem, name: "node", pin: pin,
          directory: ModemHooks.directory(ofStoreAt: settings.node.database), clocks: clocks,
          log: log),
        clocks: clocks, log: log,
        onEvent: { event in node.object?.post(.modem(ModemID(0), event)) })
    } else {
      modem = nil
    }
    uplink = try Uplink(loaded)
    var random = SystemRandomNumberGenerator()
    let link = SystemLinkState(server: settings.server.url)
    service = try NodeService(
      store: store, settings: NodeMachine.Settings(settings), seed: random.next(),
      clocks: clocks,
      ports: NodePorts(
        modem: { [modem] _, request in modem?.post(request) },
        probe: { [uplink] id in
          uplink?.probe { result in node.object?.post(.probeFinished(id: id, result)) }
        },
        isLinkUp: { link.isUp() },
        log: { event in log.record(ServiceEvent(event)) }))
    node.object = service
  }

  /// The parts of the role, in the order in which they start; they end in the other one.
  var parts: [any ServicePart] {
    [modem as (any ServicePart)?, service].compactMap { $0 }
  }

  /// Gives back what was opened, after the services have ended.
  func close() {
    uplink?.shutdown()
    try? store.close()
    lock.release()
  }

  /// Takes up settings that were read again.
  func reload(_ settings: Settings) {
    service.post(.rulesChanged(NodeMachine.Settings(settings).rules))
  }

  /// The role's part of a status.
  func status(at now: BootInstant) -> [String: JSONValue] {
    var status: [String: JSONValue] = [:]
    var alarms: [JSONValue] = []
    if let overview = try? store.overview(at: store.clock.time(at: now)) {
      status["queue"] = .object(StatusFields.queue(overview))
    } else {
      alarms.append("the node's database cannot be read; see `checkpost log`")
    }
    if let report = service.report {
      let (state, words) = NodeRole.words(report.node.connectivity)
      status["connectivity"] = ["state": .text(state), "words": .text(words)]
      status["budget"] = [
        "minute_used": .integer(Int64(report.node.textsLastMinute)),
        "per_minute": .integer(Int64(report.node.textsPerMinute)),
        "day_used": .integer(Int64(report.node.textsLastDay)),
        "per_day": .integer(Int64(report.node.textsPerDay)),
      ]
      if report.unstored > 0 {
        alarms.append(
          .text("\(report.unstored) events wait for the database; see `checkpost log`"))
      }
    }
    if let modem {
      if let reason = modem.fields["last_error"]?.text { alarms.append(.text("modem: \(reason)")) }
    } else {
      alarms.append("no modem is configured (modem.port); no text can leave")
    }
    if !alarms.isEmpty { status["alarms"] = .list(alarms) }
    return status
  }

  private static func words(_ state: ConnectivityState) -> (String, String) {
    switch state {
    case .unknown: ("unknown", "not known yet")
    case .online: ("online", "online: the server answers")
    case .offline(.noServer): ("offline", "offline: no server is configured")
    case .offline(.linkDown): ("offline", "offline: no network link")
    case .offline(.probeFailed(let reason)): ("offline", "offline: \(reason)")
    }
  }
}

extension NodeService: ServicePart {}

extension NodeMachine.Settings {
  /// What the settings say to the node.
  init(_ settings: Settings) {
    var rules = NodeRules()
    rules.fallbackAfter = settings.node.fallbackAfter
    rules.recipient = settings.node.gateway
    rules.hasServer = settings.server.url != nil
    rules.onlineFor = settings.node.probe.onlineFor
    rules.probeEvery = settings.node.probe.every
    rules.probeRetryFirst = settings.node.probe.retryFirst
    rules.probeRetryMost = settings.node.probe.retryMost
    rules.probeAnswerWithin = settings.server.timeout
    rules.textsPerMinute = settings.node.sms.perMinute
    rules.textsPerDay = settings.node.sms.perDay
    rules.textsPerPassage = settings.node.sms.perPassage
    rules.unknownSpacing = settings.node.sms.unknownSpacing
    self.init(rules: rules)
    validity = settings.node.sms.validity
    requestStatusReports = settings.modem.statusReports
  }
}

extension SystemLinkState {
  /// The link to a server: one on this machine needs none.
  init(server url: String?) {
    let host = url?.split(separator: "/").dropFirst().first.map { $0.prefix { $0 != ":" } }
    self = host == "127.0.0.1" || host == "localhost" ? .always : SystemLinkState()
  }
}
