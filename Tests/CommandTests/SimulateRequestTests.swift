import Testing

/// What `checkpost simulate` is asked on standard input.
@Suite(.ownThreads) struct SimulateRequestTests {
  @Test func aPlugIsPulledForPartOfASecond() throws {
    let files = try ProgramFiles()
    let simulator = try SimulatorProcess("+9779801000001", files)
    defer { simulator.end() }
    // No time that there is: each is refused, and the plug stays in.
    for seconds in ["-1", "1e300", "\"5\""] {
      simulator.request("{\"unplug\":{\"seconds\":\(seconds)}}")
    }
    simulator.request("{\"unplug\":{\"seconds\":0.2}}")
    let said = try simulator.read(until: "\"event\":\"ready\"")
    #expect(said.count { $0.contains("\"event\":\"closed\"") } == 1, "\(said)")
    simulator.request("{\"unplug\":{}}")
    simulator.request("{\"plug\":true}")
    try simulator.expect("\"event\":\"ready\"")
  }
}
