import EventLoop
import Glibc
import TestSupport
import Testing

/// Who gets the name of a socket, and who finds somebody there.
@Suite struct UnixSocketTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path + "/socket" }

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func theFirstListensAndTheSecondConnects() throws {
    let listener = try #require(try UnixSocket.listen(path, backlog: 4))
    #expect(try UnixSocket.listen(path, backlog: 4) == nil)
    let client = try UnixSocket.connect(path)
    #expect(readiness(listener.value).contains(.readable))
    let server = try #require(UnixSocket.accept(listener))
    #expect(UnixSocket.accept(listener) == nil)
    #expect(UnixSocket.send([1, 2, 3][...], to: client) == 3)
    var buffer = [UInt8](repeating: 0, count: 8)
    #expect(readiness(server.value).contains(.readable))
    #expect(read(server.value, &buffer, buffer.count) == 3)
    client.close()
    #expect(SystemFile.names(in: directory.path) == ["socket"], "its first name is gone")
  }

  @Test func onlyWhatADeadProcessLeftIsRemoved() throws {
    let listener = try #require(try UnixSocket.listen(path, backlog: 4))
    #expect(try !UnixSocket.removeStale(path))
    listener.close()
    #expect(throws: UnixSocket.Failure.system(operation: "connect", errno: ECONNREFUSED)) {
      try UnixSocket.connect(path)
    }
    #expect(try UnixSocket.removeStale(path))
    #expect(UnixSocket.isSocket(path) == nil)
    #expect(try UnixSocket.removeStale(path), "there is nothing to remove")
  }

  @Test func whatIsNoSocketStays() throws {
    try directory.write("socket", "keep me")
    #expect(UnixSocket.isSocket(path) == false)
    #expect(try UnixSocket.listen(path, backlog: 4) == nil)
    #expect(throws: UnixSocket.Failure.self) { try UnixSocket.connect(path) }
    #expect(throws: UnixSocket.Failure.notASocket) { try UnixSocket.removeStale(path) }
    #expect(SystemFile.firstLine(path) == "keep me")
  }

  @Test func aPathThatIsTooLongIsNamed() {
    let long = directory.path + "/" + (String(repeating: "x", count: 120))
    #expect(throws: UnixSocket.Failure.pathTooLong) { try UnixSocket.connect(long) }
    #expect(throws: UnixSocket.Failure.pathTooLong) { try UnixSocket.listen(long, backlog: 4) }
  }
}
