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
    let service = try ServiceProcess(path)
    try service.read(until: "\"offline\"")
    let threads = "/proc/\(service.id)/task"
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
    let service = try ServiceProcess(path)
    var log = try service.read(until: "\"offline\"")
    _ = try files.write("checkpost.yaml", configuration("+9779807654321"))
    kill(service.id, SIGHUP)
    log += try service.read(until: "\"settings_reloaded\"")
    #expect(log.contains("node.gateway"))
    #expect(!log.contains("9801234567"))
    #expect(!log.contains("9807654321"))
  }
}
