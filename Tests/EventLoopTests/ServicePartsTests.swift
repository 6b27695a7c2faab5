import EventLoop
import Synchronization
import TestSupport
import Testing

/// Parts of a service, which live and end together.
@Suite struct ServicePartsTests {
  private struct Failure: Error, Equatable {
    var name: String
  }

  /// What the parts of a test did, in order.
  private final class Diary: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  /// A part that does as its name says.
  private struct Part: ServicePart {
    let name: String
    let diary: Diary

    func start(whenEnded: @escaping @Sendable () -> Void) throws {
      if name == "unstartable" { throw Failure(name: name) }
      diary.add("+\(name)")
      if name == "brief" { startThread(whenEnded) }
    }

    func stop() { diary.add("-\(name)") }

    func join() throws {
      diary.add(".\(name)")
      if name.hasPrefix("failing") { throw Failure(name: name) }
    }
  }

  private let diary = Diary()

  private func parts(_ names: String...) throws -> ServiceParts {
    try ServiceParts(names.map { Part(name: $0, diary: diary) })
  }

  @Test func theyEndInTheReverseOrder() throws {
    try parts("a", "b").run { _ in diary.add("wait") }
    #expect(diary.all == ["+a", "+b", "wait", "-b", ".b", "-a", ".a"])
  }

  @Test func oneThatCannotStartEndsThoseBefore() throws {
    let parts = try parts("a", "unstartable", "b")
    #expect(throws: Failure(name: "unstartable")) {
      try parts.run { _ in Issue.record("nothing runs") }
    }
    #expect(diary.all == ["+a", "-a", ".a"])
  }

  @Test func theFirstFailureIsToldAndAllEnd() throws {
    let parts = try parts("failing first", "failing last", "b")
    #expect(throws: Failure(name: "failing last")) { try parts.run { _ in } }
    #expect(diary.all.suffix(2) == ["-failing first", ".failing first"])
  }

  @Test func oneThatEndsByItselfEndsAll() async throws {
    let parts = try parts("a", "brief")
    try await onThread {
      try parts.run { ended in
        let interest = Interest(descriptor: ended.descriptor)
        _ = PollLoop.wait([interest], until: nil, clocks: SystemClocks())
      }
    }
    #expect(diary.all == ["+a", "+brief", "-brief", ".brief", "-a", ".a"])
  }
}
