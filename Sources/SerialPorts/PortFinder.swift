public import EventLoop
public import ModemDiscovery
import Synchronization
public import Time

/// Opens the port of one modem, wherever it is now.
///
/// What opens a port for a session calls ``open()`` each time: with a path it opens that, with `auto`
/// or an identity the next port that may be it. A port that was opened and neither accepted nor
/// rejected before the next call counts as given up. May be used from any thread.
public final class PortFinder: Sendable {
  private let search: Mutex<PortSearch>
  private let look: @Sendable () -> PortInventory
  private let openPort: @Sendable (String) throws(LinkError) -> any ByteLink
  private let clocks: any Clocks

  /// A finder for a selector.
  ///
  /// - Parameters:
  ///   - baud: Bits a second on a real serial line.
  ///   - inventory: Reads what is plugged in; by default, from this machine.
  public convenience init(
    _ selector: PortSelector, baud: Int,
    inventory: @escaping @Sendable () -> PortInventory = { PortScanner().scan() }
  ) {
    self.init(
      selector, inventory: inventory,
      openPort: { path throws(LinkError) in try SerialPorts.open(path, baud: baud) })
  }

  /// A finder that opens ports in a way of its own.
  public init(
    _ selector: PortSelector, inventory: @escaping @Sendable () -> PortInventory,
    clocks: any Clocks = SystemClocks(),
    openPort: @escaping @Sendable (String) throws(LinkError) -> any ByteLink
  ) {
    search = Mutex(PortSearch(selector))
    look = inventory
    self.clocks = clocks
    self.openPort = openPort
  }

  /// What is searched for.
  public var selector: PortSelector { search.withLock { $0.selector } }

  /// The directory in which the port would appear, to be watched while there is none.
  public var directory: String { selector.directory }

  /// The port that is open, as far as is known here.
  public var current: PortCandidate? { search.withLock { $0.current } }

  /// Opens the next port that may be the modem's; those that cannot be opened are passed over. Where
  /// there are several, and the first says nothing, all are asked side by side, which takes some
  /// seconds at most.
  ///
  /// - Throws: `LinkError` of the path that was asked for; `LinkError.noPort` that says of every port
  ///   and device why it is not it.
  public func open() throws(LinkError) -> any ByteLink {
    let selector = search.withLock { search in
      search.begin()
      return search.selector
    }
    if case .path(let path) = selector {
      let link = try openPort(path)
      search.withLock { search in
        if let candidate = search.next(in: PortInventory()) { search.opened(candidate) }
      }
      return link
    }
    while true {
      // Looked at anew each time: another role of this service may have taken a port meanwhile.
      let inventory = look()
      guard let candidate = search.withLock({ $0.next(in: inventory) }) else {
        throw .noPort(
          selector: selector.words, reason: search.withLock { $0.refusal(in: inventory) })
      }
      do throws(LinkError) {
        let link = try openPort(candidate.path)
        let others = search.withLock { $0.others(than: candidate, in: inventory) }
        let chosen = probe(
          PortEntrant(candidate: candidate, link: link),
          others.prefix(PortProbe.most - 1))
        search.withLock { $0.opened(chosen.candidate) }
        return chosen.link
      } catch {
        search.withLock { $0.failed(candidate, reason: error.description) }
      }
    }
  }

  /// The modem at the port is the one that is wanted, and answers: it is the first to be opened
  /// again, under whatever name it returns.
  ///
  /// - Parameter path: The path of the link that ``open()`` gave.
  public func accepted(path: String) {
    search.withLock { $0.accept(path: path) }
  }

  /// The modem at the port tells nothing by itself there: another of its ports is the next to be
  /// opened.
  ///
  /// - Parameter path: The path of the link that ``open()`` gave.
  public func setAside(path: String) {
    search.withLock { $0.setAside(path: path) }
  }

  /// The modem at the port is not the one that is wanted: neither this nor another port of it is
  /// opened before all others had their turn.
  public func reject(path: String, reason: String) {
    search.withLock { $0.reject(path: path, reason: reason) }
  }

  /// Asks the ports that come into question for a sign of life, and keeps the best that gives one; the
  /// first when none does.
  private func probe(
    _ first: PortEntrant, _ others: ArraySlice<PortCandidate>
  ) -> PortEntrant {
    guard !others.isEmpty, first.link.descriptor >= 0 else { return first }
    let candidates = [first.candidate] + others
    var links: [Int: any ByteLink] = [0: first.link]
    var probe = PortProbe(count: candidates.count)
    let began = clocks.boot()
    while let deadline = probe.deadline {
      for case .ask(let index) in probe.pass(clocks.boot() - began) {
        do throws(LinkError) {
          if links[index] == nil { links[index] = try openPort(candidates[index].path) }
          _ = try links[index]?.write(PortProbe.question[...])
        } catch {
          probe.gone(index)
          if index > 0 {
            search.withLock { $0.failed(candidates[index], reason: error.description) }
          }
        }
      }
      let open = links.keys.sorted().filter(probe.isListening)
      let ready = PollLoop.wait(
        open.map { Interest(descriptor: links[$0]?.descriptor ?? -1) },
        until: began + (probe.deadline ?? deadline), clocks: clocks)
      for (index, ready) in zip(open, ready) where !ready.isEmpty {
        var bytes: [UInt8] = []
        switch links[index]?.read(into: &bytes, limit: Limits.probeBytes) {
        case .bytes: probe.heard(bytes, from: index, at: clocks.boot() - began)
        case .closed:
          probe.gone(index)
        case .wouldBlock, nil: break
        }
      }
    }
    var chosen = 0
    if case .answers(let index) = probe.result { chosen = index }
    for (index, link) in links where index != chosen { link.close() }
    if chosen != 0 {
      for index in candidates.indices where probe.wasMute(index) {
        search.withLock { $0.failed(candidates[index], reason: "did not answer") }
      }
    }
    guard let link = links[chosen] else { return first }
    return PortEntrant(candidate: candidates[chosen], link: link)
  }
}

/// A port that is open, and what it was opened for.
private struct PortEntrant {
  var candidate: PortCandidate
  var link: any ByteLink
}
