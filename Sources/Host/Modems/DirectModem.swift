public import AT
public import Control
import EventLoop
import GSM
import ModemDiscovery
import ModemDriver
public import ModemSession
import SerialPorts
public import Settings
import Synchronization
import Time

/// Why a modem cannot be used by hand.
public struct DirectModemError: Error, Hashable, CustomStringConvertible {
  /// What is wrong and what to do, in one line.
  public let reason: String

  /// The reason.
  public var description: String { reason }
}

/// A modem that a command uses by hand: its driver for as long as the command lasts.
public final class DirectModem {
  private let driver: ModemDriver
  private let finder: PortFinder
  private let clocks: any Clocks
  private let clockVote: Heard
  private var events: AsyncStream<ModemEvent>.Iterator
  /// What the modem last said of itself.
  public private(set) var status: ModemStatus
  private var lastID: Int64 = 0
  private let failedReset: FailedReset

  /// Why the last reset from outside did nothing.
  private final class FailedReset: Sendable {
    private let kept = Mutex<String?>(nil)

    var reason: String? { kept.withLock { $0 } }

    func note(_ reason: String?) { kept.withLock { $0 = reason } }
  }

  private init(
    driver: ModemDriver, finder: PortFinder, clocks: any Clocks, clockVote: Heard,
    events: AsyncStream<ModemEvent>, port: String, failedReset: FailedReset
  ) {
    self.failedReset = failedReset
    self.driver = driver
    self.clocks = clocks
    self.clockVote = clockVote
    self.finder = finder
    self.events = events.makeAsyncIterator()
    status = ModemStatus(port: port)
  }

  /// What was said of the time, whoever waits for something else then.
  private final class Heard: Sendable {
    let vote = Mutex(ClockVote())
  }

  /// Opens a port and makes the modem ready. Where the port is not named but looked for, each that
  /// may be it is asked.
  ///
  /// - Parameter port: A path, `auto`, or an identity such as `12d1:1506`.
  /// - Throws: `LinkError` when the port cannot be had, ``DirectModemError`` when the modem does
  ///   not answer, or is another one.
  public static func open(
    _ port: String, baud: Int, _ settings: Settings.Modem
  ) async throws -> DirectModem {
    var configuration = ModemConfiguration(port: port)
    configuration.smsc = settings.port == port ? settings.smsc : nil
    configuration.messageParts = settings.messageParts
    // Nobody wants to watch a service's pauses.
    configuration.reopenFirst = .milliseconds(200)
    // Looking at a modem must not cost a try of its PIN.
    configuration.pin = nil
    let (stream, continuation) = AsyncStream.makeStream(
      of: ModemEvent.self, bufferingPolicy: .bufferingOldest(4_096))
    if settings.usbReset { configuration.resets = [.resetUSB] }
    let shared = SharedFailure()
    let failedReset = FailedReset()
    let finder = PortFinder(PortSelector(argument: port), baud: baud)
    let clocks = SystemClocks()
    let heard = Heard()
    let driver = try ModemDriver(
      configuration: configuration, clocks: clocks,
      hooks: ModemHooks(reset: { _, path in
        let outcome = USBReset().reset(portAt: path, clocks: clocks)
        failedReset.note(outcome.isDone ? nil : outcome.words)
        return outcome.words
      }), directory: finder.directory,
      openLink: { _ throws(LinkError) in
        do throws(LinkError) {
          return try shared.next(finder)
        } catch {
          shared.error.withLock { $0 = error }
          throw error
        }
      },
      onEvent: { event in
        if case .networkTime(let time) = event {
          heard.vote.withLock { $0.take(time, at: clocks.boot()) }
        }
        continuation.yield(event)
      })
    let bench = DirectModem(
      driver: driver, finder: finder, clocks: clocks, clockVote: heard, events: stream, port: port,
      failedReset: failedReset)
    try driver.start()
    do {
      try await bench.waitUntilUsable(shared)
    } catch {
      await bench.close()
      throw error
    }
    return bench
  }

  /// Why there is no port, and which ones were asked.
  private final class SharedFailure: Sendable {
    let error = Mutex<LinkError?>(nil)
    private let asked = Mutex<[String]>([])

    /// Opens the next port; an error once each has been asked.
    func next(_ finder: PortFinder) throws(LinkError) -> any ByteLink {
      let link = try finder.open()
      let before = asked.withLock { asked in
        defer { asked.append(link.path) }
        return asked
      }
      guard before.contains(link.path) else { return link }
      link.close()
      let paths = Set(before).sorted().joined(separator: ", ")
      throw .noPort(selector: finder.selector.words, reason: "no modem answers at \(paths)")
    }
  }

  private func waitUntilUsable(_ failure: SharedFailure) async throws {
    while let event = await events.next() {
      guard case .status(let status) = event else { continue }
      self.status = status
      switch status.state {
      case .ready, .registering, .simLocked:
        try demandWanted()
        return
      case .failed(let reason):
        if let error = failure.error.withLock({ $0 }) { throw error }
        guard case .path = finder.selector else { break }
        throw DirectModemError(reason: reason)
      case .closed, .opening, .probing, .resetting: break
      }
    }
    throw DirectModemError(reason: "the modem's driver ended")
  }

