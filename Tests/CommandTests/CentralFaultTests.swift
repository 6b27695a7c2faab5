import Foundation
import Glibc
import TestSupport
import Testing

/// Central's commands and service, where something is not as it should be.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct CentralFaultTests {
  private func configuration(
    _ files: ProgramFiles, _ name: String, database: String, more: String = ""
  ) throws -> String {
    try files.write(
      "\(name).yaml",
      """
      roles: {central: true}
      central: {database: \(files.path(database)), http: {port: 0}\(more)}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(files.path("\(name).sock"))}
      """)
  }

  /// Two services would each process what the other keeps.
  @Test func aStoreHasOneCentre() throws {
    let files = try ProgramFiles()
    let first = try ServiceProcess(try configuration(files, "first", database: "central.db"))
    try first.read(until: "\"service_started\"")
    let second = try configuration(files, "second", database: "central.db")
    let refused = try Program.run(["run", "--config", second])
    #expect(refused.status == 75)
    #expect(refused.errors.contains("Another running service already owns the store"))
    // Commands may look and write beside it.
    let looked = try Program.run(["central", "passages", "--config", second])
    #expect(looked.status == 0)
    let other = try ServiceProcess(try configuration(files, "third", database: "other.db"))
    try other.read(until: "\"service_started\"")
    other.end()
    first.end()
    let next = try ServiceProcess(second)
    try next.read(until: "\"service_started\"")
  }

  @Test func aTableWithoutEndIsNotRead() throws {
    let files = try ProgramFiles()
    let path = try configuration(files, "central", database: "central.db")
    let large = try files.write("posts.csv", "code,name\nBNP-A,North\n")
    truncate(large, 17 << 20)
    for name in [large, "/dev/zero"] {
      let outcome = try Program.run(["central", "import", "--posts", name, "--config", path])
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("\(name): is larger than 16 MB"))
    }
    truncate(large, 22)
    let outcome = try Program.run(["central", "import", "--posts", large, "--config", path])
    #expect(outcome.lines == ["1 post from \(large): 1 new"])
  }

  /// A pipe into which nobody writes must not hold a command, and with it a start, for ever.
  @Test func aPipeIsReadWhileSomebodyWrites() throws {
    let files = try ProgramFiles()
    let pipe = files.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let silent = try Program.run(["config", "check", "--config", pipe])
    #expect(silent.status == 78)
    #expect(
      silent.errors.contains("cannot be read (it is a pipe into which nobody writes)"))
    let secret = try files.write(
      "secret.yaml",
      "server: {url: \"https://a.example\", token_file: \(pipe)}\nlog: {file: null}")
    let hidden = try Program.run(["config", "check", "--config", secret])
    #expect(hidden.output.contains("\(pipe) is a pipe into which nobody writes"))
    // As a shell hands over what another program says.
    let writer = Process()
    writer.executableURL = URL(fileURLWithPath: "/bin/sh")
    writer.arguments = ["-c", "echo 'log: {level: debug}' > '\(pipe)'"]
    try writer.start()
    let read = try Program.run(["config", "print", "--effective", "--config", pipe])
    writer.waitUntilExit()
    #expect(read.status == 0)
    #expect(read.output.contains("level: debug"))
  }

  @Test func aProviderThatCallsWithoutTLSIsAWarning() throws {
    let files = try ProgramFiles()
    let token = try files.write("token", "12345")
    func twilio(_ urls: String) -> String {
      ", twilio: {auth_token_files: [\(token)], public_urls: [\(urls)]}"
    }
    let plain = try configuration(
      files, "plain", database: "plain.db", more: twilio("\"http://a.example/h?key=hidden\""))
    let checked = try Program.run(["config", "check", "--config", plain])
    #expect(checked.status == 0)
    #expect(
      checked.errors.contains("central.twilio.public_urls: http://a.example/h goes without TLS"))
    #expect(!checked.errors.contains("hidden"))
    let service = try ServiceProcess(plain)
    try service.read(until: "\"webhook_without_tls\"")
    service.end()
    let safe = try configuration(
      files, "safe", database: "safe.db", more: twilio("\"https://a.example/h\""))
    #expect(
      !(try Program.run(["config", "check", "--config", safe])).errors.contains("without TLS"))
  }
}
