import CentralCore
import CentralSQLite
import EventLoop
import Events
import JSON
import NodeCore
import Passages
import SeededRandom
import ServerHTTP
import ServerModel
import ServerSimulator
import Storage
import Supabase
import Synchronization
import TestSupport
import Testing
import Time

@testable import Forwarding

/// A central whose passages go to a server on this machine.
final class ForwardBench {
  let store: SQLiteCentralStore
  let server: ServerSimulator
  let clocks = TestClocks(wall: WallTime(epochSeconds: 1_790_000_000))
  let events = ToldEvents()
  let client: CurlServerClient
  let asked = AskedClient()
  private(set) var line: ForwardLine

  /// - Parameter timeout: How long an answer is waited for.
  init(timeout: Duration = .seconds(20)) throws {
    var model = ServerModel.pilot()
    model.change(
      ServerModel.Pilot.eastRanger, of: "user_profiles", to: ["phone_number": "+977-98411 14567"])
    model.change(
      ServerModel.Pilot.westRanger, of: "user_profiles", to: ["phone_number": "9779807654321"])
    let key = model.settings.serviceKey
    server = try ServerSimulator(model)
    try server.start()
    store = try SQLiteCentralStore(path: ":memory:")
    client = CurlServerClient(
      ServerEndpoint(url: server.url, apiKey: key, token: key, timeout: timeout))
    line = ForwardLine(
      store: store, asking: try Asking(asked.over(client)), api: SupabaseAPI(), clocks: clocks,
      chance: SplitMix64(seed: 1), isStopping: { false }, onEvent: events.add)
    let segment = try Segment(
      name: "Banke", distanceKilometres: 45, minimumKilometresPerHour: 10,
      maximumKilometresPerHour: 40)
    var entries: [DirectoryEntry] = [.segment(segment)]
    for (code, index) in [("BNP-A", 0), ("BNP-B", 1)] {
      entries.append(
        .post(
          Post(
            code: try CheckpostCode(code), name: code,
            place: Post.Place(segment: "Banke", index: index))))
    }
    _ = try store.put(entries)
  }

  deinit {
    client.end()
    server.stop()
    server.join()
    try? store.close()
  }

  /// Takes a text.
  func take(
    _ number: Int, _ plate: String = "BA1PA1234", at seconds: Int = 0, post: String = "BNP-A",
    suffix: String = "4567", isUndated: Bool = false
  ) throws {
    let recorded = isUndated ? WallTime(epochSeconds: 9) : clocks.wall() + .seconds(seconds - 3_600)
    let report = Observation(
      clientID: ClientID(random: UInt64(number), UInt64(number)), post: try CheckpostCode(post),
      plate: try Plate(plate), vehicleType: .autoRickshaw, recordedAt: recorded, ranger: nil,
      suffix: try #require(PhoneSuffix(suffix)), photoPath: nil, channel: .text, isProven: false,
      receivedAt: clocks.wall(), clock: isUndated ? .unset : .unknown)
    try take([PassageArrival(report)])
  }

  func take(_ arrivals: [PassageArrival]) throws {
    let now = clocks.wall()
    _ = try store.transaction { rows throws(StorageError) in
      try rows.take(arrivals, rules: JudgingRules(), at: now)
    }
  }

  /// One turn.
  @discardableResult
  func go() -> BootInstant { line.go() }

  /// How many passages the server has.
  var stored: Int { server.withModel { $0.count(of: "vehicle_passages") } }
}

/// What the server was asked, each request before it goes.
final class AskedClient: ServerClient {
  private let state = Mutex<(client: (any ServerClient)?, requests: [ServerRequest])>((nil, []))

  var requests: [ServerRequest] { state.withLock { $0.requests } }

  func over(_ client: any ServerClient) -> AskedClient {
    state.withLock { $0.client = client }
    return self
  }

  func send(
    _ request: ServerRequest,
    _ completion: @escaping @Sendable (Result<ServerAnswer, ServerClientError>) -> Void
  ) {
    let client = state.withLock { state in
      state.requests.append(request)
      return state.client
    }
    client?.send(request, completion)
  }

  func end() { state.withLock { $0.client }?.end() }
}

/// What was told, by its name.
final class ToldEvents: Sendable {
  private let all = Mutex<[Event]>([])

  func add(_ event: Event) { all.withLock { $0.append(event) } }

  var names: [String] { all.withLock { $0.map(\.name) } }
}
