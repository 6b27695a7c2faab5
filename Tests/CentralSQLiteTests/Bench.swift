import CentralCore
import CentralSQLite
import Foundation
import GRDB
import Passages
import Testing
import Time

/// A store in a directory of its own, with two posts on one segment and a ranger.
final class Bench {
  let path: String
  var store: SQLiteCentralStore
  let wall = WallTime(epochSeconds: 1_709_123_500)
  var rules = CentralRules()
  private let directory: String

  init() throws {
    directory = NSTemporaryDirectory() + "checkpost-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    path = directory + "/central.db"
    store = try SQLiteCentralStore(path: path)
    try store.put(try banepa())
    try store.put(try post("BNP-A", place: Post.Place(segment: "Banepa", index: 0)))
    try store.put(try post("BNP-B", place: Post.Place(segment: "Banepa", index: 1)))
    try store.put(
      Ranger(
        name: "Sita", phone: try number("+9779841114567"), checkpost: try CheckpostCode("BNP-A")))
  }

  deinit {
    try? store.close()
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Ends the process and starts it again.
  func reopen() throws {
    try store.close()
    store = try SQLiteCentralStore(path: path)
  }

  /// Runs SQL beside the store, as another program could.
  func execute(_ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// The files as they are at this moment, as a crash would leave them.
  func crashImage() throws -> SQLiteCentralStore {
    let copy = directory + "/image-" + UUID().uuidString + ".db"
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    return try SQLiteCentralStore(path: copy)
  }

  /// Keeps and judges a text.
  @discardableResult
  func receive(
    _ text: String, id: String, from: String = "+9779841114567", provider: Provider = "twilio"
  ) throws -> [Decoded] {
    _ = try store.keep([
      InboundMessage(
        provider: provider, providerID: id, from: from, text: text, receivedAt: wall)
    ])
    return try decode()
  }

  @discardableResult
  func decode() throws -> [Decoded] {
    try store.decode(rules: rules, at: wall)
  }

  func reprocess(_ id: Int64, waiving waiver: Waiver = []) throws -> [Decoded] {
    try store.reprocess(id, rules: rules, waiving: waiver, at: wall)
  }

  /// Keeps a text, and does not judge it yet.
  func keep(_ text: String, id: String, from: String = "+9779841114567") throws {
    _ = try store.keep([
      InboundMessage(
        provider: "twilio", providerID: id, from: from, text: text, receivedAt: wall)
    ])
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

func number(_ text: String) throws -> PhoneNumber {
  try #require(PhoneNumber(text))
}

/// A V1 text of BNP-A, each with a time of its own.
func text(_ index: Int, post: String = "BNP-A") -> String {
  "V1|\(post)|BA1PA1234|CAR|\(1_709_120_000 + index)|4567"
}
