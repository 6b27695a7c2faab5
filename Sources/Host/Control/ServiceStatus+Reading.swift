public import Control
import NodeCore
import NodeSQLite
public import Settings
public import Time

extension ServiceStatus {
  /// How the service stands, as it says itself; where none answers, as far as the node's database tells.
  ///
  /// - Throws: Why neither can be read.
  public static func read(_ loaded: LoadedSettings, clocks: any Clocks) throws -> ServiceStatus {
    do {
      let client = try ControlClient(path: loaded.settings.control.socket)
      return try client.ask(Operations.Status())
    } catch let error as ControlError {
      var status = ServiceStatus(service: ServiceReport(error))
      guard loaded.settings.roles.node || !loaded.settings.roles.central else { return status }
      let store = try SQLiteNodeStore(readingFrom: loaded.settings.node.database)
      defer { try? store.close() }
      let moment = Moment(boot: store.clock.time(at: clocks.boot()), wall: clocks.wall())
      let overview = try store.overview(at: moment.boot)
      status.queue = QueueReport(overview)
      let facts = NodeFacts(overview: overview, reserveBytes: NodeSQLite.Limits.reserveBytes)
      let problems = NodeProblems(facts, at: moment).ofTheQueue
      if !problems.isEmpty { status.tell(problems) }
      return status
    }
  }
}
