import Accounts
import PostgreSQL
import RestAPI
import RestSQL
import Storage
import Time

/// What central's people change of profiles and alerts, which are told by views.
extension PostgreSQLRestStore {
  func changeProfiles(_ update: RestUpdate, at now: WallTime) throws(RestError) -> RestChange {
    guard !update.changes.isEmpty else { return RestChange([], count: 0) }
    let ids = try keys(update)
    try update.telling.check(ids.count)
    let outcome: Result<RestError?, RestError>
    do throws(StorageError) {
      outcome = .success(
        try store.accountTransaction(within: writeTimeout) { rows throws(StorageError) in
          // What is refused is found before anything is written.
          try ProfileWriting.change(update, of: ids, rows, at: now)
        })
    } catch {
      outcome = .failure(RestError(error))
    }
    if let refusal = try outcome.get() { throw refusal }
    return RestChange(try told(ids, update), count: ids.count)
  }

  /// Puts people in who have no account.
  func addProfiles(_ insert: RestInsert, at now: WallTime) throws(RestError) -> RestChange {
    let outcome: Result<[String], RestError>
    do throws(StorageError) {
      outcome = try store.accountTransaction(within: writeTimeout) { rows throws(StorageError) in
        let outcome = try ProfileWriting.insert(insert, rows, at: now)
        // What was put in before the one that is refused is taken back.
        if case .failure = outcome {
          try rows.connection.run { connection throws(PostgreSQLError) in
            connection.rollBackAtEnd()
          }
        }
        return outcome
      }
    } catch {
      throw RestError(error)
    }
    let ids = try outcome.get()
    guard insert.telling.tells, let key = insert.table.columns.first else {
      return RestChange([], count: ids.count)
    }
    return RestChange(
      try rows(of: ids.map { insert.telling.read(key, .text($0)) }), count: ids.count)
  }

  /// Nobody waits for the vehicles any more.
  func endAlerts(_ update: RestUpdate, at now: WallTime) throws(RestError) -> RestChange {
    guard !update.changes.isEmpty else { return RestChange([], count: 0) }
    try AlertChange.check(update)
    let ids = try keys(update)
    try update.telling.check(ids.count)
    try perform(writing) { connection throws(WireFailure) in
      try WireFailure.asked { () throws(PostgreSQLError) in
        _ = try connection.query(
          """
          WITH wanted AS (
            SELECT a.entry FROM checkpost.alerts a JOIN checkpost.records r ON r.number = a.entry
              JOIN public.proactive_overstay_alerts p ON p.entry_passage_id = r.passage_id
            WHERE p.id::text = ANY ($1) AND a.ending IS NULL),
          gone AS (DELETE FROM checkpost.waiting w USING wanted n WHERE w.entry = n.entry)
          UPDATE checkpost.alerts a SET ending = 'expired', ended_at = $2 FROM wanted n WHERE a.entry = n.entry
          """, [.texts(ids), .time(now)])
        _ = try connection.query(
          """
          UPDATE public.proactive_overstay_alerts SET resolved = true, resolved_at = $2
            WHERE id::text = ANY ($1) AND NOT resolved
          """, [.texts(ids), .time(now)])
      }
    }
    return RestChange(try told(ids, update), count: ids.count)
  }

  private func keys(_ update: RestUpdate) throws(RestError) -> [String] {
    guard let key = update.table.columns.first else { return [] }
    return try perform(store.run, isReading: true) { connection throws(WireFailure) in
      try WireTables(connection: connection).keys(
        [update.filter, update.changeable, update.telling.visible], key, of: update.table)
    }
  }

  private func told(_ ids: [String], _ update: RestUpdate) throws(RestError) -> [String] {
    guard update.telling.tells, let key = update.table.columns.first else { return [] }
    return try rows(of: ids.map { update.telling.read(key, .text($0)) })
  }
}
