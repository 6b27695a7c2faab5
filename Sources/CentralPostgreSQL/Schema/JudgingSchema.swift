/// The SQL of the schema `checkpost`, in the order in which it is run, with `checkpost` as search path.
///
/// `checkpost` holds what was received and what follows from it; the deployed tables in `public` show it.
enum JudgingSchema {
  /// What makes the tables and types of version 1; see ``version2``.
  static let tables = [settings, records, judgements, types]

  /// What later versions have beside that one, in the order in which it is run.
  static func newer(than version: Int64) -> [String] {
    [
      (2, version2), (3, version3), (4, version4), (5, version5), (6, version6), (7, version7),
      (8, version8), (9, version9), (10, version10), (11, version11), (12, version12),
      (13, version13), (14, version14), (15, version15), (16, version16),
    ].filter { $0.0 > version }.flatMap(\.1)
  }

  /// What makes its functions; running it again replaces them.
  static let functions = [
    plates, readable, places, stays, division, expiring, receiving, correcting, assigning,
    span,
    travels,
    contents,
    passages,
    pairs,
    verdicts,
    violations, settling, overdue, projection, shownViolations, judging, second, locks, services,
    devices,
    deviceDoubts, duties,
    rejudging, adopting, putting, puttingPlaces, keeping, counting, wire, byIdentity, forgetting,
    lettingGo,
    wanting,
  ]

  /// What puts its functions behind the deployed tables.
  static let triggers = [
    refusals, rowRules, insertTriggers, changeTriggers, directoryTriggers, deviceTriggers,
    accountRules,
    fines, placeTriggers, keepingOriginals, feedTriggers,
  ]
}
