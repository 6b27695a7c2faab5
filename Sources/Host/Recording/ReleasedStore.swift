import Control
public import Settings

/// The database of a role, closed by the running service for as long as this is held: the connection to the
/// service. However this process ends, the service goes on with what lies there then.
public final class ReleasedStore {
  /// A text that is being sent is finished first.
  private static let patience: Duration = .seconds(180)

  private let client: ControlClient

  /// Asks the running service for the database, and waits until that is closed.
  ///
  /// - Parameter path: The node's database, or central's: a file, or how ``CentralStores/place(_:)`` calls one.
  /// - Throws: `ControlError` when no service answers, `ControlRefusal` when it does not give it.
  public init(_ settings: Settings, database path: String) throws {
    client = try ControlClient(path: settings.control.socket)
    _ = try client.ask(
      Operations.ReleaseStore(
        database: RecordMessage.identity(ofFileAt: path) ?? RecordMessage.name(ofFileAt: path)))
    switch try client.next(timeout: ReleasedStore.patience) {
    case .told: break
    case .ended(let refusal): throw refusal
    }
  }
}

extension LoadedSettings {
  /// What central's database is called; empty where there is no central, or it cannot be named.
  var centralDatabase: String {
    guard settings.roles.central else { return "" }
    return (try? CentralStores.place(settings.central)) ?? ""
  }
}
