import EventLoop
import NodeCore
import Synchronization
import Time

/// Asks the server one thing after the other, and waits for each answer.
final class Asking: Sendable {
  typealias Outcome = Result<ServerAnswer, ServerClientError>

  let client: any ServerClient
  private let wakeup: Wakeup

  /// - Throws: `LinkError.system` when the process may not open another descriptor.
  init(_ client: any ServerClient) throws(LinkError) {
    self.client = client
    wakeup = try Wakeup()
  }

  /// Blocks until it is answered, or the client is ended.
  func ask(_ request: ServerRequest, _ clocks: any Clocks) -> Outcome {
    let answer = Slot()
    client.send(request) { [wakeup] outcome in
      answer.outcome.withLock { $0 = outcome }
      wakeup.signal()
    }
    while true {
      if let outcome = answer.outcome.withLock({ $0 }) { return outcome }
      _ = PollLoop.wait([Interest(descriptor: wakeup.descriptor)], until: nil, clocks: clocks)
      wakeup.clear()
    }
  }

  private final class Slot: Sendable {
    let outcome = Mutex<Outcome?>(nil)
  }
}
