import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

/// Tests that start programs and wait for them block their thread. They run on threads of their own, a few tests at a
/// time: the threads of the tasks, as many as the machine has processors, stay free for the tests of other suites, and
/// one that hangs keeps nobody waiting but whoever would come after it in its place. What a test may take of time
/// counts from when its turn has come.
struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  private static let turns = Turns(ProcessInfo.processInfo.activeProcessorCount + 2)

  var isRecursive: Bool { true }

  /// Around a test with all of its arguments.
  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    test.isSuite || testCase != nil ? nil : self
  }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await Self.turns.take()
    defer { Self.turns.giveBack() }
    try await withTaskExecutorPreference(ThreadExecutor.shared) { try await function() }
  }
}

extension Trait where Self == OwnThreads {
  /// Its tests run on threads of their own.
  static var ownThreads: Self { Self() }
}

/// Runs each step of a task on a thread of its own.
final class ThreadExecutor: TaskExecutor {
  static let shared = ThreadExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    startThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// So many at a time; who comes first is first.
private final class Turns: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) {
    state = Mutex(State(free: count))
  }

  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func giveBack() {
    let next: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}

@Suite(.ownThreads) struct OwnThreadsTests {
  /// More tests than there are threads for tasks block, and a task goes on all the same.
  @Test(.timeLimit(.minutes(5))) func whatBlocksLeavesTheThreadsOfTheTasksToOthers() async {
    let count = 2 * ProcessInfo.processInfo.activeProcessorCount + 2
    let gate = DispatchSemaphore(value: 0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask { gate.block() }
      }
      await Task.detached { for _ in 0..<count { gate.signal() } }.value
    }
  }

  @Test func aTestThatDoesNotWaitIsOnSuchAThread() {
    withUnsafeCurrentTask { task in
      #expect(task?.unownedTaskExecutor == ThreadExecutor.shared.asUnownedTaskExecutor())
    }
  }
}

extension DispatchSemaphore {
  /// Blocks the thread, as waiting for a program does.
  fileprivate func block() { wait() }
}
