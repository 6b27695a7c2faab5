public import EventLoop
import Foundation

/// Starts something that blocks on a thread of its own: on those of the tasks it would keep every
/// other test waiting.
public func startThread(_ work: @escaping @Sendable () -> Void) {
  Thread.detachNewThread(work)
}

/// Runs something that blocks on a thread of its own.
public func onThread<Value: Sendable, Failure: Error>(
  _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
  let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
    startThread { continuation.resume(returning: Result(catching: work)) }
  }
  return try result.get()
}

extension ServicePart {
  /// Starts it, and returns when it has ended, which it is asked to when the task is cancelled.
  ///
  /// - Throws: Why it cannot be started, or what it ended with.
  public func run() async throws {
    try start {}
    try await withTaskCancellationHandler {
      try await onThread { try join() }
    } onCancel: {
      stop()
    }
  }

  /// Returns when it has ended, whatever with.
  public func finished() async {
    await onThread { try? join() }
  }
}
