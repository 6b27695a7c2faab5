import Accounts
import CentralCore
import CentralSQLite
import Passages
import RestAPI
import TestSupport
import Testing
import Time
import Tokens

@testable import HTTPServer

/// A central whose tables are asked for over HTTP, with the pilot's directory.
struct APIBench {
  let bench: Bench
  let directory: TemporaryDirectory
  let photos: String

  static let segment = ClientID.derived(kind: "segment", name: "Banke").description
  static let east = ClientID.derived(kind: "post", name: "BNP-A").description
  static let sita = ClientID.derived(kind: "profile", name: "9779801234567").description

  init() throws {
    let directory = try TemporaryDirectory()
    let store = try SQLiteCentralStore(path: directory.file("api.db"), reserveBytes: 0)
    let rest = SQLiteRestStore(of: store, rules: { JudgingRules() }, onChanges: { _ in })
    try self.init(store, rest, in: directory)
  }

  /// - Parameters:
  ///   - rest: The tables of the store.
  ///   - isCentrals: Whether what comes in by other ways is kept there, too.
  init(
    _ store: any CentralStore, _ rest: any RestStore & Sendable,
    in directory: TemporaryDirectory, isCentrals: Bool = false
  ) throws {
    self.directory = directory
    photos = directory.file("photos")
    var entries: [DirectoryEntry] = [
      .segment(
        try Segment(
          name: "Banke", distanceKilometres: 45, minimumKilometresPerHour: 10,
          maximumKilometresPerHour: 40))
    ]
    for (code, name, index) in [("BNP-A", "East", 0), ("BNP-B", "West", 1)] {
      let place = Post.Place(segment: "Banke", index: index)
      entries.append(.post(Post(code: try CheckpostCode(code), name: name, place: place)))
    }
    for (name, number, code) in [
      ("Sita", "+9779801234567", "BNP-A"), ("Ram", "+9779807654321", "BNP-B"),
    ] {
      let phone = try #require(PhoneNumber(number))
      entries.append(
        .ranger(Ranger(name: name, phone: phone, checkpost: try CheckpostCode(code))))
    }
    _ = try store.put(entries)
    var api = CentralAPI(
      store: rest, authenticator: WordAuthenticator(),
      photos: ObjectDirectory(photos, reserveBytes: 0))
    api.lookForOverdue = { _ in 3 }
    api.links = TokenKeys([try TokenKey(AuthBench.secret)])
    bench = try Bench(api: api, store: isCentrals ? store : nil)
  }

  /// A passage of the eastern post in JSON.
  static func passage(_ number: Int, _ plate: String = "BA1PA1234") -> String {
    let client = ClientID(random: UInt64(number), UInt64(number))
    return
      "{\"client_id\":\"\(client)\",\"plate_number\":\"\(plate)\",\"plate_number_raw\":\"\(plate)\","
      + "\"vehicle_type\":\"jeep\",\"checkpost_id\":\"\(east)\",\"segment_id\":\"\(segment)\","
      + "\"ranger_id\":\"\(sita)\",\"recorded_at\":\"2024-02-28T12:30:00Z\",\"source\":\"app\"}"
  }

  static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array("a photograph".utf8)
}

/// Lets in whoever names whom they are: for tests of what comes behind the authentication.
struct WordAuthenticator: Authenticator {
  func principal(of credentials: Credentials) async throws(AccessRefusal) -> Principal {
    let words = credentials.authorization?.split(separator: " ").last.map(String.init)
    switch words ?? credentials.key {
    case nil:
      throw AccessRefusal(status: 401, code: nil, message: "No API key found in request")
    case "anon": return Principal(.anonymous, by: .key("anon"))
    case "service": return Principal(.service, by: .key("service"))
    case "east":
      return Principal(
        .ranger, account: AccountID(APIBench.sita), post: try? CheckpostCode("BNP-A"),
        segment: "Banke", by: .session("1"))
    case "west":
      return Principal(
        .ranger,
        account: AccountID(ClientID.derived(kind: "profile", name: "9779807654321").description),
        post: try? CheckpostCode("BNP-B"), segment: "Banke", by: .session("2"))
    case "expired":
      throw AccessRefusal(
        status: 401, code: "PGRST303", message: "JWT expired",
        challenge: "Bearer error=\"invalid_token\", error_description=\"JWT expired\"")
    default: throw AccessRefusal(status: 401, code: nil, message: "Invalid API key")
    }
  }
}

extension RouterClient {
  /// Sends a request of the API.
  func ask(
    _ method: String, _ path: String, _ body: [UInt8] = [], as who: String? = "east",
    _ headers: [(String, String)] = []
  ) async throws -> Answer {
    var fields = headers.map { (name: $0.0, value: $0.1) }
    if let who { fields.append(("Authorization", "Bearer \(who)")) }
    return try await send(path, method: method, headers: fields, body)
  }
}
