public import Control
import EventLoop
public import NodeSQLite
public import PassageFiles
import PhotoFiles
public import Settings
public import Storage
public import Time

/// Where passages are recorded, in order: the running service, the node's database, and for members of the
/// service's group, who have no right to that, the spool from which the service takes them later.
public struct RecordingSinks {
  /// Stands for the post of a passage where no settings could be read that name it: the service knows it.
  public static let unknownPost = Spool.unknownPost

  /// How long a member waits for a service that is just starting.
  public static let patience: Duration = .seconds(4)

  private let loaded: LoadedSettings
  private let clocks: any Clocks
  private let patience: Duration
  private let open: () throws -> SQLiteNodeStore

  /// The places of these settings.
  ///
  /// - Parameters:
  ///   - patience: How long a service is waited for before passages are put down.
  ///   - open: Opens the node's database, once.
  public init(
    _ loaded: LoadedSettings, clocks: any Clocks, patience: Duration = RecordingSinks.patience,
    open: @escaping () throws -> SQLiteNodeStore
  ) {
    self.loaded = loaded
    self.clocks = clocks
    self.patience = patience
    self.open = open
  }

  /// Nothing takes a passage: the service does not answer, this user may not use the database, and there is
  /// no place where it could wait.
  public struct NowhereToRecord: Error {
    /// Why the service does not take it.
    public let service: ControlError
    /// Why the database cannot be used.
    public let storage: StorageError
    /// Where it could wait if this user might write there.
    public let spool: String
  }

  /// The first place that takes passages.
  ///
  /// - Throws: What stands in the way of all of them.
  public func sink() throws -> any PassageSink {
    try ServiceSink(loaded, fallback: elsewhere) ?? elsewhere()
  }

  /// The place for passages where the settings are wrong: the service, which may have older ones, or the
  /// spool; nil where neither takes them.
  public func sinkWithoutSettings() -> (any PassageSink)? {
    let spool = { SpoolSink(loaded.settings, clocks: clocks) }
    return ServiceSink(
      loaded,
      fallback: {
        guard let sink = spool() else {
          throw ControlError.notRunning(path: loaded.settings.control.socket)
        }
        return sink
      }) ?? spool()
  }

  private func elsewhere() throws -> any PassageSink {
    let socket = loaded.settings.control.socket
    do {
      let opened = try open()
      let room = RoomMaker(opened, PhotoDirectory(loaded.settings), clocks: clocks)
      return StoreSink(
        opened, clocks: clocks, makeRoom: { room.makeRoom(passages: true) },
        wake: { RunningService.tell(Operations.Wake(), socket: socket)?.clock })
    } catch let storage as StorageError {
      switch storage.kind {
      case .denied, .missing, .readOnly, .inUse, .busy, .otherVersion, .lost: break
      case .full, .damaged, .notOurs, .notDurable, .refused, .failed: throw storage
      }
      let service: ControlError
      switch storage.kind == .denied ? awaited() : reached() {
      case .success(let sink): return sink
      case .failure(let error): service = error
      }
      if let sink = SpoolSink(loaded.settings, clocks: clocks) { return sink }
      guard storage.kind == .denied else { throw storage }
      throw NowhereToRecord(
        service: service, storage: storage, spool: loaded.settings.spoolDirectory)
    }
  }

  private func service() -> ServiceSink? {
    ServiceSink(
      loaded,
      fallback: {
        guard let sink = SpoolSink(loaded.settings, clocks: clocks) else {
          throw ControlError.notRunning(path: loaded.settings.control.socket)
        }
        return sink
      })
  }

  private func reached() -> Result<ServiceSink, ControlError> {
    if let sink = service() { return .success(sink) }
    let path = loaded.settings.control.socket
    do throws(ControlError) {
      _ = try ControlClient(path: path)
      return .failure(.noAnswer(path: path))
    } catch {
      return .failure(error)
    }
  }

  /// The service, for which it is waited a while: it may be starting just now.
  private func awaited() -> Result<ServiceSink, ControlError> {
    let deadline = clocks.boot() + patience
    let path = loaded.settings.control.socket
    let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let watch = PathWatch(directory: directory)
    while true {
      let found = reached()
      switch found {
      case .success: return found
      case .failure(.noPermission), .failure(.notASocket), .failure(.pathTooLong): return found
      case .failure: break
      }
      let now = clocks.boot()
      guard now < deadline else { return found }
      // The socket may be there a moment before it is served.
      _ = PollLoop.wait(
        [watch].compactMap { $0.map { Interest(descriptor: $0.descriptor) } },
        until: min(deadline, now + .milliseconds(500)), clocks: clocks)
      watch?.clear()
    }
  }
}
