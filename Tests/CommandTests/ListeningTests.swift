import Foundation
import Glibc
import Testing

/// A central that cannot listen where it is told to.
@Suite struct ListeningTests {
  @Test(.timeLimit(.minutes(15))) func aPortThatCannotBeListenedAtIsNamed() throws {
    let files = try ProgramFiles()
    func configuration(_ name: String, _ http: String) throws -> String {
      try files.write(
        "\(name).yaml",
        """
        roles: {central: true}
        central: {database: \(files.path("\(name).db")), http: {\(http)}}
        log: {file: null, format: json, mask_key_file: null}
        control: {socket: \(files.path("\(name).sock"))}
        """)
    }
    let (listener, port) = try ListeningTests.listener()
    defer { close(listener) }
    let second = try configuration("second", "address: 127.0.0.1, port: \(port)")
    let taken = try Program.run(["run", "--config", second])
    #expect(taken.status == 75)
    #expect(taken.errorLines.count == 1)
    #expect(taken.errors.contains("127.0.0.1:\(port): another program listens there"))
    #expect(taken.errors.contains("central.http.port"))
    let elsewhere = try configuration("elsewhere", "address: 192.0.2.1, port: \(port)")
    let foreign = try Program.run(["run", "--config", elsewhere])
    #expect(foreign.status == 78)
    #expect(foreign.errors.contains("central.http.address"))
    // With an empty label, so that no resolver, who may be slow, is asked for it.
    let nowhere = try configuration("nowhere", "address: nowhere..invalid, port: \(port)")
    let unknown = try Program.run(["run", "--config", nowhere])
    #expect(unknown.status == 78)
    #expect(unknown.errors.contains("nowhere..invalid:\(port): this machine has no such address"))
  }

  /// A socket that listens at a free port of this machine.
  private static func listener() throws -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 1) == 0
          && getsockname(descriptor, $0, &size) == 0
      }
    }
    try #require(isListening)
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }
}
