public import EventLoop
import ModemModel
public import Time

/// Simulated modems on pseudo-terminals: a `SimulatedWorld` on a thread of its own.
public final class ModemSimulator: ServicePart {
  /// The ports as they were at the start, `/dev/pts/N`, by the place of their modem.
  public let ports: [String]
  private let settings: SimulatorSettings
  private let terminals: [PseudoTerminal]
  private let links: [PortLink?]
  private let exchange: NetworkExchange?
  private let place: NetworkPlace
  private let clocks: any Clocks
  private let onEvent: @Sendable (SimulatorEvent) -> Void
  private let wakeup: Wakeup
  private let mailbox: Mailbox<SimulatorRequest>
  private let thread = WorkerThread()

  /// Opens the ports, and makes the links to them.
  ///
  /// - Parameters:
  ///   - settings: The modems and their network.
  ///   - clocks: The clocks that the modems go by.
  ///   - onEvent: Called on the simulator's thread; must not block.
  /// - Throws: ``SimulatorError`` when a port or a link cannot be made, or when the modems cannot be on
  ///   the network.
  public init(
    settings: SimulatorSettings, clocks: any Clocks,
    onEvent: @escaping @Sendable (SimulatorEvent) -> Void
  ) throws(SimulatorError) {
    self.settings = settings
    self.clocks = clocks
    self.onEvent = onEvent
    var exchange = settings.network.map {
      NetworkExchange(path: $0, numbers: settings.modems.map(\.number), at: clocks.boot())
    }
    do throws(NetworkError) {
      place = try exchange?.settle(clocks) ?? .here
    } catch {
      throw .network(error)
    }
    do throws(SimulatorError) {
      links = try ModemSimulator.takeLinks(settings)
    } catch {
      exchange?.close()
      throw error
    }
    do throws(LinkError) {
      wakeup = try Wakeup()
      terminals = try ModemSimulator.openTerminals(links)
    } catch {
      exchange?.close()
      throw .link(error)
    }
    self.exchange = exchange
    mailbox = Mailbox(capacity: Limits.mailbox, wakeup: wakeup)
    ports = terminals.map(\.slavePath)
  }

  /// Takes the name of each modem's link.
  private static func takeLinks(
    _ settings: SimulatorSettings
  ) throws(SimulatorError) -> [PortLink?] {
    var links: [PortLink?] = []
    for place in settings.modems.indices {
      guard let path = settings.link(place) else {
        links.append(nil)
        continue
      }
      let link: PortLink?
      do throws(LinkError) {
        link = try PortLink(path)
      } catch {
        throw .link(error)
      }
      guard let link else { throw .linkTaken(path: path) }
      links.append(link)
    }
    return links
  }

  /// Opens a port for each link; when one of them fails, nothing is left behind.
  private static func openTerminals(
    _ links: [PortLink?]
  ) throws(LinkError) -> [PseudoTerminal] {
    var terminals: [PseudoTerminal] = []
    do {
      for link in links {
        let terminal = try PseudoTerminal()
        try link?.make(to: terminal.slavePath)
        terminals.append(terminal)
      }
    } catch {
      for (terminal, link) in zip(terminals, links) { link?.remove(to: terminal.slavePath) }
      throw error
    }
    return terminals
  }

  /// Starts the thread.
  ///
  /// - Parameter whenEnded: Called on that thread when the simulator has ended.
  /// - Throws: `LinkError.system` when the system has no more threads.
  public func start(whenEnded: @escaping @Sendable () -> Void = {}) throws(LinkError) {
    try thread.start(name: "simulator") { [self] in
      run()
      whenEnded()
    }
  }

  /// Asks for something, from any thread.
  public func post(_ request: SimulatorRequest) {
    mailbox.post(request)
  }

  /// Lets the thread look at the clock again: for clocks that somebody moves.
  public func wake() {
    wakeup.signal()
  }

  /// Asks the simulator to end: its ports are closed and its links removed.
  public func stop() {
    mailbox.post(.stop)
  }

  /// Waits until the simulator has ended.
  public func join() {
    thread.join()
  }

  /// Waits until they have ended.
  public func finished() async {
    await thread.finished()
  }

  private func run() {
    var loop = SimulatorLoop(
      settings: settings, terminals: terminals, links: links, exchange: exchange, place: place,
      clocks: clocks,
      onEvent: onEvent)
    loop.begin()
    while !loop.hasStopped {
      for request in mailbox.drain() { loop.handle(request) }
      loop.turn(requests: mailbox.drain)
      if !loop.hasStopped, mailbox.count == 0 { loop.wait(wakeup) }
    }
    mailbox.close()
  }
}
