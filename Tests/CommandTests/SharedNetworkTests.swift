import Foundation
import Testing

/// Several simulators on one network, each a process of its own.
@Suite(.ownThreads) struct SharedNetworkTests {
  private let files: ProgramFiles
  private let a = "+9779801000001"
  private let b = "+9779801000002"
  private let c = "+9779801000003"

  init() throws {
    files = try ProgramFiles()
  }

  /// A simulator of one modem on the shared network.
  private func simulator(_ number: String) throws -> SimulatorProcess {
    try SimulatorProcess(number, files, ["--network", files.path("network")])
  }

  private func send(_ text: String, from: SimulatorProcess, to number: String) throws {
    let outcome = try Program.run(["modem", "send", "--port", from.link, number, text])
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func inbox(_ simulator: SimulatorProcess) throws -> [String] {
    try Program.run(["modem", "inbox", "--port", simulator.link, "--json"]).objects().compactMap {
      $0["text"] as? String
    }
  }

  @Test(.timeLimit(.minutes(15))) func textsCrossBetweenProcesses() throws {
    let first = try simulator(a)
    let second = try simulator(b)
    let third = try simulator(c)
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

  @Test(.timeLimit(.minutes(15))) func thePortComesFirstAndAPDUIsTold() throws {
    let first = try simulator(a)
    #expect(first.before.isEmpty)
    let second = try simulator(b)
    #expect(second.before.isEmpty)
    try second.expect("\"event\":\"network\"")
    try send("hello", from: second, to: a)
    for process in [first, second] {
      let line = try process.expect("\"submitted\"")
      let event = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let pdu = try #require(event["pdu"] as? String)
      #expect(pdu.hasPrefix("00") && pdu == pdu.uppercased())
      let decoded = try Program.run(["pdu", "decode", "--direction", "mo", "--json", pdu])
      #expect(try decoded.objects().first?["text"] as? String == "hello")
    }
  }

  @Test(.timeLimit(.minutes(15))) func aNumberCannotBeThereTwice() throws {
    let first = try simulator(a)
    let second = try simulator(b)
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

  @Test(.timeLimit(.minutes(15))) func whenTheNetworkDiesAnotherTakesOver() throws {
    let first = try simulator(a)
    let others = [try simulator(b), try simulator(c)]
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
    let again = try simulator(guest.number)
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

  @Test(.timeLimit(.minutes(15))) func nothingIsLeftBehind() throws {
    let first = try simulator(a)
    first.end()
    let names = try FileManager.default.contentsOfDirectory(atPath: files.directory.path)
    #expect(names.filter { $0.hasPrefix("network") }.isEmpty)
  }
}
