public import Passages

/// One vehicle that passed one post, put together from all that came of it.
public struct RecognisedPassage: Hashable, Sendable {
  /// What it was put together from; at least one. Those that can change what is proven come first, then those that
  /// rest on texts alone; each the earliest first.
  public let records: [PassageRecord]
  /// The number of the record that was made first. Under it the passage stands; the others are further
  /// names of it.
  public let row: Int64

  init(_ records: [PassageRecord]) {
    let founded = records.filter(\.isFounded)
    self.records = founded + records.filter { !$0.isFounded }
    row = records.map(\.number).min() ?? records[0].number
    last = founded.last ?? records[records.count - 1]
  }

  /// The last of those that its time follows from.
  private let last: PassageRecord

  /// Where, which vehicle, and when first. What rests on texts alone says nothing of that where there is anything
  /// better.
  public var place: ContentKey { records[0].place }

  /// The second of its first record: the time that its place among the others follows from.
  public var earliest: Int64 { records[0].place.second }

  /// The second of its last record.
  public var latest: Int64 { last.place.second }

  /// From the first to the last second that any of its records says, those by texts alone as well.
  public var told: ClosedRange<Int64> {
    let seconds = records.map(\.place.second)
    return (seconds.min() ?? earliest)...(seconds.max() ?? latest)
  }

  /// Whether it can change what is proven.
  public var isFounded: Bool { records[0].isFounded }

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
  /// What rests on texts alone is put in afterwards, so that it changes nothing of the others: into a passage that
  /// began within the window before it, or begins within the window behind it; else several of them make a passage
  /// in the same way.
  ///
  /// - Parameters:
  ///   - records: Records of any vehicles and posts.
  ///   - window: Seconds for which a passage of that post is open to further records.
  /// - Returns: The passages by vehicle, second and post.
  public static func passages(
    of records: [PassageRecord], window: (CheckpostCode) -> Int64
  ) -> [RecognisedPassage] {
    let placed = records.map { Placed(place: $0.place, record: $0) }.sorted()
    var growing = GrowingPassages()
    for next in placed where !next.record.isDated || next.record.isFounded {
      growing.add(next, window: window(next.place.post))
    }
    for next in placed where next.record.isDated && !next.record.isFounded {
      growing.join(next, window: window(next.place.post))
    }
    return growing.passages.map { $0.sorted() }.sorted { $0.leading < $1.leading }
      .map { RecognisedPassage($0.map(\.record)) }
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

/// A record at its place, which takes some time to find out.
private struct Placed: Comparable {
  var place: ContentKey
  var record: PassageRecord

  static func < (left: Placed, right: Placed) -> Bool {
    if left.place != right.place { return left.place < right.place }
    return left.record.received < right.record.received
  }
}

extension [Placed] {
  /// The one that the place of the passage follows from.
  fileprivate var leading: Placed { first { $0.record.isFounded } ?? self[0] }
}

/// Passages while they are put together.
private struct GrowingPassages {
  private struct Vehicle: Hashable {
    var post: CheckpostCode
    var plate: String

    init(_ place: ContentKey) { (post, plate) = (place.post, place.plate) }
  }

  private(set) var passages: [[Placed]] = []
  /// The passage of a vehicle at a post that began last.
  private var open: [Vehicle: Int] = [:]
  /// Those that began with a record that can change what is proven, in order of time; and how many of them lie behind.
  private var founded: [Vehicle: [Int]] = [:]
  private var behind: [Vehicle: Int] = [:]

  /// Adds a record that depends on those before it alone. One without a time is a passage of its own.
  mutating func add(_ next: Placed, window: Int64) {
    guard next.record.isDated else {
      passages.append([next])
      return
    }
    let vehicle = Vehicle(next.place)
    if let last = founded[vehicle]?.last,
      next.place.second - passages[last][0].place.second <= window
    {
      passages[last].append(next)
    } else {
      founded[vehicle, default: []].append(passages.count)
      passages.append([next])
    }
  }

  /// Adds a record that changes nothing of those, in order of time.
  mutating func join(_ next: Placed, window: Int64) {
    let vehicle = Vehicle(next.place)
    let second = next.place.second
    let all = founded[vehicle] ?? []
    var place = behind[vehicle] ?? 0
    while place < all.count, passages[all[place]][0].place.second <= second { place += 1 }
    behind[vehicle] = place
    let begun = place > 0 ? all[place - 1] : nil
    let begins = place < all.count ? all[place] : nil
    if let begun, second - passages[begun][0].place.second <= window {
      passages[begun].append(next)
    } else if let begins, passages[begins][0].place.second - second <= window {
      passages[begins].append(next)
    } else if let last = open[vehicle], second - passages[last][0].place.second <= window {
      passages[last].append(next)
    } else {
      open[vehicle] = passages.count
      passages.append([next])
    }
  }
}
