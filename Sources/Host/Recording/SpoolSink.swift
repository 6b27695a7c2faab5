import Control
import EventLoop
public import NodeCore
public import PassageFiles
import Passages
public import Settings
public import Time

/// Passages on their way into the spool, where the service cannot be asked: it takes them in when it runs.
public struct SpoolSink: PassageSink {
  private let spool: Spool
  private let socket: String
  private let clocks: any Clocks
  private var recorded = RecordedPassages(outcomes: [])

  /// A sink into the spool of these settings; nil where there is none that this user may write to.
  public init?(_ settings: Settings, clocks: any Clocks) {
    spool = Spool(settings.spoolDirectory)
    socket = settings.control.socket
    self.clocks = clocks
    guard spool.isUsable else { return nil }
  }

  /// Puts passages down.
  public mutating func begin(_ requests: [RecordRequest]) throws {
    guard !requests.isEmpty else {
      recorded = RecordedPassages(outcomes: [])
      return
    }
    var random = SystemRandomNumberGenerator()
    try spool.put(
      requests,
      at: Spool.Moment(
        bootID: SystemClocks.bootIdentity(), boot: clocks.boot(), wall: clocks.wall()),
      token: random.next())
    // It may have begun to run since: then it looks for itself, or hears of it now.
    RunningService.tell(Operations.Wake(), socket: socket)
    recorded = RecordedPassages(
      outcomes: requests.map { .recorded($0.passage.clientID, queueID: 0) },
      keptIn: spool.directory)
  }

  /// What came of them.
  public func finish() -> RecordedPassages { recorded }
}
