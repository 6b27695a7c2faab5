import EventLoop
import Foundation
import Testing
import Timing

/// Several simulators on one network, each a process of its own.
@Suite struct SharedNetworkTests {
  /// A simulator of one modem on a shared network.
  private final class Simulator {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var text = ""
    let number: String
    let link: String

    init(_ number: String, _ files: ProgramFiles, _ options: [String] = []) throws {
      self.number = number
      link = files.path(number)
      process.executableURL = URL(fileURLWithPath: Program.path)
      process.arguments =
        ["simulate", "--number", number, "--link", link, "--network", files.path("network")]
        + options
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      try expect("\"event\":\"ready\"")
    }

    deinit {
      process.terminate()
      process.waitUntilExit()
    }

    /// Waits for a line of output that has these words, and returns it; lines before it are dropped.
    @discardableResult
    func expect(_ words: String...) throws -> String {
      while true {
        while let end = text.firstIndex(of: "\n") {
          let line = String(text[..<end])
          text.removeSubrange(...end)
          if words.allSatisfy({ line.contains($0) }) { return line }
        }
        let handle = output.fileHandleForReading
        let clocks = SystemClocks()
        let ready = PollLoop.wait(
          [Interest(descriptor: handle.fileDescriptor)], until: clocks.boot() + .seconds(30),
          clocks: clocks)
        guard ready[0] != [] else { throw Ended(words: words) }
        let data = handle.availableData
        guard !data.isEmpty else { throw Ended(words: words) }
        text += String(decoding: data, as: UTF8.self)
      }
    }

    struct Ended: Error { var words: [String] }

    func request(_ line: String) {
      input.fileHandleForWriting.write(Data((line + "\n").utf8))
    }

    func kill() {
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }

    func end() {
      process.terminate()
      process.waitUntilExit()
    }
  }

  private let files: ProgramFiles
  private let a = "+9779801000001"
  private let b = "+9779801000002"
  private let c = "+9779801000003"

  init() throws {
    files = try ProgramFiles()
  }

  private func send(_ text: String, from: Simulator, to number: String) throws {
    let outcome = try Program.run(["modem", "send", "--port", from.link, number, text])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func inbox(_ simulator: Simulator) throws -> [String] {
    try Program.run(["modem", "inbox", "--port", simulator.link, "--json"]).objects().compactMap {
      $0["text"] as? String
    }
  }

  @Test(.timeLimit(.minutes(2))) func textsCrossBetweenProcesses() throws {
    let first = try Simulator(a, files)
    let second = try Simulator(b, files)
    let third = try Simulator(c, files)
    try send("नमस्ते from B", from: second, to: c)
    try first.expect("\"submitted\"", b)
    try third.expect("\"stored\"")
    #expect(try inbox(third) == ["नमस्ते from B"])
    try send("to the network itself", from: third, to: a)
    #expect(try inbox(first) == ["to the network itself"])
    second.request("{\"sms\":{\"from\":\"NTC\",\"text\":\"from outside\"}}")
    try second.expect("\"stored\"")
    #expect(try inbox(second) == ["from outside"])
  }

  @Test(.timeLimit(.minutes(1))) func aNumberCannotBeThereTwice() throws {
    let first = try Simulator(a, files)
    let second = try Simulator(b, files)
    for number in [a, b] {
      let outcome = try Program.run([
        "simulate", "--number", number, "--network", files.path("network"),
      ])
      #expect(outcome.status == 64)
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.errors.contains("\(number) is on this network already"))
    }
    withExtendedLifetime((first, second)) {}
  }

  @Test(.timeLimit(.minutes(2))) func whenTheNetworkDiesAnotherTakesOver() throws {
    let first = try Simulator(a, files)
    let others = [try Simulator(b, files), try Simulator(c, files)]
    first.kill()
    var network = 0
    for (place, simulator) in others.enumerated() {
      try simulator.expect("\"place\":\"nowhere\"")
      // One is the network now, and the other found it.
      let line = try simulator.expect("\"event\":\"network\"", "here\"")
      if line.contains("\"here\"") { network = place }
    }
    let guest = others[1 - network]
    try send("still there", from: others[network], to: guest.number)
    try guest.expect("\"stored\"")
    #expect(try inbox(guest) == ["still there"])
    // A text to a process that has ended waits until it is back.
    guest.end()
    try send("for later", from: others[network], to: guest.number)
    let again = try Simulator(guest.number, files)
    try again.expect("\"stored\"")
    #expect(try inbox(again) == ["for later"])
  }

  @Test func whatIsNoNetworkIsExplained() throws {
    let file = try files.write("a file", "keep me")
    let cases: [(String, Int32, String)] = [
      (file, 64, "no socket"), (files.path("missing/network"), 64, "does not exist"),
      (files.path(String(repeating: "x", count: 120)), 64, "too long"),
    ]
    for (path, status, words) in cases {
      let outcome = try Program.run(["simulate", "--network", path])
      #expect(outcome.status == status, "\(path): \(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
    #expect(try files.text("a file") == "keep me")
  }

  @Test(.timeLimit(.minutes(1))) func nothingIsLeftBehind() throws {
    let first = try Simulator(a, files)
    first.end()
    let names = try FileManager.default.contentsOfDirectory(atPath: files.directory.path)
    #expect(names.filter { $0.hasPrefix("network") }.isEmpty)
  }
}
