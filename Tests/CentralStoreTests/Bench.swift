import CentralCore
import Passages
import TestSupport
import Testing
import Time

/// A kind of central store that the suite holds to the port. Another one is added here, and passes all
/// tests of this target that take a kind.
struct StoreKind: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let place: @Sendable () throws -> any StorePlace

  static let all =
    [sqlite, StoreKind(testDescription: "memory") { MemoryPlace() }]
    + (PostgreSQLServer.binaries == nil ? [] : [postgreSQL])

  /// Those that a central has its accounts and the tables of its API in, too.
  static let shipped = [sqlite] + (PostgreSQLServer.binaries == nil ? [] : [postgreSQL])

  static let sqlite = StoreKind(testDescription: "SQLite") { try SQLitePlace() }

  /// It needs PostgreSQL on this machine, which `make test` installs.
  static let postgreSQL = StoreKind(testDescription: "PostgreSQL") { try PostgreSQLPlace.used() }

  /// All, and PostgreSQL with its tables in partitions, for what partitions have a say in.
  static let divided =
    all
    + (PostgreSQLServer.binaries == nil
      ? []
      : [
        StoreKind(testDescription: "PostgreSQL by the month") { try PostgreSQLPlace.byMonth() }
      ])
}

/// Where a store lies that has nothing in it yet; it can be opened any number of times, also at once.
protocol StorePlace: AnyObject, Sendable {
  func open() throws -> any CentralStore
}

/// One in a database.
protocol SQLPlace: StorePlace {
  /// Runs SQL beside the store, as another program could.
  func execute(_ sql: String) throws
}

/// A store with two posts on one segment and a ranger.
final class Bench {
  let place: any StorePlace
  var store: any CentralStore
  let wall = WallTime(epochSeconds: 1_709_123_500)
  var rules = CentralRules()

  convenience init(_ kind: StoreKind) throws {
    try self.init(kind.place(), isEmpty: false)
  }

  init(_ place: any StorePlace, isEmpty: Bool = false) throws {
    self.place = place
    store = try place.open()
    guard !isEmpty else { return }
    try put(.segment(try banepa()))
    try put(.post(try post("BNP-A", place: Post.Place(segment: "Banepa", index: 0))))
    try put(.post(try post("BNP-B", place: Post.Place(segment: "Banepa", index: 1))))
    try put(.ranger(try ranger("Sita", "+9779841114567", "BNP-A")))
  }

  deinit {
    try? store.close()
  }

  /// Ends the process and starts it again.
  func reopen() throws {
    try store.close()
    store = try place.open()
  }

  /// Puts something into the directory, where nothing may stand in the way.
  func put(_ entry: DirectoryEntry) throws {
    #expect(try store.put([entry]) == [nil])
  }

  /// Keeps and processes a text.
  @discardableResult
  func receive(
    _ text: String, id: String, from: String = "+9779841114567", provider: Provider = "twilio"
  ) throws -> [ProcessedMessage] {
    try keep(text, id: id, from: from, provider: provider)
    return try process()
  }

  @discardableResult
  func process() throws -> [ProcessedMessage] {
    try store.process(rules: rules, at: wall).messages
  }

  func reprocess(_ id: Int64, waiving waiver: Waiver = []) throws -> [ProcessedMessage] {
    try store.reprocess(id, rules: rules, waiving: waiver, at: wall).messages
  }

  /// Keeps a text, and does not process it yet.
  @discardableResult
  func keep(
    _ text: String, id: String, from: String = "+9779841114567", provider: Provider = "twilio"
  ) throws -> [InboxReceipt] {
    try store.keep([message(text, id: id, from: from, provider: provider)])
  }

  func message(
    _ text: String, id: String, from: String = "+9779841114567", provider: Provider = "twilio"
  ) -> InboundMessage {
    InboundMessage(
      provider: provider, providerID: id, from: from, text: text, receivedAt: wall)
  }

  func clientIDs() throws -> [String] {
    try store.passages(PassageQuery()).map(\.passage.clientID.description)
  }
}

func banepa() throws -> Segment {
  try Segment(
    name: "Banepa", distanceKilometres: 30, minimumKilometresPerHour: 20,
    maximumKilometresPerHour: 60)
}

func post(_ code: String, place: Post.Place? = nil, phone: String? = nil) throws -> Post {
  Post(
    code: try CheckpostCode(code), name: "Post \(code)", place: place,
    phone: try phone.map { try number($0) })
}

func ranger(_ name: String, _ phone: String, _ post: String) throws -> Ranger {
  Ranger(name: name, phone: try number(phone), checkpost: try CheckpostCode(post))
}

func number(_ text: String) throws -> PhoneNumber {
  try #require(PhoneNumber(text))
}

/// A V1 text of BNP-A, each of a vehicle and with a time of its own.
func text(_ index: Int, post: String = "BNP-A") -> String {
  "V1|\(post)|BA1PA\(1_234 + index)|CAR|\(1_709_120_000 + index)|4567"
}
