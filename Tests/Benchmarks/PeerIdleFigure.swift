/// The service and the peers side by side for a short time, each with a modem of its own and nothing
/// to do: how often they wake, and what they ask the modem.
enum PeerIdleFigure {
  private static let seconds: Int64 = 10
  /// They are left alone before that until what a start takes is over.
  private static let settle: Int64 = 15

  static func measure(_ place: Place, _ report: inout Report) throws {
    let place = try place.within("peers-idle")
    let peers = Peer.all.filter { $0.name.hasSuffix("defaults") }
    let simulated = try SimulatedPorts(
      place, count: peers.count + 1,
      ["--trace"] + (0...peers.count).flatMap { ["--number", "+977980000000\($0 + 1)"] })
    let service = try IdleFigure.startService(place, port: simulated.ports[0])
    defer { service.end() }
    var running = [(name: "node service", process: service.process, modem: 0)]
    for (index, peer) in peers.enumerated() {
      guard let program = peer.program else {
        report.note("\(peer.name): not installed (\(peer.package)), so not measured")
        continue
      }
      let own = try place.within("peer-\(index)")
      let arguments = try peer.arrange(own, simulated.ports[index + 1])
      let process = try ChildProcess(program, arguments, output: own.path("output"))
      running.append((peer.name, process, index + 1))
    }
    defer { for one in running { one.process.end() } }
    Stopwatch.idle(for: settle * 1_000_000_000)
    let before = running.map {
      ($0.process.sleeps(), simulated.commands($0.modem), $0.process.processor())
    }
    Stopwatch.idle(for: seconds * 1_000_000_000)
    let after = running.map {
      ($0.process.sleeps(), simulated.commands($0.modem), $0.process.processor())
    }
    for (one, (before, after)) in zip(running, zip(before, after)) {
      let wakeUps = Double(after.0 - before.0) / Double(seconds)
      let commands = Double(after.1 - before.1) * 60 / Double(seconds)
      report.add(
        Figure(
          name: "idle for \(seconds) s: \(one.name)",
          measured: Format.number(wakeUps, places: 1) + " /s",
          against: "wake-ups; AT commands a minute",
          reference: Format.number(commands, places: 0), ratio: nil,
          target: one.modem == 0 ? "<= 1, <= 6" : nil, isMet: wakeUps <= 1 && commands <= 6))
      let processor = Double(after.2 - before.2) / Double(seconds)
      report.note("CPU time \(Format.time(processor)) a second; \(memory(one.process))")
    }
    report.note("all at once, after \(settle) s; the longer look at the service is above")
  }

  private static func memory(_ process: ChildProcess) -> String {
    let (dirty, clean) = (process.memory("Private_Dirty"), process.memory("Private_Clean"))
    return "private memory written to \(Format.megabytes(dirty)), with program and libraries "
      + "\(Format.megabytes(dirty + clean)); resident \(Format.megabytes(process.memory("Rss")))"
  }
}
