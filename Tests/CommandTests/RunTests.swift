import Foundation
import Glibc
import Testing

/// The running service: what it is made of, and what it does when it is told to read its
/// configuration again.
@Suite struct RunTests {
  /// A thread pool of Swift's or of the system's has a monitor that wakes every second; a node on a
  /// battery has none, and what it has of threads is its own.
  @Test(.timeLimit(.minutes(1))) func aNodeHasOnlyThreadsOfItsOwn() throws {
    let files = try ProgramFiles()
    let directory = files.directory.path
    let path = try files.write(
      "checkpost.yaml",
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(directory)/node.db, gateway: "+9779801234567"}
      modem: {port: \(directory)/modem}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(directory)/control.sock}
      """)
    let (service, output) = try start(path)
    defer {
      service.terminate()
      service.waitUntilExit()
    }
    _ = try read(output, until: "\"offline\"")
    let threads = "/proc/\(service.processIdentifier)/task"
    let names = try FileManager.default.contentsOfDirectory(atPath: threads).map {
      try String(contentsOfFile: "\(threads)/\($0)/comm", encoding: .utf8)
    }
    #expect(names.sorted() == ["checkpost\n", "control\n", "modem\n", "node\n"])
  }

  @Test(.timeLimit(.minutes(1))) func aChangedNumberIsMaskedInTheLog() throws {
    let files = try ProgramFiles()
    let directory = files.directory.path
    func configuration(_ gateway: String) -> String {
      """
      roles: {node: true}
      node: {checkpost: BNP-A, database: \(directory)/node.db, gateway: "\(gateway)"}
      log: {file: null, format: json, mask_key_file: null}
      control: {socket: \(directory)/control.sock}
      """
    }
    let path = try files.write("checkpost.yaml", configuration("+9779801234567"))
    let (service, output) = try start(path)
    defer {
      service.terminate()
      service.waitUntilExit()
    }
    var log = try read(output, until: "\"offline\"")
    _ = try files.write("checkpost.yaml", configuration("+9779807654321"))
    kill(service.processIdentifier, SIGHUP)
    log += try read(output, until: "\"settings_reloaded\"")
    #expect(log.contains("node.gateway"))
    #expect(!log.contains("9801234567"))
    #expect(!log.contains("9807654321"))
  }

  private func start(_ configuration: String) throws -> (Process, Pipe) {
    let service = Process()
    service.executableURL = URL(fileURLWithPath: Program.path)
    service.arguments = ["run", "--config", configuration]
    service.environment = ["TZ": "UTC"]
    service.standardInput = FileHandle.nullDevice
    let output = Pipe()
    service.standardOutput = output
    try service.run()
    return (service, output)
  }

  /// What comes from the service, up to the event that is waited for.
  private func read(_ output: Pipe, until event: String) throws -> String {
    var text = ""
    while !text.contains(event) {
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty, "the service ended: \(text)")
      text += String(decoding: data, as: UTF8.self)
    }
    return text
  }
}
