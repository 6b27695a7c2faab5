import CentralCore
import CentralSQLite
import CentralService
import Foundation
import GSM
import Passages
import Synchronization
import TestSupport
import Testing
import Time

/// A machine over a store in a directory of its own, with two posts on one segment and a ranger.
final class Bench {
  let path: String
  let store: any CentralStore
  var machine: CentralMachine
  let directory: TemporaryDirectory

  static let wall = WallTime(epochSeconds: 1_709_123_500)

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("central.db")
    store = try SQLiteCentralStore(path: path)
    let importer = CentralImporter(store: store, now: Bench.wall)
    _ = try importer.read(
      Array("name,distance_km,min_speed_kmh,max_speed_kmh\nBanepa,30,20,60\n".utf8),
      as: .segments)
    _ = try importer.read(
      Array(
        """
        code,name,segment,position_index,phone
        BNP-A,North,Banepa,0,+9779801000001
        BNP-B,South,Banepa,1,+9779801000002
        """.utf8), as: .posts)
    _ = try importer.read(
      Array("name,phone,checkpost\nSita,+9779841114567,BNP-A\n".utf8), as: .rangers)
    machine = CentralMachine(store: store, rules: CentralRules())
  }

  deinit {
    try? store.close()
  }

  @discardableResult
  func receive(_ pdus: [String]) throws -> [ProcessedMessage] {
    _ = try machine.keep(pdus.map { InboundMessage(ReceivedPDU(hex: $0), receivedAt: Bench.wall) })
    return try machine.process(at: Bench.wall).messages
  }
}

/// What was said, in order.
final class Said<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  func add(_ value: Value) {
    values.withLock { $0.append(value) }
  }

  var all: [Value] {
    values.withLock { $0 }
  }
}

/// A V1 text of BNP-A, each with a time of its own.
func text(_ index: Int) -> String {
  "V1|BNP-A|BA1PA\(1_234 + index)|CAR|\(1_709_120_000 + index)|4567"
}

/// The PDUs in which a modem receives a text.
func pdus(
  _ text: String, from sender: String = "+9779801000001", reference: UInt16 = 7,
  second: Int64 = 1_709_123_400
) throws -> [String] {
  var options = SubmitOptions()
  options.concatenationReference = reference
  let parts = try MessageComposer.messages(
    text: text, to: try Address("+9779800000000"), options: options)
  return try parts.map { part in
    let deliver = SMSDeliver(
      from: try Address(sender), userData: part.userData,
      timestamp: ServiceCentreTime(epochSeconds: second, quarterHours: 23))
    return Hex.encode(try PDU(tpdu: .deliver(deliver)).encoded())
  }
}
