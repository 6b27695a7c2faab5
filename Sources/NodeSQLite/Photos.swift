import GRDB
import NodeCore
import SQLiteFile
public import Storage

extension SQLiteNodeStore {
  /// Which of these names of photographs belong to passages.
  public func knownPhotos(among names: [String]) throws(StorageError) -> Set<String> {
    try file.read { database in
      var known: Set<String> = []
      var rest = names[...]
      while !rest.isEmpty {
        let some = Array(rest.prefix(Limits.namesAtOnce))
        rest = rest.dropFirst(some.count)
        let marks = some.map { _ in "?" }.joined(separator: ",")
        known.formUnion(
          try String.fetchSet(
            database,
            sql: """
              SELECT photo_path FROM passages WHERE photo_path IN (\(marks)) AND NOT EXISTS (
                SELECT 1 FROM uploads
                WHERE passage_id = passages.id AND kind = 'photo' AND dropped_ms IS NOT NULL)
              """, arguments: StatementArguments(some)))
      }
      return known
    }
  }

  /// Of which passages behind a place in the queue the photograph is not kept, and why.
  public func photosLeftOut(after queueID: Int64) throws(StorageError) -> [Int64: String] {
    try file.read { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT passage_id, reason FROM photos_left_out WHERE passage_id > ?
          ORDER BY passage_id LIMIT ?
          """, arguments: [queueID, NodeCore.Limits.page])
      return Dictionary(rows.map { ($0[0], $0[1]) }) { first, _ in first }
    }
  }
}
