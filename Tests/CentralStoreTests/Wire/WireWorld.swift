import CentralCore
import CentralPostgreSQL
import CentralSQLite
import Passages
import RestAPI
import Time

/// A central with the pilot's directory, and its tables over the API.
struct WireWorld {
  let place: any StorePlace
  let store: any CentralStore
  let rest: any RestStore
  var now = WireWorld.start
  /// What the last request was answered with.
  private(set) var status = 0
  private(set) var fields: [RestAnswer.Field] = []

  static let start = WallTime(epochSeconds: 1_767_225_600)
  static let segment = ClientID.derived(kind: "segment", name: "Banke").description
  static let east = ClientID.derived(kind: "post", name: "BNP-A").description
  static let west = ClientID.derived(kind: "post", name: "BNP-B").description
  static let sita = ClientID.derived(kind: "profile", name: "9779801234567").description
  static let ram = ClientID.derived(kind: "profile", name: "9779807654321").description
  static let eastern = RestPrincipal(.ranger, user: sita, post: east, segment: segment)
  static let western = RestPrincipal(.ranger, user: ram, post: west, segment: segment)

  init(
    _ kind: StoreKind, onChanges: @escaping @Sendable (JudgedChanges) -> Void = { _ in }
  ) throws {
    try self.init(kind.place(), onChanges: onChanges)
  }

  init(
    _ place: any StorePlace, onChanges: @escaping @Sendable (JudgedChanges) -> Void = { _ in }
  ) throws {
    self.place = place
    store = try place.open()
    switch store {
    case let store as SQLiteCentralStore:
      rest = SQLiteRestStore(of: store, rules: { JudgingRules() }, onChanges: onChanges)
    case let store as PostgreSQLCentralStore:
      rest = PostgreSQLRestStore(of: store, onChanges: onChanges)
    default: throw WireFault()
    }
    let segment = try Segment(
      name: "Banke", distanceKilometres: 45, minimumKilometresPerHour: 10,
      maximumKilometresPerHour: 40)
    var entries: [DirectoryEntry] = [.segment(segment)]
    for (code, name, index) in [("BNP-A", "East", 0), ("BNP-B", "West", 1)] {
      entries.append(
        .post(
          Post(
            code: try CheckpostCode(code), name: name,
            place: Post.Place(segment: "Banke", index: index))))
    }
    for (name, number, post) in [
      ("Sita", "+9779801234567", "BNP-A"), ("Ram", "+9779807654321", "BNP-B"),
    ] {
      guard let phone = PhoneNumber(number) else { continue }
      entries.append(
        .ranger(Ranger(name: name, phone: phone, checkpost: try CheckpostCode(post))))
    }
    _ = try store.put(entries)
  }

  /// Sends a request; its answer as JSON, and null where it has no body.
  @discardableResult
  mutating func ask(
    _ method: String, _ target: String, _ body: String = "", prefer: String? = nil,
    headers: [String: String] = [:], as principal: RestPrincipal = WireWorld.eastern
  ) -> RestJSON {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    var headers = headers
    headers["prefer"] = prefer
    let answer = RestHandler.answer(
      RestRequest(
        method, parts[0], query: parts.count > 1 ? parts[1] : "", headers: headers,
        body: Array(body.utf8)),
      as: principal, from: rest, at: now)
    status = answer.status
    fields = answer.fields
    return RestJSON(Array(answer.body.utf8)) ?? .null
  }

  /// The rows of an answer that is a list.
  mutating func rows(
    _ target: String, as principal: RestPrincipal = WireWorld.eastern
  ) -> [[String: RestJSON]] {
    guard case .list(let list) = ask("GET", target, as: principal) else { return [] }
    return list.compactMap(\.object)
  }

  func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  static func client(_ number: Int) -> String {
    ClientID(random: UInt64(number), UInt64(number)).description
  }

  /// A passage in JSON, `seconds` after the beginning.
  static func passage(
    _ number: Int, _ plate: String = "BA1PA1234", at seconds: Int = 0, west isWest: Bool = false,
    _ more: [String: String] = [:]
  ) -> String {
    let time = WallTime(epochSeconds: start.epochSeconds + Int64(seconds)).rfc3339
    let members = [
      "client_id": "\"\(client(number))\"", "plate_number": "\"\(plate)\"",
      "plate_number_raw": "\"\(plate)\"", "vehicle_type": "\"jeep\"",
      "checkpost_id": "\"\(isWest ? west : east)\"", "segment_id": "\"\(segment)\"",
      "ranger_id": "\"\(isWest ? ram : sita)\"", "recorded_at": "\"\(time)\"",
      "source": "\"app\"",
    ].merging(more) { $1 }
    return "{"
      + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
      .joined(separator: ",") + "}"
  }
}

/// A store that has no tables for the API.
struct WireFault: Error {}
