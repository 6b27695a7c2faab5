import CCurl
import EventLoop
import Glibc
public import NodeCore
import Synchronization

/// What was asked, and who is told.
struct Exchange: Sendable {
  var request: ServerRequest
  var completion: @Sendable (Result<ServerAnswer, ServerClientError>) -> Void
}

/// The way to the server through libcurl: one thread, made with the first request, drives all that is
/// out, and sleeps while nothing is.
///
/// Connections are kept for the next request. Redirects are not followed.
public final class CurlServerClient: ServerClient {
  private enum State {
    case unused
    case running(Worker)
    case ended
  }

  private let endpoint: ServerEndpoint
  private let state = Mutex(State.unused)

  /// A way to a server; nothing is loaded, and nothing is sent yet.
  public init(_ endpoint: ServerEndpoint) {
    self.endpoint = endpoint
  }

  /// Asks; see `ServerClient`.
  public func send(
    _ request: ServerRequest,
    _ completion: @escaping @Sendable (Result<ServerAnswer, ServerClientError>) -> Void
  ) {
    do throws(ServerClientError) {
      try worker().take(Exchange(request: request, completion: completion))
    } catch {
      completion(.failure(error))
    }
  }

  /// Ends it; see `ServerClient`.
  public func end() {
    let old = state.withLock { state in
      defer { state = .ended }
      return state
    }
    if case .running(let worker) = old { worker.end() }
  }

  private func worker() throws(ServerClientError) -> Worker {
    if let fault = endpoint.fault { throw .unaskable(reason: fault) }
    return try state.withLock { state throws(ServerClientError) in
      switch state {
      case .running(let worker): return worker
      case .ended: throw .ended
      case .unused:
        let worker = try Worker(endpoint)
        state = .running(worker)
        return worker
      }
    }
  }
}

/// The thread of a client, which owns everything of the library's.
private final class Worker: Sendable {
  private let endpoint: ServerEndpoint
  private let wakeup: Wakeup
  private let mailbox: Mailbox<Exchange>
  private let thread = WorkerThread()
  private let isEnding = Atomic(false)

  init(_ endpoint: ServerEndpoint) throws(ServerClientError) {
    self.endpoint = endpoint
    if let words = ccurl_load() {
      throw .unavailable(
        reason: "libcurl cannot be used (\(String(cString: words))); apt-get install libcurl4")
    }
    do {
      wakeup = try Wakeup()
      mailbox = Mailbox(capacity: Limits.requests, wakeup: wakeup)
      try thread.start(name: "server") { [self] in run() }
    } catch {
      throw .unavailable(reason: error.description)
    }
  }

  func take(_ exchange: Exchange) throws(ServerClientError) {
    guard mailbox.post(exchange) else {
      if isEnding.load(ordering: .acquiring) { throw .ended }
      throw .unavailable(reason: "\(Limits.requests) requests to the server wait already")
    }
  }

  /// Blocks until the thread has ended.
  func end() {
    isEnding.store(true, ordering: .releasing)
    mailbox.close()
    wakeup.signal()
    thread.join()
  }

  private func run() {
    // OpenSSL writes to sockets that are gone, and the library leaves the signals to us.
    var broken = sigset_t()
    sigemptyset(&broken)
    sigaddset(&broken, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &broken, nil)
    guard let group = ccurl_make_group() else {
      mailbox.close()
      refuse(.noMemory)
      return
    }
    defer { ccurl_free_group(group) }
    var running: [UnsafeMutableRawPointer: Transfer] = [:]
    while !isEnding.load(ordering: .acquiring) {
      wakeup.clear()
      for exchange in mailbox.drain() {
        do throws(ServerClientError) {
          let transfer = try Transfer(exchange, to: endpoint)
          guard ccurl_add(group, transfer.handle) == CURLM_OK else { throw .noMemory }
          running[transfer.handle] = transfer
        } catch {
          exchange.completion(.failure(error))
        }
      }
      ccurl_perform(group)
      var code = CURLE_OK
      while let handle = ccurl_next_ended(group, &code) {
        ccurl_remove(group, handle)
        running.removeValue(forKey: handle)?.complete(code)
      }
      var next: ContinuousClock.Instant?
      for (handle, transfer) in running {
        switch transfer.look() {
        case .goesOn(let deadline): next = [next, deadline].compactMap { $0 }.min()
        case .isOver(let phase):
          ccurl_remove(group, handle)
          running.removeValue(forKey: handle)
          transfer.exchange.completion(.failure(.timedOut(phase)))
        }
      }
      ccurl_wait(group, wakeup.descriptor, milliseconds(until: next))
    }
    for (handle, transfer) in running {
      ccurl_remove(group, handle)
      transfer.exchange.completion(.failure(.ended))
    }
    refuse(.ended)
  }

  /// How long to wait at most; rounded up, since what is not over yet would be looked at again at once.
  private func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return Int32.max }
    return Int32(clamping: (deadline - .now).curlMilliseconds + 1)
  }

  private func refuse(_ error: ServerClientError) {
    for exchange in mailbox.drain() { exchange.completion(.failure(error)) }
  }
}

extension ServerClientError {
  static let noMemory = ServerClientError.unavailable(reason: "no memory to ask the server with")
}
