import EventLoop
import Glibc
import Testing

struct PseudoTerminalTests {
  @Test func carriesEveryByteBothWaysUnchanged() throws {
    let terminal = try PseudoTerminal()
    let link = try openLink(terminal.slavePath)
    let bytes = Array(UInt8.min...UInt8.max) + Array("AT\r\n\u{1A}\u{1B}\u{03}\u{11}\u{13}".utf8)
    try write(bytes, to: terminal.master)
    #expect(read(bytes.count, from: link) == bytes)
    try write(bytes, to: link)
    #expect(read(bytes.count, from: terminal.master) == bytes)
    // Nothing was echoed to either side.
    var rest: [UInt8] = []
    #expect(terminal.master.read(into: &rest, limit: 16) == .wouldBlock)
    #expect(link.read(into: &rest, limit: 16) == .wouldBlock)
    #expect(rest.isEmpty)
  }

  @Test func readsNoMoreThanItIsAskedForAndAppends() throws {
    let terminal = try PseudoTerminal()
    let link = try openLink(terminal.slavePath)
    try write(Array("hello".utf8), to: terminal.master)
    #expect(readiness(link.descriptor).contains(.readable))
    var buffer = Array(">".utf8)
    #expect(link.read(into: &buffer, limit: 2) == .bytes(2))
    #expect(buffer == Array(">he".utf8))
    #expect(read(3, from: link) == Array("llo".utf8))
  }

  @Test func takesOnlyWhatFits() throws {
    let terminal = try PseudoTerminal()
    let link = try openLink(terminal.slavePath)
    let block = (0..<4_096).map { UInt8(truncatingIfNeeded: $0 * 7) }
    var written: [UInt8] = []
    for _ in 0..<1_000 {
      let count = try link.write(block[...])
      if count == 0 { break }
      written += block.prefix(count)
    }
    #expect(written.count < 1_000 * block.count)
    #expect(read(written.count, from: terminal.master) == written)
    // There is room again.
    #expect(readiness(link.descriptor, writable: true).contains(.writable))
    #expect(try link.write(block[..<1]) == 1)
  }

  @Test func isNotHungUpByADriverThatClosesAndOpensAgain() throws {
    let terminal = try PseudoTerminal()
    let first = try openLink(terminal.slavePath)
    first.close()
    #expect(readinessNow(terminal.master.descriptor).isEmpty)
    var buffer: [UInt8] = []
    #expect(terminal.master.read(into: &buffer, limit: 16) == .wouldBlock)
    let second = try openLink(terminal.slavePath)
    try write([0x41], to: terminal.master)
    #expect(read(1, from: second) == [0x41])
  }

  // A read of nothing after the descriptor turned readable: the device is gone.
  @Test func hangsUpWhenItIsClosed() throws {
    let terminal = try PseudoTerminal()
    let link = try openLink(terminal.slavePath)
    terminal.close()
    #expect(readiness(link.descriptor).contains(.hungUp))
    var buffer: [UInt8] = []
    #expect(link.read(into: &buffer, limit: 16) == .closed)
    #expect(throws: LinkError.gone(path: terminal.slavePath)) { try link.write([0x41]) }
    link.close()
    link.close()
    #expect(link.descriptor == -1)
    #expect(link.read(into: &buffer, limit: 16) == .closed)
    #expect(throws: LinkError.gone(path: terminal.slavePath)) { try link.write([0x41]) }
    terminal.close()
    #expect(terminal.master.descriptor == -1)
  }

  @Test func givesEachItsOwnPath() throws {
    let terminals = try (0..<4).map { _ in try PseudoTerminal() }
    #expect(Set(terminals.map(\.slavePath)).count == 4)
    #expect(terminals.allSatisfy { $0.slavePath.hasPrefix("/dev/pts/") })
    #expect(terminals.allSatisfy { $0.master.path == $0.slavePath })
  }
}
