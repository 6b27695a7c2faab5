import EventLoop
import GRDB
import Glibc
import Time

/// The least that a durable webhook costs: the server of ``EmptyServer``, each body of which is inserted into a bare
/// table of SQLite, all that wait in one transaction, and answered once that is on disk. It looks at no signature,
/// knows no passage and writes no log.
enum StoringServer {
  /// The argument with which the benchmarks' program becomes one; a path for its database follows.
  static let argument = "serve-storing"

  /// Serves until the process is ended; the first line of its output is its port.
  static func serve(_ path: String) async throws {
    let writer = try BodyWriter(path)
    try await EmptyServer.serve { body in
      let isStored = await writer.store(body)
      guard isStored else { throw Failure("a body was not stored") }
    }
  }
}

/// Inserts bodies on a thread of its own.
private final class BodyWriter: Sendable {
  private struct Body: Sendable {
    var bytes: [UInt8]
    var continuation: CheckedContinuation<Bool, Never>
  }

  private let wakeup: Wakeup
  private let mailbox: Mailbox<Body>
  private let queue: DatabaseQueue
  private let thread = WorkerThread()

  init(_ path: String) throws {
    queue = try BareDatabase.open(path)
    try queue.writeWithoutTransaction { database in
      try database.execute(
        sql: """
          CREATE TABLE inbox (
            id INTEGER PRIMARY KEY, provider_id TEXT NOT NULL UNIQUE, body TEXT NOT NULL,
            received_at_ms INTEGER NOT NULL
          ) STRICT;
          """)
    }
    wakeup = try Wakeup()
    mailbox = Mailbox(capacity: 4_096, wakeup: wakeup)
    try thread.start(name: "store") { [self] in
      while true {
        let bodies = mailbox.drain()
        if bodies.isEmpty {
          _ = PollLoop.wait(
            [Interest(descriptor: wakeup.descriptor)], until: nil, clocks: SystemClocks())
          wakeup.clear()
        } else {
          let isStored = (try? insert(bodies)) != nil
          for body in bodies { body.continuation.resume(returning: isStored) }
        }
      }
    }
  }

  /// Whether it is on disk.
  func store(_ body: [UInt8]) async -> Bool {
    await withCheckedContinuation { continuation in
      let isTaken = mailbox.post(Body(bytes: body, continuation: continuation))
      if !isTaken { continuation.resume(returning: false) }
    }
  }

  private func insert(_ bodies: [Body]) throws {
    let now = SystemClocks().wall().milliseconds
    try queue.write { database in
      let statement = try database.cachedStatement(
        sql: "INSERT INTO inbox (provider_id, body, received_at_ms) VALUES (?, ?, ?)")
      for body in bodies {
        // Its first parameter names it.
        let name = String(decoding: body.bytes.prefix { $0 != UInt8(ascii: "&") }, as: UTF8.self)
        try statement.execute(
          arguments: [name, String(decoding: body.bytes, as: UTF8.self), now])
      }
    }
  }
}
