import GRDB
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
            database, sql: "SELECT photo_path FROM passages WHERE photo_path IN (\(marks))",
            arguments: StatementArguments(some)))
      }
      return known
    }
  }
}
