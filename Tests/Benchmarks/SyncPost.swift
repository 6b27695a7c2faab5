import Glibc
import Host
import NodeCore
import Passages
import ServerModel
import ServerSimulator
import Settings
import Synchronization
import Time

/// A post without a modem, and the server that it syncs with over HTTP. What the server takes is on disk
/// before it says so.
///
/// The pace at which a backlog is drained goes by a clock that this sets forward: what is measured is the
/// work, not the pause between two requests.
final class SyncPost {
  let server: ServerSimulator
  let post: Post
  let clocks: ForwardClocks
  private let arrivals: EventStream<Int>

  /// Starts both; the line is up.
  ///
  /// - Parameters:
  ///   - port: the modem's; nil for a post without one.
  ///   - clocks: what the node goes by.
  init(
    _ place: Place, _ name: String, port: String? = nil,
    clocks: ForwardClocks = ForwardClocks(wallBehind: .zero)
  ) async throws {
    self.clocks = clocks
    try place.makeDirectory(name)
    let password = place.path("\(name)/password")
    let key = place.path("\(name)/key")
    try TextFile.write("east-gate-1\n", to: password)
    try TextFile.write("\(SyncPost.key)\n", to: key)
    for secret in [password, key] {
      guard chmod(secret, 0o600) == 0 else { throw Failure(system: secret) }
    }
    server = try ServerSimulator(.pilot(), journal: place.path("\(name)/server.journal"))
    try server.start()
    let arrivals = EventStream<Int>()
    self.arrivals = arrivals
    let url = server.url
    let told = Arrivals(arrivals)
    post = try await Post(
      database: place.path("\(name)/node.db"), port: port, clocks: clocks,
      whenUploaded: { told.next() },
      change: { settings in
        settings.node.checkpost = "BNP-A"
        settings.server.url = url
        settings.server.user = "sita"
        settings.server.passwordFile = password
        settings.server.apiKeyFile = key
        settings.sync.spread = .zero
      })
  }

  /// The key that the simulated server wants to see.
  static let key = "model-anon-key"

  /// Lets the line be there or not, as the kernel's news say.
  func line(isUp: Bool) {
    post.link(isUp ? .up : .down)
  }

  /// Records a passage of this post.
  func record(_ number: Int) async throws {
    _ = try await post.record(2 * number)
  }

  /// Lets the pause before the next request be over.
  func hurry() {
    clocks.forward(.seconds(1))
    post.wake()
  }

  /// Waits until the server has so many passages.
  ///
  /// - Returns: when that was.
  func uploaded(_ wanted: Int) async throws -> Int64 {
    try await arrivals.next { $0 >= wanted }
  }

  /// Waits until the server has so many passages of a backlog, without a pause between two requests.
  ///
  /// - Parameter already: how many it had before.
  /// - Returns: when that was.
  func drained(_ wanted: Int, after already: Int) async throws -> Int64 {
    try await arrivals.next { number in
      // The first request has one passage, and each after it a batch.
      let place = number - already
      if place == 1 || place % NodeCore.Limits.batch == 2 { hurry() }
      return place >= wanted
    }
  }

  /// What the queue has.
  func overview() throws -> StoreOverview { try post.overview() }

  func end() throws {
    try post.end()
    server.stop()
    server.join()
  }
}

/// Counts what arrives.
private final class Arrivals: Sendable {
  private let count = Atomic(0)
  private let stream: EventStream<Int>

  init(_ stream: EventStream<Int>) {
    self.stream = stream
  }

  func next() {
    stream.put(count.add(1, ordering: .relaxed).newValue)
  }
}
