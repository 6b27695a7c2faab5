import EventLoop
import Foundation
import Glibc
import TestSupport
import Testing

@testable import SerialPorts

/// The lock file that minicom, gammu and wvdial look at.
@Suite struct UUCPLockTests {
  private let directory: TemporaryDirectory
  private let path: String
  private let node = "/dev/ttyUSB2"

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path + "/LCK..ttyUSB2"
  }

  private func take() -> UUCPLock? {
    if case .taken(let lock) = UUCPLock.take(node, in: directory.path) { lock } else { nil }
  }

  private func write(_ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(filePath: path))
  }

  /// A process that has ended.
  private func ended() throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/true")
    try process.start()
    process.waitUntilExit()
    return process.processIdentifier
  }

  @Test func itNamesThisProcessAsOthersReadIt() throws {
    let lock = try #require(take())
    let text = try String(contentsOfFile: path, encoding: .utf8)
    // Ten columns, as the standard has it; what follows is the program's name.
    #expect(Int32(text.prefix(10).filter { $0 != " " }) == getpid())
    #expect(text.hasSuffix("\n"))
    // Whoever holds it is no stranger to itself.
    #expect(UUCPLock.holder(of: node, in: directory.path) == nil)
    lock.release()
    #expect(access(path, F_OK) != 0)
    // Nothing else is left behind.
    #expect(SystemFile.names(in: directory.path).isEmpty)
  }

  @Test func anothersIsHonouredInEveryForm() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/cat")
    process.standardInput = Spawn.pipe()
    try process.start()
    defer { process.terminate() }
    let pid = process.processIdentifier
    let number = UInt32(bitPattern: pid)
    let binary = (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    let forms = [
      Array("\(pid)\n".utf8), Array(String(repeating: " ", count: 4).utf8) + Array("\(pid)\n".utf8),
      Array("     \(pid) minicom root\n".utf8), binary,
    ]
    for form in forms {
      try write(form)
      #expect(UUCPLock.holder(of: node, in: directory.path) == pid)
      guard case .held(pid) = UUCPLock.take(node, in: directory.path) else {
        Issue.record("a lock of \(form) was not honoured")
        continue
      }
    }
  }

  @Test func oneWhoseHolderHasEndedIsTakenOver() throws {
    let pid = try ended()
    for text in ["\(pid)\n", "      \(pid) minicom\n"] {
      try write(Array(text.utf8))
      #expect(UUCPLock.holder(of: node, in: directory.path) == nil)
      let lock = try #require(take())
      lock.release()
      #expect(access(path, F_OK) != 0)
    }
  }

  // A number is given out again: what our own program left when it was killed must not keep it out.
  @Test func ourOwnOldOneIsNoStrangersWhoHasItsNumber() throws {
    let own = try #require(SystemFile.firstLine("/proc/self/comm")).filter { $0 != " " }
    try write(Array("         1 \(own)\n".utf8))
    #expect(UUCPLock.holder(of: node, in: directory.path) == nil)
    #expect(take() != nil)
    try write(Array("         1 other\n".utf8))
    #expect(UUCPLock.holder(of: node, in: directory.path) == 1)
  }

  @Test func whatIsNoneIsLeftAlone() throws {
    try write(Array("rubbish\n".utf8))
    #expect(UUCPLock.holder(of: node, in: directory.path) == nil)
    #expect(take() == nil)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "rubbish\n")
    guard case .unavailable = UUCPLock.take(node, in: directory.path + "/none") else {
      Issue.record("a lock was taken where there is no directory")
      return
    }
  }

  @Test func anothersIsNotRemovedAtTheEnd() throws {
    let lock = try #require(take())
    try write(Array("1 other\n".utf8))
    lock.release()
    #expect(access(path, F_OK) == 0)
  }
}
