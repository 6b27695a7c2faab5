import Foundation
import Glibc
import Testing

/// A service that is told to read its configuration again.
@Suite struct ReloadTests {
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
    let service = Process()
    service.executableURL = URL(fileURLWithPath: Program.path)
    service.arguments = ["run", "--config", path]
    service.environment = ["TZ": "UTC"]
    service.standardInput = FileHandle.nullDevice
    let output = Pipe()
    service.standardOutput = output
    try service.run()
    defer {
      service.terminate()
      service.waitUntilExit()
    }
    // `offline` comes from the node, which starts after the signals are taken.
    var log = try read(output, until: "\"offline\"")
    _ = try files.write("checkpost.yaml", configuration("+9779807654321"))
    kill(service.processIdentifier, SIGHUP)
    log += try read(output, until: "\"settings_reloaded\"")
    #expect(log.contains("node.gateway"))
    #expect(!log.contains("9801234567"))
    #expect(!log.contains("9807654321"))
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
