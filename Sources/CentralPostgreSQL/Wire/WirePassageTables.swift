import CentralCore
import Passages
import PostgreSQL
import RestAPI
import Storage
import Time

/// What writing passages over the API needs of the database, over a connection in a transaction.
final class WirePassageTables: PassageStore {
  private let rows: WireTables
  private let place: String
  private let now: WallTime
  /// What the database failed with first.
  private(set) var failure: PostgreSQLError?

  private var connection: PostgreSQLConnection { rows.connection }

  init(_ connection: PostgreSQLConnection, of place: String, now: WallTime) {
    rows = WireTables(connection: connection)
    self.place = place
    self.now = now
  }

  func facts(of rows: [HandedPassage]) throws(PassageFailure) -> [HandedPassageFacts] {
    try sorted { () throws(PostgreSQLError) in
      let identities: [String?] = rows.map(\.identity.description)
      // As whoever receives locks them, for as long as the transaction lasts.
      try connection.query(
        "SELECT checkpost.lock_rows($1, $2::uuid[])",
        [.texts(rows.map(\.plate)), .texts(identities)])
      var facts: [HandedPassageFacts] = []
      for row in try connection.query(
        WirePassageTables.factsStatement,
        [
          .texts(identities), .texts(rows.map { $0.name?.description }),
          .texts(rows.map { WirePassageTables.named($0.post) }),
          .texts(rows.map { WirePassageTables.named($0.segment) }),
          .texts(rows.map { WirePassageTables.named($0.ranger) }),
        ]
      ).rows {
        facts.append(
          HandedPassageFacts(
            isKnown: try row.value("is_known", .bool),
            isNameTaken: try row.value("is_taken", .bool),
            isOwnName: try row.value("is_own", .bool),
            post: try row.optional("code", .text).flatMap { try? CheckpostCode($0) },
            isOnSegment: try row.value("is_on_segment", .bool),
            suffix: try row.value("is_person", .bool)
              ? PhoneSuffix(phoneNumber: try row.optional("phone_number", .text)) : nil,
            rangerPost: try row.optional("ranger_post", .text)))
      }
      return facts
    }
  }

  private static func named(_ uuid: String) -> String? { uuid.isEmpty ? nil : uuid }

  private static let factsStatement = """
    SELECT EXISTS (SELECT FROM checkpost.identities i WHERE i.client_id = u.identity)
        OR EXISTS (SELECT FROM public.vehicle_passages v WHERE v.client_id = u.identity) AS is_known,
      u.name IS DISTINCT FROM u.identity AND (
        EXISTS (SELECT FROM checkpost.records r WHERE r.passage_id = u.name)
        OR EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = u.name)
        OR EXISTS (SELECT FROM checkpost.identities i WHERE i.client_id = u.name)) AS is_taken,
      u.name IS NOT NULL AND (
        EXISTS (SELECT FROM checkpost.identities i JOIN checkpost.records r ON r.number = i.record
          JOIN checkpost.records s ON s.number = r.row_number
          WHERE i.client_id = u.identity AND u.name IN (r.passage_id, s.passage_id))
        OR EXISTS (
          SELECT FROM public.vehicle_passages v WHERE v.client_id = u.identity AND v.id = u.name)) AS is_own,
      c.code, EXISTS (SELECT FROM checkpost.held_ends e JOIN checkpost.known_segments k ON k.id = e.segment_id
        WHERE e.post_id = u.post AND e.segment_id = u.segment) AS is_on_segment,
      p.id IS NOT NULL AS is_person, p.phone_number, p.assigned_checkpost_id AS ranger_post
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[]) WITH ORDINALITY
      AS u(identity, name, post, segment, ranger, place)
    LEFT JOIN checkpost.api_checkposts c ON c.id = u.post
    LEFT JOIN LATERAL (
      SELECT p.id, p.phone_number, p.assigned_checkpost_id FROM checkpost.api_user_profiles p WHERE p.id = u.ranger LIMIT 1) p ON true
    ORDER BY u.place
    """

  func records(
    identifiedBy identities: [ClientID]
  ) throws(PassageFailure) -> [ClientID: KnownPassage] {
    guard !identities.isEmpty else { return [:] }
    return try sorted { () throws(PostgreSQLError) in
      var records: [ClientID: (received: ContentKey, plate: String, reports: [Observation])] = [:]
      for row in try connection.query(
        """
        SELECT i.client_id, r.received_post, r.received_plate, r.received_second, r.plate, o.client_id, o.post,
          o.plate, o.raw_plate, o.vehicle_type, o.recorded_at, o.ranger, o.suffix, o.photo_path, o.channel, o.is_proven,
          o.received_at, o.clock_seconds, o.is_clock_unset
        FROM checkpost.identities i JOIN checkpost.records r ON r.number = i.record
          JOIN checkpost.observations o ON o.record = r.number
        WHERE i.client_id = ANY ($1::uuid[]) ORDER BY o.number
        """, [.texts(identities.map(\.description))]
      ).rows {
        var reader = ColumnReader(row)
        let identity = try reader.identity()
        let key = ContentKey(
          post: try reader.post(), plate: try reader.next(.text),
          second: try reader.next(.integer))
        let plate = try reader.next(.text)
        let report = try JudgingDatabase.observation(&reader)
        records[identity, default: (key, plate, [])].reports.append(report)
      }
      return records.compactMapValues { known in
        PassageRecord(
          number: 0, received: known.received, observations: known.reports, corrections: [],
          isContradicted: false
        ).map {
          KnownPassage(received: $0.received, plate: known.plate, reports: $0.observations)
        }
      }
    }
  }

  func identities(of filters: [RestFilter]) throws(PassageFailure) -> [ClientID] {
    guard let column = Catalogue.passages.column("client_id") else { return [] }
    do throws(WireFailure) {
      return try rows.keys(filters, column, of: Catalogue.passages).compactMap { ClientID($0) }
    } catch {
      switch error {
      case .refused(let error): throw .refused(error)
      case .failed(let error): throw noted(error)
      }
    }
  }

  func posts(identified uuids: [String]) throws(PassageFailure) -> [String: CheckpostCode] {
    try sorted { () throws(PostgreSQLError) in
      var found: [String: CheckpostCode] = [:]
      for row in try connection.query(
        "SELECT id, code FROM checkpost.api_checkposts WHERE id = ANY ($1::uuid[])",
        [.texts(uuids.map { WirePassageTables.named($0) })]
      ).rows {
        found[try row.value("id", .text)] = try? CheckpostCode(try row.value("code", .text))
      }
      return found
    }
  }

  func take(_ arrivals: [PassageArrival]) throws(PassageFailure) -> TakenArrivals {
    do throws(PostgreSQLError) {
      return try JudgingDatabase(connection).take(arrivals, at: now)
    } catch {
      // Somebody else was faster with an identity or a name, for another vehicle.
      guard error.isViolation(.uniqueViolation) else { throw noted(error) }
      throw .refused(.duplicate("\(Catalogue.passages.name)_client_id_key"))
    }
  }

  func rows(of reads: [RestRead]) throws(PassageFailure) -> [String] {
    try sorted { () throws(PostgreSQLError) in try rows.rows(of: reads) }
  }

  private func sorted<Value>(
    _ body: () throws(PostgreSQLError) -> Value
  ) throws(PassageFailure) -> Value {
    do throws(PostgreSQLError) {
      return try body()
    } catch {
      throw noted(error)
    }
  }

  private func noted(_ error: PostgreSQLError) -> PassageFailure {
    failure = failure ?? error
    return .failed(StorageError(error, of: place))
  }
}
