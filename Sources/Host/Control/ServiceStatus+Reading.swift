import CentralCore
public import Control
import Events
import NodeCore
import NodeSQLite
public import Settings
import Storage
public import Time

extension ServiceStatus {
  /// How the service stands, as it says itself; where none answers, as far as the settings and the
  /// databases tell.
  ///
  /// - Throws: Why neither can be read.
  public static func read(_ loaded: LoadedSettings, clocks: any Clocks) throws -> ServiceStatus {
    do {
      let client = try ControlClient(path: loaded.settings.control.socket)
      return try client.ask(Operations.Status())
    } catch let error as ControlError {
      var status = ServiceStatus(service: ServiceReport(error))
      status.service?.name(loaded)
      let roles = loaded.settings.roles
      let checks = ServiceChecks(loaded)
      // What it does not start with, and what it would lack once it runs.
      var problems = checks.refusals + checks.serverSecrets + checks.missingDirectories
      if roles.node || !roles.central {
        problems += try status.readNode(loaded.settings, clocks)
      }
      if roles.central {
        problems += try status.readCentral(loaded.settings.central, at: clocks.wall())
      }
      problems += checks.standing
      if !problems.isEmpty { status.tell(problems) }
      return status
    }
  }

  private mutating func readNode(
    _ settings: Settings, _ clocks: any Clocks
  ) throws -> [Problem] {
    let path = settings.node.database
    guard let store = try Self.opened({ try SQLiteNodeStore(readingFrom: path) }) else { return [] }
    defer { try? store.close() }
    let moment = Moment(boot: store.clock.time(at: clocks.boot()), wall: clocks.wall())
    let overview = try store.overview(at: moment.boot)
    queue = QueueReport(overview, PassageStates(settings))
    var facts = NodeFacts(overview: overview, reserveBytes: NodeSQLite.Limits.reserveBytes)
    facts.states = PassageStates(settings)
    return NodeProblems(facts, at: moment).all()
  }

  private mutating func readCentral(
    _ settings: Settings.Central, at now: WallTime
  ) throws -> [Problem] {
    guard let store = try Self.opened({ try CentralStores.open(settings, for: .reading) }) else {
      return []
    }
    defer { try? store.close() }
    let overview = try store.overview()
    central = CentralReport(overview)
    var facts = CentralFacts()
    facts.overview = overview
    (facts.silentAfter, facts.provisionalFor) = (settings.silentAfter, settings.provisionalFor)
    return facts.problems(at: now)
  }

  /// A store; nil while the service has not made it yet.
  private static func opened<Store>(_ open: () throws -> Store) throws -> Store? {
    do {
      return try open()
    } catch let error as StorageError where error.kind == .missing {
      return nil
    }
  }
}

extension ServiceReport {
  /// Says which of the services of this machine it is.
  mutating func name(_ loaded: LoadedSettings) {
    configuration = loaded.file
    let roles = loaded.settings.roles
    self.roles = [roles.node ? "node" : nil, roles.central ? "central" : nil].compactMap { $0 }
    checkpost = roles.node ? loaded.settings.node.checkpost : nil
  }
}