  /// How the modem stands.
  public var report: ModemReport {
    var report = ModemReport(status, role: "by hand")
    let (clock, now) = (clocks.wall(), clocks.boot())
    report.clock = clockVote.vote.withLock { $0.comparison(of: clock, at: now) }
      .map { ClockReport($0, clock: clock) }
    report.portPath = finder.foundPath
    return report
  }

  /// Holds that the modem is the one that was asked for, where it alone can tell.
  private func demandWanted() throws {
    guard let wanted = finder.selector.imei, status.imei != wanted else { return }
    throw DirectModemError(
      reason: "the modem at \(finder.current?.path ?? finder.selector.words) is not \(wanted)"
        + (status.imei.map { " but \($0)" } ?? "")
        + "; plug in the one that is meant, or name this one by its port")
  }

  /// Writes a command line; its lines and its final result.
  public func command(_ text: String, timeout: Duration) async -> (lines: [String], final: String) {
    lastID += 1
    let wanted = lastID
    driver.post(.command(id: wanted, text: text, timeout: timeout))
    while let event = await events.next() {
      if case .commandFinished(wanted, let lines, let final) = event { return (lines, final) }
    }
    return ([], "the modem's driver ended")
  }

  /// Asks the network by USSD.
  public func ussd(_ code: String) async -> USSDOutcome {
    lastID += 1
    let wanted = lastID
    driver.post(.ussd(id: wanted, code: code))
    while let event = await events.next() {
      if case .ussdFinished(wanted, let outcome) = event { return outcome }
    }
    return .refused("the modem's driver ended")
  }

  /// Why a reset was not taken.
  public struct Refusal: Error {
    /// The reason in words.
    public let reason: String
  }

  /// Takes a step of recovery, or without one the best there is, and waits until the modem is usable
  /// again; the step that was taken.
  public func reset(_ step: RecoveryStep?) async -> Result<String, Refusal> {
    lastID += 1
    let wanted = lastID
    driver.post(.reset(id: wanted, step))
    var taken: String?
    while let event = await events.next() {
      switch event {
      case .commandFinished(wanted, let lines, let final):
        guard final == "OK" else { return .failure(Refusal(reason: final)) }
        taken = lines.first ?? ""
      case .status(let status):
        guard let taken else { continue }
        self.status = status
        switch status.state {
        case .ready, .registering, .simLocked:
          if let failure = failedReset.reason {
            return .failure(Refusal(reason: failure))
          }
          return .success(taken)
        case .closed, .opening, .probing, .resetting, .failed: break
        }
      default: break
      }
    }
    return .failure(Refusal(reason: "the modem's driver ended"))
  }

  /// What was said on the line since it was opened.
  public func trace(isWhole: Bool) async -> ModemTrace {
    lastID += 1
    let wanted = lastID
    driver.post(.trace(id: wanted, isWhole: isWhole))
    while let event = await events.next() {
      if case .trace(wanted, let trace) = event { return trace }
    }
    return ModemTrace()
  }

  /// A message that came.
  public struct Received {
    /// Its length.
    public var octets: Int
    /// Whether the modem keeps it: it refused to delete it.
    public var isKept: Bool
  }

  /// Waits for a message with a text in it, which is then deleted from the modem; nil when none came in
  /// time. The modem is asked now and then, should it tell nothing by itself.
  public func received(containing mark: String, within wait: Duration) async -> Received? {
    let clocks = SystemClocks()
    let deadline = clocks.boot() + wait
    while clocks.boot() < deadline {
      lastID += 1
      let asked = lastID
      driver.post(.sweep)
      driver.post(.command(id: asked, text: "AT", timeout: .seconds(10)))
      waiting: while let event = await events.next() {
        switch event {
        case .received(let inbound):
          guard let octets = DirectModem.octets(of: inbound, containing: mark) else { continue }
          return Received(octets: octets, isKept: await !delete(inbound.index))
        case .commandFinished(asked, _, _): break waiting
        default: break
        }
      }
      let pause = WorkerThread()
      guard
        (try? pause.start(
          name: "pause",
          { _ = PollLoop.wait([], until: clocks.boot() + .seconds(1), clocks: clocks) })) != nil
      else { return nil }
      await pause.finished()
    }
    return nil
  }

  /// Deletes a message, unless it was handed over without a place in the storage; whether it is gone.
  private func delete(_ index: Int?) async -> Bool {
    guard let index else { return true }
    for _ in 0..<3 {
      if await command("AT+CMGD=\(index)", timeout: .seconds(10)).final == "OK" { return true }
    }
    return false
  }

  private static func octets(of inbound: InboundPDU, containing mark: String) -> Int? {
    guard inbound.pdu.message?.userData.text?.contains(mark) == true else { return nil }
    return inbound.hex.utf8.count / 2
  }

  /// Sends a text, without a report on its delivery: that would come when nobody is here any more, and
  /// lie in the modem.
  public func send(_ body: String, to number: String) async -> SendOutcome {
    lastID += 1
    let wanted = lastID
    driver.post(
      .send(OutgoingText(id: wanted, to: number, body: body, requestStatusReport: false)))
    while let event = await events.next() {
      if case .sendOutcome(wanted, let outcome) = event { return outcome }
    }
    return .unknown(reason: "the modem's driver ended")
  }

  /// Gives the port back.
  public func close() async {
    driver.stop()
    await driver.finished()
  }
}
