import JSON
import NodeCore
import NodeService
import Passages
import ServerModel
import Storage
import Time

/// Other clients of the server: another version of the program, or a person with the same passage.
extension World {
  /// Another client writes a row under the identity of a passage that waits, with another plate.
  mutating func writeAsAnother() {
    var query = QueueQuery()
    query.status = .pending
    query.limit = 50
    guard !isDown, let waiting = try? machine.store.list(query), !waiting.isEmpty else { return }
    let item = waiting[random.draw(0...(waiting.count - 1))]
    let client = item.passage.clientID.description
    // One that gets another identity yet is none that another client could have.
    guard !item.passage.isUndated, let name = name(of: client), !corrected.contains(name) else {
      return
    }
    let row: [String: JSONValue] = [
      "client_id": .text(client), "plate_number": "LU 1 KHA 1", "vehicle_type": "bus",
      "checkpost_id": .text(ServerModel.Pilot.east),
      "segment_id": .text(ServerModel.Pilot.segment),
      "ranger_id": .text(ServerModel.Pilot.eastRanger),
      "recorded_at": .text(item.passage.recordedAt.rfc3339),
    ]
    guard server.put(row, into: "vehicle_passages", at: clock.truth()) else { return }
    report.contested += 1
    written.insert(client)
  }

  /// What counts as synced is what the server has, or the difference was found.
  mutating func checkSame(_ row: [String: JSONValue], _ item: QueueItem) throws(StorageError) {
    let client = item.passage.clientID.description
    guard written.contains(client), row["plate_number"]?.text == "LU 1 KHA 1" else { return }
    let found = try machine.store.conflicts(limit: 1_000, onlyOpen: false)
    if !found.contains(where: { $0.queueID == item.queueID }) {
      violate(
        .trulySynced,
        "the server has something else than was recorded, and nobody noticed: \(client)")
    }
  }
}
