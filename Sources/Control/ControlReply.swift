public import JSON
import Synchronization

/// The way back to whoever asked: answers once, from any thread.
public final class ControlReply: Sendable {
  private let isAnswered = Mutex(false)
  private let send: @Sendable (ControlAnswer) -> Void
  /// Begins a stream, and says that it has something to tell.
  private let begin: (@Sendable (ControlStream) -> Void)?
  private let wake: @Sendable () -> Void

  /// A reply that hands its answer to `send`; tests make their own.
  public init(send: @escaping @Sendable (ControlAnswer) -> Void) {
    self.send = send
    begin = nil
    wake = {}
  }

  /// A reply to somebody who may be told line by line.
  init(
    send: @escaping @Sendable (ControlAnswer) -> Void,
    begin: @escaping @Sendable (ControlStream) -> Void, wake: @escaping @Sendable () -> Void
  ) {
    self.send = send
    self.begin = begin
    self.wake = wake
  }

  deinit {
    // Nobody is left who could answer; the asker must not wait for its timeout.
    answer(
      .refused(
        ControlRefusal(
          code: "no_answer", message: "the service dropped the request; look at `checkpost log`")))
  }

  /// Answers; a second answer is ignored.
  public func answer(_ answer: ControlAnswer) {
    if isFirst() { send(answer) }
  }

  /// Answers that it was done, and goes on line by line.
  ///
  /// - Parameter make: Makes the stream, which calls `wake` from any thread when it has something to tell
  ///   again.
  public func stream(_ make: (_ wake: @escaping @Sendable () -> Void) -> ControlStream) {
    guard isFirst() else { return }
    guard let begin else {
      send(.refused(ControlRefusal(code: "no_stream", message: "nothing can be told line by line")))
      return
    }
    begin(make(wake))
  }

  private func isFirst() -> Bool {
    isAnswered.withLock { isAnswered in
      defer { isAnswered = true }
      return !isAnswered
    }
  }

  /// Answers that it was done.
  public func done(_ fields: [String: JSONValue] = [:]) {
    answer(.done(fields))
  }

  /// Answers that it was done, with a value that is written as an object.
  public func done(_ value: some Encodable) {
    done(JSONText.object(of: value))
  }

  /// Answers that it was not done.
  public func refuse(_ code: String, _ message: String, exitCode: Int32 = 69) {
    answer(.refused(ControlRefusal(code: code, message: message, exitCode: exitCode)))
  }
}
