public import CentralCore
public import Storage

/// What an import changes of violations that were found, for the person who has to say whether it may.
public struct ImportEffect: Hashable, Sendable {
  /// How many vehicles are judged at most to tell it, while nobody else writes.
  public static let vehicles = Limits.triedVehicles

  /// Found now, also again.
  public private(set) var made = 0
  /// Others than before.
  public private(set) var changed = 0
  /// Taken back.
  public private(set) var retracted = 0
  /// Those among the changed and the retracted that a person confirmed.
  public private(set) var confirmed = 0
  /// Those among the changed and the retracted of which it is recorded that somebody was fined.
  public private(set) var fined = 0
  /// Whether all vehicles were looked at that it concerns.
  public let isWhole: Bool

  /// What was tried, beside what stands.
  public init(_ trial: DirectoryTrial, in store: any CentralStore) throws(StorageError) {
    isWhole = trial.isWhole
    // The entry of each that is changed or taken back, once for each time.
    var touched: [Int64] = []
    for change in trial.changes.violations {
      switch change.revision.change {
      case .made, .renewed: made += 1
      case .changed:
        changed += 1
        touched.append(change.revision.entry)
      case .retracted:
        retracted += 1
        touched.append(change.revision.entry)
      }
    }
    var rest = touched[...]
    while !rest.isEmpty {
      let part = rest.prefix(Limits.violationsAtOnce)
      rest = rest.dropFirst(part.count)
      var query = ViolationQuery()
      (query.entries, query.standing, query.limit) = (Array(part), .all, part.count)
      let times = part.reduce(into: [Int64: Int]()) { $0[$1, default: 0] += 1 }
      for known in try store.violations(query) {
        let count = times[known.violation.finding.entry.row] ?? 0
        if known.violation.confirmedAt != nil { confirmed += count }
        if known.outcome?.kind == .fined { fined += count }
      }
    }
  }

  /// Whether a person has to say that it may be: where something that was found is changed or taken back; and also
  /// where something is found of before, by numbers that always held.
  public func isToAsk(isAlways: Bool) -> Bool {
    changed + retracted > 0 || isAlways && made > 0
  }

  /// How many, in words.
  public var words: String {
    let part = isWhole ? "" : " among the first vehicles"
    var words =
      "\(made) violations would be made, \(changed) changed and \(retracted) retracted\(part)"
    if confirmed + fined > 0 {
      words += "; of those changed and retracted \(confirmed) are confirmed, and \(fined) are fined"
    }
    return words
  }
}
