import Dispatch
public import NodeCore
public import NodeService
public import PassageFiles
import Synchronization

/// A node that runs in this process, as a sink for passages: they share the commits of whatever else
/// happens there.
public struct NodeSink: PassageSink {
  private let service: NodeService
  private var answer = Answer()

  /// A sink into a node that has started.
  public init(_ service: NodeService) {
    self.service = service
  }

  /// Hands passages to the node.
  public mutating func begin(_ requests: [RecordRequest]) {
    answer = Answer()
    service.record(requests) { [answer] in answer.give($0) }
  }

  /// Blocks until they are on disk.
  public func finish() throws -> RecordedPassages {
    RecordedPassages(outcomes: try answer.wait().get())
  }

  /// The node's answer, from its thread to the one that waits.
  private final class Answer: Sendable {
    private let result = Mutex<Result<[RecordOutcome], NodeServiceError>>(.failure(.ended))
    private let isGiven = DispatchSemaphore(value: 0)

    func give(_ given: Result<[RecordOutcome], NodeServiceError>) {
      result.withLock { $0 = given }
      isGiven.signal()
    }

    func wait() -> Result<[RecordOutcome], NodeServiceError> {
      isGiven.wait()
      return result.withLock { $0 }
    }
  }
}
