import Foundation
import Glibc
import TestSupport
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
    let (listener, port) = try Sockets.bound()
    try #require(listen(listener, 1) == 0)
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
}
