import Glibc
import TestSupport
import Testing

@testable import Host

@Suite struct GroupEntryTests {
  @Test func onlyAMembershipThatThisSessionLacksIsMissing() {
    #expect(GroupEntry.isMissing(7, listed: [1, 7], held: [1]))
    #expect(!GroupEntry.isMissing(7, listed: [1, 7], held: [1, 7]))
    #expect(!GroupEntry.isMissing(7, listed: [1], held: [1]))
  }

  @Test func whatCanBeUsedNeedsNoEntry() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("control.sock", "")
    #expect(GroupEntry(paths: [path]) == nil)
    #expect(GroupEntry(paths: [directory.file("none")]) == nil)
  }

  @Test func argumentsReachTheCommandAsTheyAre() {
    #expect(GroupEntry.quoted("it's $HOME; `x`") == "'it'\\''s $HOME; `x`'")
    let line = GroupEntry.line(["modem", "send", "+977", "a 'b' c"])
    #expect(line.hasPrefix("exec '/"))
    #expect(line.hasSuffix(" 'modem' 'send' '+977' 'a '\\''b'\\'' c'"))
  }
}
