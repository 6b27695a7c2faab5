import Foundation
import Glibc
import TestSupport
import Testing

/// A central that cannot listen where it is told to.
@Suite(.ownThreads) struct ListeningTests {
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

  /// The server knows no TLS: where other machines reach it, somebody is told.
  @Test func whoListensToOtherMachinesWithoutAProxyIsWarned() throws {
    let files = try ProgramFiles()
    func checked(_ http: String) throws -> Program.Outcome {
      let path = try files.write(
        "checkpost.yaml",
        """
        roles: {central: true}
        central: {database: \(files.path("central.db")), http: {\(http)}}
        log: {file: null, mask_key_file: null}
        control: {socket: \(files.path("control.sock"))}
        """)
      return try Program.run(["config", "check", "--config", path])
    }
    for http in [
      "address: 0.0.0.0", "address: \"::\"", "address: 203.0.113.9", "address: centre.example",
    ] {
      let outcome = try checked(http)
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("central.http.address: "), "\(http)")
      #expect(outcome.errors.contains("there is no TLS"))
    }
    for http in [
      "address: 127.0.0.1", "address: localhost", "address: \"::1\"",
      "enabled: false, address: 0.0.0.0",
      "address: 0.0.0.0, socket: \(files.path("http.sock"))",
      "address: 10.0.0.1, proxies: [10.0.0.2, 10.1.0.0/16]",
    ] {
      #expect(!(try checked(http)).errors.contains("there is no TLS"), "\(http)")
    }
    #expect(try checked("proxies: [0.0.0.0/0]").errors.contains("is everybody"))
    #expect(try checked("proxies: [10.0.0.0/33]").status == 78)
    #expect(try checked("cors: {origins: [\"https://desk.example.org/\"]}").status == 78)
    #expect(try checked("cors: {origins: [\"https://desk.example.org:8443\", \"*\"]}").status == 0)
  }
}
