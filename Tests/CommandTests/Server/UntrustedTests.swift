import Foundation
import Glibc
import TestSupport
import Testing

/// Who is not the server does not get a passage, and says nothing that counts.
@Suite(.ownThreads, .enabled(if: TLSFront.isPossible, "needs openssl and python3"))
struct UntrustedTests {
  private final class Stage {
    var front: TLSFront?
  }

  /// Each stranger is an outage with its reason; the right server gets everything, once.
  @Test(.timeLimit(.minutes(15))) func anotherCertificateIsAnOutage() throws {
    let files = try ProgramFiles()
    let place = files.directory.path
    let pin = try TLSFront.prepare(in: place)
    let stage = Stage()
    let world = try ServerWorld(
      sync: "spread: 0s, retry: fleet, pull: false", offlineFor: "1h", probeEvery: "60s",
      files: files,
      login: [
        "user: sita", "password_file: \(files.path("password"))",
        "ca_file: \(TLSFront.authority(in: place))",
      ],
      through: { port in
        let front = try TLSFront(port, place)
        stage.front = front
        return front.url
      })
    defer { world.end() }
    let front = try #require(stage.front)
    defer { front.end() }
    let service = try ServiceProcess(world.configuration)
    var recorded = [try world.record(5_000)]
    try service.read(until: "\"uploaded\"")

    func expectOutage(_ words: String, _ what: String) throws {
      let client = try world.record(5_000 + recorded.count)
      recorded.append(client)
      let line = try service.read(until: "\"offline\"", "\"outage\":\"untrusted\"")
      #expect(line.contains(words), "\(what): \(line)")
      #expect(try world.outage()?.name == "untrusted", "\(what)")
      #expect(try world.show(client)["status"] as? String == "pending", "\(what)")
    }
    func expectHealed() throws {
      try service.read(until: "\"uploaded\"")
      #expect(try world.outage() == nil)
    }

    for (certificate, oldest, words) in [
      (TLSFront.Certificate.elsewhere, "1.2", "subject name matches target host name"),
      (.stranger, "1.2", "unable to get local issuer certificate"),
      (.alone, "1.2", "self-signed certificate"), (.late, "1.2", "certificate has expired"),
      (.right, "1.1", "no TLS connection"),
    ] {
      try front.show(certificate, oldest: oldest)
      try expectOutage(words, "\(certificate) \(oldest)")
      try front.show(.right)
      try expectHealed()
    }

    // A key that is pinned is demanded beside the authority.
    let plain = try String(contentsOfFile: world.configuration, encoding: .utf8)
    func pinned(_ pin: String) throws {
      let text = plain.replacingOccurrences(of: "  ca_file:", with: "  pin: \"\(pin)\"\n  ca_file:")
      _ = try files.write("checkpost.yaml", text)
      kill(service.id, SIGHUP)
      try service.read(until: "\"settings_reloaded\"")
    }
    try pinned("sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
    try expectOutage("the server's key is none of those of server.pin", "another pin")
    try pinned(pin)
    try expectHealed()
    #expect(try world.isComplete(recorded))
    service.end()
    #expect(world.modem.unread().filter { $0.contains("\"submitted\"") }.isEmpty, "no text")
  }
}
