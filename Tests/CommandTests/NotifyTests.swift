import Glibc
import TestSupport
import Testing

/// The service under systemd, whose socket is the test's own.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct NotifyTests {
  private func configuration(_ files: ProgramFiles) throws -> String {
    try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(files.path("node.db"))}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("control.sock"))}
      """)
  }

  @Test func itSaysWhenItServesLivesReloadsAndEnds() throws {
    let files = try ProgramFiles()
    let path = try configuration(files)
    let systemd = try DatagramListener(files.path("notify"))
    let service = try ServiceProcess(
      path, environment: ["NOTIFY_SOCKET": files.path("notify"), "WATCHDOG_USEC": "200000"])
    let ready = try #require(systemd.next())
    #expect(ready.first == "READY=1")
    #expect(ready.last?.hasPrefix("STATUS=") == true)
    // It answers once it has said so.
    #expect(try Program.run(["status", "--config", path]).status == 0)
    #expect(systemd.next(with: "WATCHDOG=1") != nil)
    #expect(systemd.next(with: "WATCHDOG=1") != nil, "again and again")

    #expect(kill(service.id, SIGHUP) == 0)
    let reloading = try #require(systemd.next(with: "RELOADING=1"))
    #expect(reloading.last?.hasPrefix("MONOTONIC_USEC=") == true)
    #expect(systemd.next(with: "READY=1") != nil)

    #expect(kill(service.id, SIGTERM) == 0)
    #expect(systemd.next(with: "STOPPING=1") != nil)
  }
}
