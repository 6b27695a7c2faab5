import CFlush
import Glibc

/// The floor of everything durable: one page written to a file and flushed, without a database.
///
/// The file has its size already and its pages are used in turn, as those of a write-ahead log are.
final class BarePage {
  private static let size = 4_096
  private static let pages = 1_024
  private let descriptor: Int32
  private let page: [UInt8]
  private var next = 0

  init(_ path: String) throws {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure(system: path) }
    page = (0..<BarePage.size).map { UInt8(truncatingIfNeeded: $0) }
    for number in 0..<BarePage.pages { try write(at: number) }
    try flush()
  }

  deinit {
    close(descriptor)
  }

  /// Writes a page and flushes it.
  func put() throws {
    try write(at: next)
    try flush()
    next = (next + 1) % BarePage.pages
  }

  private func write(at number: Int) throws {
    let count = pwrite(descriptor, page, page.count, off_t(number * BarePage.size))
    guard count == page.count else { throw Failure(system: "write a page") }
  }

  private func flush() throws {
    guard fdatasync(descriptor) == 0 else { throw Failure(system: "fdatasync") }
  }
}

/// Flushes of this process.
enum Flushes {
  /// How a memory card is: each flush takes five milliseconds.
  static let card: Int64 = 5_000_000

  /// So many until now.
  static var count: Int {
    Int(cflush_count())
  }

  /// Nanoseconds spent in them until now.
  static var time: Int64 {
    cflush_nanoseconds()
  }

  /// Lets every flush of this process take at least so long while `body` runs.
  static func slowed<Value>(
    to nanoseconds: Int64, _ body: () async throws -> Value
  ) async rethrows -> Value {
    cflush_set_least(nanoseconds)
    defer { cflush_set_least(0) }
    return try await body()
  }

  /// The same for work that waits for nothing else.
  static func slowed<Value>(to nanoseconds: Int64, _ body: () throws -> Value) rethrows -> Value {
    cflush_set_least(nanoseconds)
    defer { cflush_set_least(0) }
    return try body()
  }
}
