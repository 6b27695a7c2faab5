/// What happened, on its way from the threads of the program to the benchmark, with the moment at
/// which it happened there.
final class EventStream<Value: Sendable>: Sendable {
  private let stream: AsyncStream<(Value, Int64)>
  private let continuation: AsyncStream<(Value, Int64)>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  /// Takes what happened now.
  func put(_ value: Value) {
    continuation.yield((value, Stopwatch.now()))
  }

  /// Waits for the next that is wanted; those before it are dropped.
  ///
  /// - Returns: when it happened.
  func next(_ wanted: (Value) -> Bool) async throws -> Int64 {
    for await (value, moment) in stream where wanted(value) {
      return moment
    }
    throw Failure("nothing more happens")
  }
}
