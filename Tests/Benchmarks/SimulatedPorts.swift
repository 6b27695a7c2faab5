import EventLoop
import Time

/// Simulated modems in a process of their own, and what it tells of them.
final class SimulatedPorts {
  let ports: [String]
  private let process: ChildProcess
  private let path: String
  /// A peer may begin by waiting for long.
  private static let patience = Duration.seconds(90)

  /// Starts them, and returns when their ports are there.
  init(_ place: Place, count: Int, _ options: [String]) throws {
    path = place.path("simulate.jsonl")
    ports = (0..<count).map { place.path("modem-\($0)") }
    // From a copy: pages of one file would count as shared by it and the service beside it.
    let copy = place.path("checkpost-simulator")
    try TextFile.copy(place.program, to: copy)
    process = try ChildProcess(
      copy, ["simulate"] + options + ports.flatMap { ["--link", $0] }, output: path)
    try wait("the simulated modems") { lines in
      lines.count { $0.contains("\"event\":\"ready\"") } == count
    }
  }

  /// When each text was taken by the network, in milliseconds.
  func submitted() -> [Int64] {
    let start = "{\"at_ms\":"
    return TextFile.lines(path).filter { $0.contains("\"event\":\"submitted\"") }.compactMap {
      Int64($0.dropFirst(start.count).prefix { $0.isNumber })
    }
  }

  /// How many command lines came to a modem.
  func commands(_ modem: Int) -> Int {
    TextFile.lines(path).count {
      $0.contains("\"event\":\"command\"") && $0.contains("\"modem\":\(modem)}")
    }
  }

  /// Waits until the network has taken so many texts.
  func wait(_ what: String, count: Int) throws {
    try wait(what) { lines in
      lines.count { $0.contains("\"event\":\"submitted\"") } >= count
    }
  }

  private func wait(_ what: String, _ isThere: ([Substring]) -> Bool) throws {
    let growth = try FileGrowth(path)
    let clocks = SystemClocks()
    let deadline = clocks.boot() + SimulatedPorts.patience
    repeat {
      if isThere(TextFile.lines(path)) { return }
    } while growth.happens(before: deadline, clocks)
    throw Failure("\(what): not there after \(SimulatedPorts.patience)")
  }
}
