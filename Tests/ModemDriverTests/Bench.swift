import EventLoop
import ModemDiscovery
import ModemDriver
import ModemModel
import ModemSession
import ModemSimulator
import SerialPorts
import Synchronization
import Time

/// Simulated modems on real pseudo-terminals, and drivers that use them.
final class Bench {
  let simulator: ModemSimulator
  private let happened = Events<SimulatorEvent>()

  init(_ settings: SimulatorSettings) throws {
    let happened = happened
    simulator = try ModemSimulator(
      settings: settings, clocks: SystemClocks(), onEvent: { happened.put($0) })
    try simulator.start()
  }

  convenience init(numbers: [String]) throws {
    try self.init(SimulatorSettings(modems: numbers.map { ModemSettings(number: $0) }))
  }

  func driver(
    _ modem: Int = 0, _ change: (inout ModemConfiguration) -> Void = { _ in }
  ) throws -> TestDriver {
    var configuration = ModemConfiguration(port: simulator.ports[modem])
    configuration.searchInterval = .milliseconds(50)
    change(&configuration)
    return try TestDriver(configuration)
  }

  /// The next thing that happens in the simulator and that is wanted.
  func next<Value>(_ wanted: (SimulatorEvent) -> Value?) async -> Value? {
    await happened.next(wanted)
  }

  func end() async {
    simulator.stop()
    await simulator.finished()
  }
}

/// A driver, and what it tells.
final class TestDriver {
  let driver: ModemDriver
  private let happened = Events<ModemEvent>()

  /// - Parameter finder: Opens the port; without one, it is the configured path.
  init(_ configuration: ModemConfiguration, finder: PortFinder? = nil) throws {
    let happened = happened
    driver = try ModemDriver(
      configuration: configuration, clocks: SystemClocks(), directory: finder?.directory,
      openLink: { path throws(LinkError) in
        if let finder { return try finder.open() }
        return try SerialPorts.open(path, baud: 115_200)
      },
      onEvent: { event in
        if case .status(let status) = event, status.state == .ready, let finder {
          finder.accepted(path: finder.current?.path ?? "")
        }
        happened.put(event)
      })
    try driver.start()
  }

  /// The next event that is wanted; those before it are dropped.
  func next<Value>(_ wanted: (ModemEvent) -> Value?) async -> Value? {
    await happened.next(wanted)
  }

  /// Waits until the modem is in a state.
  func reach(_ state: ModemState) async -> ModemStatus? {
    await next { event in
      if case .status(let status) = event, status.state == state { status } else { nil }
    }
  }

  /// Sends a text, and waits for what becomes of it.
  func send(_ body: String, to number: String, id: Int64 = 1) async -> SendOutcome? {
    driver.post(.send(OutgoingText(id: id, to: number, body: body)))
    return await next { event in
      if case .sendOutcome(id, let outcome) = event { outcome } else { nil }
    }
  }

  func end() async {
    driver.stop()
    await driver.finished()
  }
}

/// Events on their way from a thread to a test.
final class Events<Event: Sendable>: Sendable {
  private let stream: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream(of: Event.self)
  }

  func put(_ event: Event) {
    continuation.yield(event)
  }

  func next<Value>(_ wanted: (Event) -> Value?) async -> Value? {
    for await event in stream {
      if let value = wanted(event) { return value }
    }
    return nil
  }
}
