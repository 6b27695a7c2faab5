public import Foundation

/// The one turn in which a test starts a process.
///
/// Foundation learns that a process has ended by a socket whose other end only that process holds, and it passes
/// on to a process whatever descriptor another thread opened a moment before. When two threads start processes at
/// once, the one process may so keep the socket, or the pipe, of the other: who waits for the other then waits
/// until both have ended, which is for ever when one of them serves all tests.
public enum Spawn {
  private static let turn = NSLock()

  /// Runs `body` while nobody else starts a process.
  public static func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
    try turn.withLock(body)
  }

  /// A pipe that no process inherits but the one that it is meant for.
  public static func pipe() -> Pipe { alone { Pipe() } }
}

extension Process {
  /// Starts it, when its turn has come.
  public func start() throws {
    try Spawn.alone { try run() }
  }
}
