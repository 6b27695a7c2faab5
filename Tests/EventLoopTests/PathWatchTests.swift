import EventLoop
import Glibc
import TestSupport
import Testing

struct PathWatchTests {
  @Test func tellsOfAFileThatIsMade() throws {
    let directory = try TemporaryDirectory()
    let watch = try #require(PathWatch(directory: directory.path))
    #expect(readinessNow(watch.descriptor).isEmpty)
    try directory.write("ttyUSB0")
    #expect(readinessNow(watch.descriptor) == .readable)
    watch.clear()
    #expect(readinessNow(watch.descriptor).isEmpty)
    try directory.write("ttyUSB1")
    #expect(readinessNow(watch.descriptor) == .readable)
  }

  // The node is there before its permissions are: both are told.
  @Test func tellsOfPermissionsAndOfAFileMovedIn() throws {
    let directory = try TemporaryDirectory()
    let elsewhere = try TemporaryDirectory()
    let file = try directory.write("ttyUSB0")
    let other = try elsewhere.write("link")
    let watch = try #require(PathWatch(directory: directory.path))
    #expect(chmod(file, 0o660) == 0)
    #expect(readinessNow(watch.descriptor) == .readable)
    watch.clear()
    #expect(rename(other, "\(directory.path)/link") == 0)
    #expect(readinessNow(watch.descriptor) == .readable)
    watch.clear()
    #expect(symlink(file, "\(directory.path)/by-id") == 0)
    #expect(readinessNow(watch.descriptor) == .readable)
  }

  @Test func takesBackAllItWasTold() throws {
    let directory = try TemporaryDirectory()
    let watch = try #require(PathWatch(directory: directory.path))
    for number in 0..<500 { try directory.write("ttyUSB\(number)") }
    #expect(readinessNow(watch.descriptor) == .readable)
    watch.clear()
    #expect(readinessNow(watch.descriptor).isEmpty)
    watch.clear()
  }

  @Test func isNoneForADirectoryThatIsNotThere() throws {
    let directory = try TemporaryDirectory()
    #expect(PathWatch(directory: "\(directory.path)/no-such") == nil)
    #expect(PathWatch(directory: "") == nil)
  }

  @Test func whoOpensAPortIsTold() throws {
    let terminal = try PseudoTerminal()
    let watch = try #require(PathWatch(openingsOf: terminal.slavePath))
    #expect(!watch.clear())
    let descriptor = Descriptor(owning: open(terminal.slavePath, O_RDWR | O_NOCTTY))
    #expect(descriptor.value >= 0)
    #expect(watch.clear())
    #expect(!watch.clear())
    descriptor.close()
    #expect(!watch.clear())
    #expect(PathWatch(openingsOf: "/nonexistent") == nil)
  }
}
