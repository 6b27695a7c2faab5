import EventLoop
import TestSupport
import Testing
import Time

struct SystemTests {
  @Test func readsClocksThatGoForward() {
    let clocks = SystemClocks()
    var last = clocks.boot()
    #expect(last > .zero)
    for _ in 0..<1_000 {
      let now = clocks.boot()
      #expect(now >= last)
      last = now
    }
    // The wall clock of a checkpost may show anything; here it is a number of this century.
    #expect(clocks.wall().epochSeconds > 946_684_800)
  }

  @Test func knowsTheBootByItsIdentity() {
    let identity = SystemClocks.bootIdentity()
    #expect(identity.utf8.count == 36)
    #expect(identity == SystemClocks.bootIdentity())
  }

  @Test func readsTheFirstLineOfASmallFile() throws {
    let directory = try TemporaryDirectory()
    #expect(SystemFile.firstLine(try directory.write("two", "1234\nrest\n")) == "1234")
    #expect(SystemFile.firstLine(try directory.write("bare", "1234")) == "1234")
    #expect(SystemFile.firstLine(try directory.write("zero", "1234\u{0}56")) == "1234")
    #expect(SystemFile.firstLine(try directory.write("empty")) == "")
    let long = try directory.write("long", String(repeating: "x", count: 5_000))
    #expect(SystemFile.firstLine(long)?.utf8.count == 4_096)
    #expect(SystemFile.firstLine("\(directory.path)/no-such") == nil)
    #expect(SystemFile.firstLine(directory.path) == nil)
  }

  @Test func readsAFileUpToALimit() throws {
    let directory = try TemporaryDirectory()
    let text = String(repeating: "0123456789", count: 1_000)
    let file = try directory.write("file", text)
    #expect(SystemFile.bytes(file, limit: 100_000) == Array(text.utf8))
    #expect(SystemFile.bytes(file, limit: 9_999) == Array(text.utf8.prefix(9_999)))
    #expect(SystemFile.bytes(file, limit: 0) == [])
    #expect(SystemFile.bytes("\(directory.path)/no-such", limit: 1) == nil)
    #expect(SystemFile.bytes(directory.path, limit: 1) == nil)
  }

  @Test func namesWhatLiesInADirectory() throws {
    let directory = try TemporaryDirectory()
    for name in ["a1", "a2", "b", ".c"] { _ = try directory.write(name) }
    #expect(SystemFile.names(in: directory.path).sorted() == [".c", "a1", "a2", "b"])
    #expect(SystemFile.names(in: directory.path, limit: 3).count == 3)
    #expect(SystemFile.names(in: directory.path, limit: 1) { $0 == "b" } == ["b"])
    #expect(SystemFile.names(in: "\(directory.path)/no-such") == [])
  }

  @Test func explainsEveryLinkError() {
    let errors: [LinkError] = [
      .notFound(path: "/dev/ttyUSB2"), .busy(path: "/dev/ttyUSB2", holder: "1234 ModemManager"),
      .permission(path: "/dev/ttyUSB2"), .isDirectory(path: "/dev/ttyUSB2"),
      .notATerminal(path: "/dev/ttyUSB2"), .gone(path: "/dev/ttyUSB2"),
      .system(path: "/dev/ttyUSB2", operation: "open", errno: 5),
    ]
    #expect(Set(errors.map(\.code)).count == errors.count)
    for error in errors {
      #expect(error.description.hasPrefix("/dev/ttyUSB2: "), "\(error)")
      #expect(error.code.hasPrefix("port_"), "\(error)")
    }
    #expect(errors[1].description.contains("1234 ModemManager"))
    #expect(errors[1].description.contains("udev"))
    #expect(errors[6].description.contains("Input/output error"))
    let other = LinkError.busy(path: "/dev/ttyUSB2", holder: "7 minicom")
    #expect(other.description.contains("7 minicom") && !other.description.contains("udev"))
    let hidden = LinkError.busy(path: "/dev/ttyUSB2", holder: nil)
    #expect(hidden.description.contains("fuser"))
  }
}
