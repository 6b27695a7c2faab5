public import CentralCore
public import CentralService
import Control
public import EventLoop
import Events
import Forwarding
import HTTPServer
import Log
import ModemDiscovery
import ModemDriver
public import ModemSession
import Passages
import SQLiteFile
public import Settings
import Storage
import Synchronization
import Text
import Time

/// The role of central in the running service: its store, its modem and its HTTP server, joined.
public final class CentralRole: Sendable {
  /// Its decisions, at work.
  public let service: CentralService
  let modem: ModemRole?
  private let server: HTTPService?
  private let forwarder: Forwarder?
  /// Who may use the server.
  private let desk: AccountDesk?
  /// The numbers that are judged by, for the API.
  private let judging: CurrentJudgingRules
  /// Its store.
  public let store: any OpenedCentralStore
  /// After how long something is more than usual, as the settings have it.
  private let usual: Mutex<(silentAfter: Duration, provisionalFor: Duration)>
  private let lock: ServiceLock?

  /// Opens the store and joins the parts; nothing runs yet.
  ///
  /// - Parameter onModem: Called on its modem's thread with what that says.
  /// - Throws: What is wrong with the store, or with the settings.
  public init(
    _ loaded: LoadedSettings, _ context: RoleContext,
    onModem: @escaping @Sendable (ModemEvent) -> Void = { _ in }
  ) throws {
    let (clocks, log) = (context.clocks, context.log)
    let settings = loaded.settings.central
    // Two services would each process what the other keeps; on a server they take turns.
    lock = settings.store == .sqlite ? try ServiceLock(forStoreAt: settings.database) : nil
    let store = try CentralStores.open(settings, for: .service, clocks: clocks)
    self.store = store
    usual = Mutex((settings.silentAfter, settings.provisionalFor))
    let photographs = ObjectDirectory(settings.photos)
    let forwarding = LateBound<Forwarder>()
    let service = try CentralService(
      machine: CentralMachine(store: store, rules: try CentralRules(settings)), clocks: clocks,
      removePhotographs: { photographs.remove($0) },
      sweepPhotographs: { sweep, named throws(StorageError) in
        try photographs.sweep(&sweep, named)
      },
      onEvent: { event in
        log.record(event)
        forwarding.object?.wake()
      })
    self.service = service
    forwarder = try Forwarder(loaded, of: store, clocks, log)
    forwarding.object = forwarder
    let modem = LateBound<ModemRole>()
    let pin = try loaded.centralModemPIN()
    if let selector = PortSelector(settings.modem) {
      self.modem = try ModemRole(
        role: "central", configuration: ModemConfiguration(settings.modem, at: selector, pin: pin),
        selector: selector,
        hooks: ModemHooks(
          settings.modem, name: "central", pin: pin,
          directory: ModemHooks.directory(ofStoreAt: settings.database),
          clocks: context.modemClocks, log: log),
        clocks: context.modemClocks, log: log,
        onEvent: { event in
          onModem(event)
          guard case .received(let inbound) = event else { return }
          CentralRole.take(inbound, service, modem, clocks)
        })
      modem.object = self.modem
    } else {
      self.modem = nil
    }
    let judging = CurrentJudgingRules(try CentralRules(settings).judging)
    self.judging = judging
    let logger = LibraryLogHandler.logger(label: "http", log: log, clocks: clocks)
    if settings.http.enabled {
      let desk = AccountDesk(
        store: store, settings: try AccountSettings(loaded), clocks: clocks, log: log)
      self.desk = desk
      server = HTTPService(
        address: settings.http.address, port: settings.http.port,
        socket: SocketPlace(settings.http), providers: try WebhookProviders.configured(loaded),
        accounts: desk,
        addresses: AddressBounds(
          connectionsPerAddress: settings.http.connectionsPerAddress,
          proxies: settings.http.proxies),
        rules: DoorRules(settings.http),
        api: settings.http.api
          ? CentralAPI(settings, on: store, desk, judging, service, log) : nil,
        central: service, clocks: clocks, log: log, logger: logger)
    } else {
      server = nil
      desk = nil
    }
  }

  /// Keeps what the modem received; only then may the modem forget it. What cannot be kept stays
  /// in the modem, and its next sweep finds it again.
  private static func take(
    _ inbound: InboundPDU, _ service: CentralService, _ modem: LateBound<ModemRole>,
    _ clocks: any Clocks
  ) {
    let message = InboundMessage(inbound.pdu, receivedAt: clocks.wall())
    _ = service.submit(message) { result in
      if case .success = result { modem.object?.post(.confirmStored(token: inbound.token)) }
    }
  }

