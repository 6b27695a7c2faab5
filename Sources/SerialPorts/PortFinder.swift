public import EventLoop
public import ModemPorts
import Synchronization

/// Opens the port of one modem, wherever it is now.
///
/// What opens a port for a session calls ``open()`` each time: with a path it opens that, with `auto`
/// or an identity the next port that may be it. A port that was opened and neither accepted nor
/// rejected before the next call counts as given up. May be used from any thread.
public final class PortFinder: Sendable {
  private let search: Mutex<PortSearch>
  private let look: @Sendable () -> PortSurvey
  private let openPort: @Sendable (String) throws(LinkError) -> any ByteLink

  /// A finder for a wish.
  ///
  /// - Parameters:
  ///   - baud: Bits a second on a real serial line.
  ///   - survey: Reads what is plugged in; by default, from this machine.
  public convenience init(
    _ wish: PortWish, baud: Int,
    survey: @escaping @Sendable () -> PortSurvey = { PortSurveyor().survey() }
  ) {
    self.init(
      wish, survey: survey,
      openPort: { path throws(LinkError) in try SerialPorts.open(path, baud: baud) })
  }

  /// A finder that opens ports in a way of its own.
  public init(
    _ wish: PortWish, survey: @escaping @Sendable () -> PortSurvey,
    openPort: @escaping @Sendable (String) throws(LinkError) -> any ByteLink
  ) {
    search = Mutex(PortSearch(wish))
    look = survey
    self.openPort = openPort
  }

  /// What is searched for.
  public var wish: PortWish { search.withLock { $0.wish } }

  /// The directory in which the port would appear, to be watched while there is none.
  public var directory: String { wish.directory }

  /// The port that is open, as far as is known here.
  public var current: PortCandidate? { search.withLock { $0.current } }

  /// Opens the next port that may be the modem's; those that cannot be opened are passed over.
  ///
  /// - Throws: `LinkError` of the path that was wished for; `LinkError.noPort` that says of every port
  ///   and device why it is not it.
  public func open() throws(LinkError) -> any ByteLink {
    let wish = search.withLock { search in
      search.begin()
      return search.wish
    }
    if case .path(let path) = wish {
      let link = try openPort(path)
      search.withLock { search in
        if let candidate = search.next(in: PortSurvey()) { search.opened(candidate) }
      }
      return link
    }
    while true {
      // Looked at anew each time: another role of this service may have taken a port meanwhile.
      let survey = look()
      guard let candidate = search.withLock({ $0.next(in: survey) }) else {
        throw .noPort(wish: wish.words, reason: search.withLock { $0.refusal(in: survey) })
      }
      do throws(LinkError) {
        let link = try openPort(candidate.path)
        search.withLock { $0.opened(candidate) }
        return link
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
}
