import EventLoop
import Testing
import Timing

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
    #expect(readSmallFile(try directory.write("two", "1234\nrest\n")) == "1234")
    #expect(readSmallFile(try directory.write("bare", "1234")) == "1234")
    #expect(readSmallFile(try directory.write("zero", "1234\u{0}56")) == "1234")
    #expect(readSmallFile(try directory.write("empty")) == "")
    let long = try directory.write("long", String(repeating: "x", count: 5_000))
    #expect(readSmallFile(long)?.utf8.count == 4_096)
    #expect(readSmallFile("\(directory.path)/no-such") == nil)
    #expect(readSmallFile(directory.path) == nil)
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
