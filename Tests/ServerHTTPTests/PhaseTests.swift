import Glibc
import NodeCore
import TestSupport
import Testing

@testable import ServerHTTP

/// How long each phase may take, told apart: of a name, of a connection, of TLS.
@Suite(.timeLimit(.minutes(15))) struct PhaseTests {
  private let start = ContinuousClock.now

  private var watch: PhaseWatch<ContinuousClock.Instant> {
    var endpoint = ServerEndpoint(url: "https://a.example", timeout: .seconds(60))
    endpoint.nameTimeout = .seconds(3)
    endpoint.connectTimeout = .seconds(5)
    endpoint.tlsTimeout = .seconds(7)
    return PhaseWatch(PhaseBounds(endpoint), at: start)
  }

  @Test func eachPhaseHasItsTimeFromItsOwnBeginning() {
    var watch = watch
    #expect(watch.deadline == start + .seconds(3))
    watch.see(.connection, at: start + .seconds(2))
    #expect(watch.deadline == start + .seconds(7))
    // Looking again begins nothing anew.
    watch.see(.connection, at: start + .seconds(6))
    #expect(watch.deadline == start + .seconds(7))
    watch.see(.encryption, at: start + .seconds(6))
    #expect(watch.deadline == start + .seconds(13))
    // From here on the exchange's own time is the only one.
    watch.see(.answer, at: start + .seconds(8))
    #expect(watch.deadline == nil)
    #expect(!watch.isOver(at: start + .seconds(1_000)))
  }

  @Test func aPhaseIsOverAtItsEnd() {
    #expect(!watch.isOver(at: start + .milliseconds(2_999)))
    #expect(watch.isOver(at: start + .seconds(3)))
  }

  /// An endpoint of which nothing ends by itself, but for what `change` says.
  private func patient(
    _ url: String, _ change: (inout ServerEndpoint) -> Void
  ) -> ServerEndpoint {
    var endpoint = ServerEndpoint(url: url, timeout: ServerClientConformance.patience)
    endpoint.nameTimeout = ServerClientConformance.patience
    endpoint.connectTimeout = ServerClientConformance.patience
    endpoint.tlsTimeout = ServerClientConformance.patience
    change(&endpoint)
    return endpoint
  }

  private func ask(_ endpoint: ServerEndpoint) async -> ServerClientConformance.Outcome {
    let client = CurlServerClient(endpoint)
    let outcome = await ServerClientConformance.ask(client)
    client.end()
    return outcome
  }

  @Test(arguments: ["http", "https"])
  func whatNeverAcceptsIsGivenUpAsAConnection(_ scheme: String) async throws {
    let (listener, port) = try Sockets.bound()
    try #require(listen(listener, 0) == 0)
    // The system takes so many, and leaves the others without an answer.
    let crowd = (0..<4).map { _ in
      let waiting = Sockets.make()
      _ = fcntl(waiting, F_SETFL, O_NONBLOCK)
      _ = Sockets.withLoopback(port) { connect(waiting, $0, $1) }
      return waiting
    }
    defer { for descriptor in crowd + [listener] { close(descriptor) } }
    let endpoint = patient("\(scheme)://127.0.0.1:\(port)") {
      $0.connectTimeout = .milliseconds(300)
    }
    #expect(await ask(endpoint) == .failure(.timedOut(.connection)))
  }

  @Test func whatNeverSpeaksTLSIsGivenUpAsTLS() async throws {
    let server = try ScriptedServer([.wait])
    let endpoint = patient("https://127.0.0.1:\(server.port)") {
      $0.tlsTimeout = .milliseconds(300)
    }
    #expect(await ask(endpoint) == .failure(.timedOut(.encryption)))
    server.end()
  }

  /// What takes its time over an answer is not hurried by the times of the other phases.
  @Test func anAnswerHasTheTimeOfTheExchange() async throws {
    let server = try ScriptedServer([.read, .wait])
    let endpoint = patient(server.url) {
      $0.nameTimeout = .milliseconds(100)
      $0.tlsTimeout = .milliseconds(100)
      $0.timeout = .milliseconds(400)
    }
    #expect(await ask(endpoint) == .failure(.timedOut(.answer)))
    server.end()
  }

  @Test(.enabled(if: MountedDisk.isAllowed, "needs the right to mount"))
  func aNameServerThatIsSilentIsGivenUpAsAName() async throws {
    let names = try #require(
      SilentNames(), "nothing may listen at port 53 of \(SilentNames.address)")
    let client = CurlServerClient(
      patient("https://server.example") { $0.nameTimeout = .milliseconds(300) })
    let outcome: ServerClientConformance.Outcome? = await withCheckedContinuation { continuation in
      startThread {
        guard names.areThisThreads() else { return continuation.resume(returning: nil) }
        // The client's thread is made here, and sees what this one sees.
        client.send(ServerClientConformance.request) { continuation.resume(returning: $0) }
      }
    }
    client.end()
    #expect(outcome == .failure(.timedOut(.name)))
  }
}

/// A name server that takes questions and answers none.
private final class SilentNames: Sendable {
  static let address = "127.83.67.89"

  private let descriptor: Int32
  private let directory: TemporaryDirectory

  /// Nil where that cannot be had.
  init?() {
    guard let directory = try? TemporaryDirectory() else { return nil }
    self.directory = directory
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(53).bigEndian
    address.sin_addr = in_addr(s_addr: inet_addr(SilentNames.address))
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isBound else { return nil }
  }

  deinit { close(descriptor) }

  /// Lets this thread, and those that it starts, ask that name server; false where it may not.
  func areThisThreads() -> Bool {
    // Swift does not see this one: a thread gets mounts of its own by it.
    typealias Unshare = @convention(c) (CInt) -> CInt
    let newMounts: CInt = 0x20000
    guard let unshare = dlsym(nil, "unshare").map({ unsafeBitCast($0, to: Unshare.self) }),
      unshare(newMounts) == 0,
      mount("none", "/", nil, UInt(MS_REC) | UInt(MS_PRIVATE), nil) == 0
    else { return false }
    return replace("/etc/resolv.conf", by: "nameserver \(SilentNames.address)\n")
      && replace("/etc/nsswitch.conf", by: "hosts: dns\n")
  }

  private func replace(_ path: String, by text: String) -> Bool {
    let file = directory.file(path.replacing("/", with: "-"))
    guard let stream = fopen(file, "w") else { return false }
    fputs(text, stream)
    fclose(stream)
    return mount(file, path, nil, UInt(MS_BIND), nil) == 0
  }
}