  /// The parts of the role, in the order in which they start; they end in the other one.
  public var parts: [any ServicePart] {
    [forwarder as (any ServicePart)?, service, modem, server].compactMap { $0 }
  }

  /// Gives back what was opened, after the services have ended.
  public func close() {
    try? store.close()
    lock?.release()
  }

  /// Looks at settings that were read again; what it returns takes them up.
  ///
  /// - Throws: What is wrong with the new ones; the old ones stay.
  func reload(_ loaded: LoadedSettings) throws -> Reload.Step {
    let rules = try CentralRules(loaded.settings.central)
    let providers = try WebhookProviders.configured(loaded)
    let doorRules = DoorRules(loaded.settings.central.http)
    let signIns = try desk.map { _ in try AccountSettings(loaded) }
    let settings = loaded.settings.central
    return { [self, service, server, desk, judging] in
      usual.withLock { $0 = (settings.silentAfter, settings.provisionalFor) }
      judging.change(rules.judging)
      service.change(rules)
      server?.change(providers)
      server?.change(doorRules)
      if let signIns { desk?.change(signIns) }
    }
  }

  /// Writes the role's part of a status, and returns what is wrong.
  func report(_ status: inout ServiceStatus, at now: WallTime) -> [Problem] {
    var facts = service.facts
    facts.connections = server?.connectionFacts
    (facts.silentAfter, facts.provisionalFor) = usual.withLock {
      ($0.silentAfter, $0.provisionalFor)
    }
    do {
      let overview = try store.overview()
      facts.overview = overview
      status.central = CentralReport(overview)
      status.central?.judged = JudgedReport(service.tally)
      status.central?.refused = server?.refusalCounts.map {
        RefusalReport(event: $0.name, code: $0.code, count: $0.count)
      }
      if let forwarder {
        let standing = try forwarder.standing()
        status.central?.forwards = ForwardReport(
          forwarded: standing.forwarded, waiting: standing.waiting, setAside: standing.setAside)
        facts.forwarding = CentralFacts.Forwarding(
          setAside: standing.setAside, failingSince: forwarder.trouble?.since,
          words: forwarder.trouble?.words ?? "")
      }
    } catch {
      facts.unreadable = error
    }
    return facts.problems(at: now) + (modem?.problems("central modem", at: now) ?? [])
  }
}

extension CentralRules {
  /// What the settings say to central.
  ///
  /// - Throws: What is wrong with the posts that senders are bound to.
  public init(_ settings: Settings.Central) throws {
    self.init()
    past = settings.clockWindow.past
    future = settings.clockWindow.future
    ingress = settings.ingress.mode == .open ? .open : .allowlist
    trust = settings.ingress.trust == .number ? .number : .nothing
    bindings = try settings.ingress.numbers.compactMap { entry in
      let parts = entry.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let number = PhoneNumber(String(parts[0])) else { return nil }
      return SenderBinding(number: number, post: try CheckpostCode(String(parts[1])))
    }
    ingressLimits = IngressLimits(settings.ingress)
    keep = settings.keep
    judging = try JudgingRules(settings)
  }
}

extension IngressLimits {
  /// What the settings say of how much may come in.
  fileprivate init(_ ingress: Settings.Ingress) {
    self.init()
    bound = SenderRates.Allowance(
      burst: Int64(ingress.burst), perMinute: Int64(ingress.perMinute))
    others = SenderRates.Allowance(
      burst: Int64(ingress.unboundBurst), perMinute: Int64(ingress.unboundPerMinute))
    refusedOfSender = Int64(ingress.keptOfNumber)
    refused = Int64(ingress.kept)
  }
}

extension JudgingRules {
  /// What the settings say about judging.
  ///
  /// - Throws: What is wrong with a number.
  public init(_ settings: Settings.Central) throws {
    self.init()
    try set(.rangerWindow, to: settings.judging.rangerWindow.components.seconds)
    try set(.pairingWindow, to: settings.judging.pairingWindow.components.seconds)
    try set(.longStay, to: settings.judging.longStay.components.seconds)
    try set(.provisionalFor, to: settings.provisionalFor.components.seconds)
    try setFastest(kilometresPerHour: Int64(settings.fastest))
    for entry in settings.judging.pairingWindows {
      guard let sign = entry.lastIndex(of: "="),
        let window = DurationText.parse(entry[entry.index(after: sign)...])
      else { continue }
      try setPairingWindow(of: String(entry[..<sign]), to: window.components.seconds)
    }
  }
}
