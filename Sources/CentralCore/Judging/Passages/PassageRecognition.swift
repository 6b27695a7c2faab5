public import Passages

/// One vehicle that passed one post, put together from all that came of it.
public struct RecognisedPassage: Hashable, Sendable {
  /// What it was put together from, the earliest first; at least one.
  public let records: [PassageRecord]
  /// The number of the record that was made first. Under it the passage stands; the others are further
  /// names of it.
  public let row: Int64

  init(_ records: [PassageRecord]) {
    self.records = records
    row = records.map(\.number).min() ?? records[0].number
  }

  /// Where, which vehicle, and when first.
  public var place: ContentKey { records[0].place }

  /// The second of its first record: the time that its place among the others follows from.
  public var earliest: Int64 { records[0].place.second }

  /// The second of its last record.
  public var latest: Int64 { records[records.count - 1].place.second }

  /// Whether its time is known.
  public var isDated: Bool { records[0].isDated }

  /// The numbers of the records that stand under ``row``, without that one.
  public var retired: [Int64] { records.map(\.number).filter { $0 != row }.sorted() }

  /// What is known of it.
  public var content: PassageContent { PassageContent(of: records) }
}

/// Finds out which records are the same passage.
public enum PassageRecognition {
  /// A record that stands under another number than before.
  public struct Move: Hashable, Sendable {
    /// The number of the record.
    public var record: Int64
    /// The row under which it stood; nil of a new one.
    public var before: Int64?
    /// The row under which it stands: its own number, or that of another record of the passage.
    public var now: Int64
  }

  /// Puts records of one vehicle at one post together: a passage begins with a record and holds all that
  /// follow it within the window, counted from that first one. Nothing is chained, so a vehicle that passes
  /// again and again stays as many passages; and beginning with the first record of all, what comes out is
  /// a function of the set.
  ///
  /// - Parameters:
  ///   - records: Records of any vehicles and posts.
  ///   - window: Seconds for which a passage of that post is open to further records.
  /// - Returns: The passages by vehicle, second and post.
  public static func passages(
    of records: [PassageRecord], window: (CheckpostCode) -> Int64
  ) -> [RecognisedPassage] {
    struct Placed {
      var place: ContentKey
      var record: PassageRecord
    }
    let placed = records.map { Placed(place: $0.place, record: $0) }.sorted { left, right in
      if left.place != right.place { return left.place < right.place }
      return left.record.received < right.record.received
    }
    var passages: [[Placed]] = []
    var open: [CheckpostCode: Int] = [:]
    for next in placed {
      guard next.record.isDated else {
        passages.append([next])
        continue
      }
      if let index = open[next.place.post], let first = passages[index].first,
        first.place.plate == next.place.plate,
        next.place.second - first.place.second <= window(next.place.post)
      {
        passages[index].append(next)
      } else {
        open[next.place.post] = passages.count
        passages.append([next])
      }
    }
    return passages.map { RecognisedPassage($0.map(\.record)) }
  }

  /// What changed against how the records stood.
  ///
  /// - Parameter rows: The row under which each record stood, by its number.
  public static func moves(of passages: [RecognisedPassage], since rows: [Int64: Int64]) -> [Move] {
    passages.flatMap { passage in
      passage.records.compactMap { record in
        let before = rows[record.number]
        return before == passage.row
          ? nil : Move(record: record.number, before: before, now: passage.row)
      }
    }.sorted { $0.record < $1.record }
  }
}
