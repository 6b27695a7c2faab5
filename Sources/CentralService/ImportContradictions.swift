import CentralCore
import Passages
import Time

/// Rows of one table that cannot both be meant: only the person who made the table knows which one is right, so that
/// none of them is put in.
struct ImportContradictions {
  /// What is wrong with rows, by their lines.
  private(set) var words: [Int: String] = [:]

  /// Looks through the rows of a table; those that say the same are none.
  ///
  /// - Parameter rows: Of each its line, what it says, and since when that holds of a segment.
  init(_ rows: [(line: Int, entry: DirectoryEntry, since: WallTime?)]) {
    var known: [String: [(line: Int, entry: DirectoryEntry, since: WallTime?)]] = [:]
    for row in rows {
      // A segment may be named with several days, from which on its numbers are others.
      var key = row.entry.key
      if case .segment = row.entry { key += row.since.map { " since \($0.milliseconds)" } ?? "" }
      known[key, default: []].append(row)
    }
    for rows in known.values where rows.count > 1 {
      guard let what = ImportContradictions.contradiction(among: rows) else {
        continue
      }
      let lines = rows.map { "\($0.line)" }
      let named = lines.dropLast().joined(separator: ", ") + " and " + (lines.last ?? "")
      for row in rows {
        words[row.line] = "\(row.entry.key) stands on the lines \(named) \(what)"
      }
    }
  }

  /// What is wrong with rows of one key; nil where all can be meant.
  private static func contradiction(
    among rows: [(line: Int, entry: DirectoryEntry, since: WallTime?)]
  ) -> String? {
    for (index, row) in rows.enumerated() {
      for later in rows.dropFirst(index + 1) {
        var (one, other) = (row.entry, later.entry)
        // A post may be named with several days, from which on it stood elsewhere.
        if row.since != later.since { (one, other) = (one.placeless, other.placeless) }
        if differ(one, other) { return words(one, other) }
      }
    }
    return nil
  }

  /// Whether two rows of one key cannot both be meant. A ranger may be named with several days, from which on they
  /// served at one post and then at another.
  private static func differ(_ one: DirectoryEntry, _ other: DirectoryEntry) -> Bool {
    switch (one, other) {
    case (.ranger(_, let since), .ranger(_, let later)) where since != later: return false
    case (.post(var post, let known), .post(let twin, _)) where known.contains(.place):
      // A post stands on a line of its own for each segment that it ends.
      guard let place = post.place, let end = twin.place, place.segment != end.segment else {
        return one != other
      }
      post.places = twin.places
      return post != twin
    default: return one != other
    }
  }

  /// In what two rows differ, and what to put right.
  private static func words(_ one: DirectoryEntry, _ other: DirectoryEntry) -> String? {
    switch (one, other) {
    case (.segment, .segment):
      return "with different numbers; leave the line that is right"
    case (.post(let post, _), .post(let twin, _)):
      if post.phone != twin.phone {
        return "with different numbers of its modem; leave the line that is right"
      }
      if post.name != twin.name {
        return "with two names, \(post.name) and \(twin.name); leave the line that is right"
      }
      guard let place = post.place, let end = twin.place, place.segment == end.segment else {
        return "with a segment and without one; leave the line that is right"
      }
      return
        "as both ends of the segment \(place.segment), which lies between two posts; name the other post"
        + " in one of them"
    case (.ranger, .ranger):
      return "with different names or posts, and without a day in since from which on each is so;"
        + " leave the line that is right"
    case (.number, .number):
      return "with different dates; leave the line that is right"
    default: return nil
    }
  }
}

extension DirectoryEntry {
  /// The same without where a post stands.
  fileprivate var placeless: DirectoryEntry {
    guard case .post(var post, let known) = self else { return self }
    post.places = []
    return .post(post, knowing: known.subtracting(.place))
  }
}
