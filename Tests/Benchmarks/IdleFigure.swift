import EventLoop
import Glibc
import Time

/// The service with its modem connected and nothing to do: its memory, how often it wakes, and what
/// it asks the modem.
enum IdleFigure {
  /// How long it is looked at, `BENCH_IDLE_SECONDS` or a minute.
  static let seconds = Place.environment("BENCH_IDLE_SECONDS").flatMap { UInt32($0) } ?? 60
  /// How long it is left alone before that, in seconds: a start does more than idling.
  private static let settle: Int64 = 10

  static func measure(_ place: Place, _ report: inout Report) throws {
    let simulator = try startSimulator(place)
    defer { simulator.process.end() }
    let (port, trace) = (simulator.port, simulator.trace)
    let running = try startService(place, port: port)
    defer { running.end() }
    let service = running.process
    Stopwatch.idle(for: settle * 1_000_000_000)
    let (sleeps, asked) = (service.sleeps(), commands(trace))
    Stopwatch.idle(for: Int64(seconds) * 1_000_000_000)
    add(
      service, wakeUps: Double(service.sleeps() - sleeps) / Double(seconds),
      commands: Double(commands(trace) - asked) * 60 / Double(seconds), &report)
  }

  /// Starts a simulated modem in a process of its own, and returns when it is there.
  static func startSimulator(
    _ place: Place
  ) throws -> (process: ChildProcess, port: String, trace: String) {
    // It runs from a copy: pages of one file would count as shared by both.
    let copy = place.path("checkpost-simulator")
    try TextFile.copy(place.program, to: copy)
    let (port, trace) = (place.path("modem"), place.path("simulate.jsonl"))
    let process = try ChildProcess(
      copy, ["simulate", "--trace", "--link", port], output: trace)
    do {
      try wait("a simulated modem", trace) { $0.contains("\"ready\"") }
    } catch {
      process.end()
      throw error
    }
    return (process, port, trace)
  }

  /// The service of a node that runs.
  struct Running {
    let process: ChildProcess
    fileprivate let control: String

    func end() {
      process.end()
      rmdir(control)
    }
  }

  /// Starts the service of a node, and returns when its modem is ready.
  static func startService(_ place: Place, port: String) throws -> Running {
    // A program just built counts as memory written to until it is on the disk.
    sync()
    let control = try controlDirectory()
    try TextFile.write(configuration(place, port, control), to: place.path("checkpost.yaml"))
    let process = try ChildProcess(
      place.program, ["run", "--config", place.path("checkpost.yaml")],
      output: place.path("run.jsonl"))
    let running = Running(process: process, control: control)
    do {
      try wait("the service's modem", place.path("run.jsonl")) { $0.contains("modem_ready") }
    } catch {
      running.end()
      throw error
    }
    return running
  }

  private static func add(
    _ service: ChildProcess, wakeUps: Double, commands: Double, _ report: inout Report
  ) {
    let own = service.memory("Private_Dirty")
    let resident = service.memory("Rss")
    add("private memory", Format.megabytes(own), "4.4 MB", "<= 5 MB", own <= 5_000, &report)
    add(
      "resident memory", Format.megabytes(resident), "10.6 MB", "<= 40 MB", resident <= 40_000,
      &report)
    add(
      "wake-ups a second", Format.number(wakeUps, places: 2), "4.6, 8.7", "<= 1", wakeUps <= 1,
      &report)
    add(
      "AT commands a minute", Format.number(commands, places: 1), "19, 40", "<= 2",
      commands <= 2, &report)
    let mapped = service.memory("Private_Clean")
    report.note(
      "private memory is what it has written to; \(Format.megabytes(mapped)) of program and libraries, "
        + "mapped by nobody else, come to that")
    report.note(
      "\(Format.megabytes(own + mapped)) with them; peers are read both ways in this run, further "
        + "on; \(service.threads) threads")
  }

  private static func add(
    _ name: String, _ measured: String, _ peers: String, _ target: String, _ isMet: Bool,
    _ report: inout Report
  ) {
    report.add(
      Figure(
        name: "idle service: \(name)", measured: measured,
        against: peers.contains(",")
          ? "documented: gammu, smstools" : "documented: gammu-smsd 1.42",
        reference: peers, ratio: nil, target: target, isMet: isMet))
  }

  private static func commands(_ trace: String) -> Int {
    TextFile.lines(trace).count { $0.contains("\"event\":\"command\"") }
  }

  /// Waits until a line of a file says something.
  static func wait(
    _ what: String, _ path: String, _ isThere: (Substring) -> Bool
  ) throws {
    let growth = try FileGrowth(path)
    let clocks = SystemClocks()
    let deadline = clocks.boot() + .seconds(30)
    repeat {
      if TextFile.lines(path).contains(where: isThere) { return }
    } while growth.happens(before: deadline, clocks)
    let last = TextFile.lines(path).suffix(3).joined(separator: " | ")
    throw Failure("\(what) is not ready after 30 s: \(last)")
  }

  /// The path of a control socket has 107 bytes at most, so it lies elsewhere.
  static func controlDirectory() throws -> String {
    var template = Array("/tmp/checkpost-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(system: "/tmp: make a directory") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func configuration(
    _ place: Place, _ port: String, _ control: String
  ) -> String {
    """
    roles:
      node: true
    node:
      checkpost: BNP-A
      database: \(place.path("node.db"))
      gateway: "\(Post.recipient)"
    modem:
      port: \(port)
    log:
      format: json
      file: \(place.path("checkpost.jsonl"))
      mask_key_file: \(place.path("mask.key"))
    control:
      socket: \(control)/control.sock

    """
  }
}
