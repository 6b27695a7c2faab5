import CentralCore
import Passages
import PostgreSQL
import Time

/// Records with their reports and corrections, for what decides here which of them may go.
extension JudgingDatabase {
  /// Records that fulfil a condition, by their number.
  func judgedRecords(
    _ condition: String, _ values: [PostgreSQLValue]
  ) throws(PostgreSQLError) -> [JudgedRecord] {
    let result = try connection.query(
      """
      SELECT r.number, r.received_post, r.received_plate, r.received_second, r.is_contradicted,
        r.row_number, r.passage_id, r.client_id, r.inbox_id, r.inserted_at,
        EXISTS (SELECT FROM checkpost.corrections c WHERE c.record = r.number)
      FROM checkpost.records r WHERE \(condition) ORDER BY r.number
      """, values)
    var numbers: [Int64] = []
    for row in result.rows { numbers.append(try row.value(0, .integer)) }
    let reports = try observations(of: numbers)
    var records: [JudgedRecord] = []
    for row in result.rows {
      var reader = ColumnReader(row)
      let number = try reader.next(.integer)
      let received = ContentKey(
        post: try reader.post(), plate: try reader.next(.text), second: try reader.next(.integer))
      let isContradicted = try reader.next(.bool)
      let stands = try reader.optional(.integer)
      let (uuid, client) = (try reader.identity(), try reader.identity())
      let (inbox, insertedAt) = (try reader.optional(.integer), try reader.next(.time))
      let corrections = try reader.next(.bool) ? try self.corrections(of: number) : []
      guard
        let record = PassageRecord(
          number: number, received: received, observations: reports[number] ?? [],
          corrections: corrections, isContradicted: isContradicted)
      else { continue }
      records.append(
        JudgedRecord(
          record, row: stands, uuid: uuid, clientID: client, inboxID: inbox, insertedAt: insertedAt)
      )
    }
    return records
  }

  /// Records of which a report or a correction names the plate.
  func records(naming plate: String) throws(PostgreSQLError) -> [JudgedRecord] {
    try judgedRecords(
      """
      r.number = ANY (ARRAY(SELECT p.number FROM checkpost.records p WHERE p.plate = $1
        UNION SELECT p.number FROM checkpost.records p WHERE p.received_plate = $1
        UNION SELECT c.record FROM checkpost.corrections c
          WHERE c.plate = $1 AND c.record IS NOT NULL))
      """, [.text(plate)])
  }

  private func observations(
    of records: [Int64]
  ) throws(PostgreSQLError) -> [Int64: [Observation]] {
    guard !records.isEmpty else { return [:] }
    let result = try connection.query(
      """
      SELECT o.record, o.client_id, o.post, o.plate, o.raw_plate, o.vehicle_type, o.recorded_at, o.ranger,
        o.suffix, o.photo_path, o.channel, o.is_proven, o.received_at, o.clock_seconds, o.is_clock_unset
      FROM checkpost.observations o WHERE o.record = ANY ($1) ORDER BY o.number
      """, [.integers(records)])
    var found: [Int64: [Observation]] = [:]
    for row in result.rows {
      var reader = ColumnReader(row)
      let record = try reader.next(.integer)
      found[record, default: []].append(try JudgingDatabase.observation(&reader))
    }
    return found
  }
}
