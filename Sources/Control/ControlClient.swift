public import EventLoop
import Glibc
import JSON
import Text
public import Time

/// Asks the running service, over its control socket. One client is one connection; it blocks, and
/// belongs to a command.
public final class ControlClient {
  private let path: String
  private let descriptor: Descriptor
  private let clocks: any Clocks
  private var lines = LineBuffer(limit: Limits.controlAnswerBytes)
  private var waiting: [[UInt8]] = []

  /// Connects to the service.
  ///
  /// - Throws: ``ControlError/notRunning(path:)`` when nobody serves the socket, also when it is left
  ///   over from a service that ended, and what else stands in the way.
  public init(path: String, clocks: any Clocks = SystemClocks()) throws(ControlError) {
    self.path = path
    self.clocks = clocks
    do throws(UnixSocket.Failure) {
      descriptor = try UnixSocket.connect(path)
    } catch {
      throw ControlError(error, at: path)
    }
  }

  /// Asks, and waits for the answer for at most `timeout`.
  ///
  /// - Throws: ``ControlError`` when there is no answer. After that the client is of no more use,
  ///   because a late answer would be taken for that of the next request.
  public func ask(_ request: ControlRequest, timeout: Duration = .seconds(10))
    throws(ControlError) -> ControlAnswer
  {
    let deadline = clocks.boot() + timeout
    try send(request, timeout: timeout, deadline: deadline)
    return try answer(timeout: timeout, deadline: deadline)
  }

  /// Asks, and leaves the answer for ``answer(timeout:)``, which comes before the next request.
  ///
  /// - Throws: ``ControlError`` when the request cannot leave within `timeout`.
  public func send(_ request: ControlRequest, timeout: Duration = .seconds(10)) throws(ControlError)
  {
    try send(request, timeout: timeout, deadline: clocks.boot() + timeout)
  }

  /// Waits for the answer to what was sent, for at most `timeout`.
  ///
  /// - Throws: ``ControlError`` when there is none; then the client is of no more use.
  public func answer(timeout: Duration = .seconds(10)) throws(ControlError) -> ControlAnswer {
    try answer(timeout: timeout, deadline: clocks.boot() + timeout)
  }

  /// Asks for an operation, and waits for its answer for at most `timeout`.
  ///
  /// - Throws: ``ControlError`` when there is no answer or none of that kind, and ``ControlRefusal`` when
  ///   the service did not do what it was asked.
  public func ask<Operation: ControlOperation>(
    _ operation: Operation, timeout: Duration = .seconds(10)
  ) throws -> Operation.Answer {
    switch try ask(ControlRequest(operation), timeout: timeout) {
    case .refused(let refusal): throw refusal
    case .done(let fields):
      guard let value = JSONText.decode(Operation.Answer.self, from: fields) else {
        throw ControlError.noAnswer(path: path)
      }
      return value
    }
  }

  /// Waits for at most `timeout` for the next line of a stream that was asked for.
  ///
  /// - Throws: ``ControlError/timedOut(path:after:)`` when nothing came, after which the client can go on
  ///   waiting; ``ControlError/noAnswer(path:)`` when the service ended the stream.
  public func next(timeout: Duration) throws(ControlError) -> ControlLine {
    let line = try receive(timeout: timeout, deadline: clocks.boot() + timeout)
    if case .refused(let refusal)? = ControlAnswer(json: line) { return .ended(refusal) }
    guard let object = JSONText.decode(line)?.object else { throw .noAnswer(path: path) }
    return .told(object)
  }

  private func answer(
    timeout: Duration, deadline: BootInstant
  ) throws(ControlError) -> ControlAnswer {
    let line = try receive(timeout: timeout, deadline: deadline)
    guard let answer = ControlAnswer(json: line) else { throw .noAnswer(path: path) }
    return answer
  }

  private func send(
    _ request: ControlRequest, timeout: Duration, deadline: BootInstant
  ) throws(ControlError) {
    let bytes = Array((request.json + "\n").utf8)
    guard bytes.count <= Limits.controlRequestBytes else { throw .requestTooLong(path: path) }
    var position = 0
    while position < bytes.count {
      guard let count = UnixSocket.send(bytes[position...], to: descriptor) else {
        throw .noAnswer(path: path)
      }
      position += count
      if count == 0 {
        try wait(writable: true, timeout: timeout, deadline: deadline)
      }
    }
  }

  private func receive(timeout: Duration, deadline: BootInstant) throws(ControlError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 64 * 1_024)
    while waiting.isEmpty {
      try wait(writable: false, timeout: timeout, deadline: deadline)
      let count = recv(descriptor.value, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { throw .noAnswer(path: path) }
      waiting += lines.take(buffer[..<count])
      guard !lines.isOverlong else { throw .noAnswer(path: path) }
    }
    return waiting.removeFirst()
  }

  private func wait(writable: Bool, timeout: Duration, deadline: BootInstant) throws(ControlError) {
    let interest = Interest(
      descriptor: descriptor.value, readable: !writable, writable: writable)
    while clocks.boot() < deadline {
      let ready = PollLoop.wait([interest], until: deadline, clocks: clocks)
      if ready.first?.isEmpty == false { return }
    }
    throw .timedOut(path: path, after: timeout)
  }
}
