import CentralCore
import Passages
import Storage
import Time

extension MemoryCentralStore {
  func passages(_ query: PassageQuery) throws(StorageError) -> [StoredPassage] {
    try use { state in
      let rows = state.judging.passages.keys.sorted()
      var passages = rows.compactMap { state.judging.passages[$0] }
        .compactMap { state.stored($0) }.filter { query.wants($0) }
      switch query.order {
      case .arrival(let row), .following(let row): passages.removeAll { $0.id <= row }
      case .newest(let place):
        passages.sort { $0.place > $1.place }
        if let place { passages.removeAll { $0.place >= place } }
      }
      return Array(passages.prefix(query.limit))
    }
  }

  func lastArrival() throws(StorageError) -> Int64 {
    try use { state in state.judging.passages.keys.max() ?? 0 }
  }

  func passages(
    identifiedBy identities: [ClientID]
  ) throws(StorageError) -> [ClientID: StoredPassage] {
    try use { state in
      var found: [ClientID: StoredPassage] = [:]
      for identity in identities {
        let row = state.judging.identities[identity].flatMap { state.judging.records[$0]?.row }
        found[identity] = row.flatMap { state.judging.passages[$0] }.flatMap { state.stored($0) }
      }
      return found
    }
  }

  func violations(_ query: ViolationQuery) throws(StorageError) -> [StoredViolation] {
    try use { state in
      let stored = state.judging.violations.values.compactMap { state.stored($0) }
      return Array(
        stored.filter { query.wants($0) }.sorted { $0.place > $1.place }.prefix(query.limit))
    }
  }

  func violation(_ uuid: ClientID) throws(StorageError) -> ViolationEvidence? {
    try use { state in
      state.judging.violations.values.first { $0.uuid == uuid }.flatMap { state.evidence($0) }
    }
  }

  func alerts(_ query: AlertQuery) throws(StorageError) -> [StoredAlert] {
    try use { state in
      let stored = state.judging.alerts.values.compactMap { state.stored($0) }
      return Array(
        stored.filter { query.wants($0) }.sorted { $0.place > $1.place }.prefix(query.limit))
    }
  }

  func clock(rules: JudgingRules, at wall: WallTime) throws(StorageError) -> ClockDuties {
    try change { rows throws(StorageError) in try rows.clock(rules: rules, at: wall) }
  }

  func rejudge(
    rules: JudgingRules, everything: Bool, limit: Int, at wall: WallTime
  ) throws(StorageError) -> Rejudged {
    try change { rows throws(StorageError) in
      try rows.rejudge(rules: rules, everything: everything, limit: limit, at: wall)
    }
  }

  func confirm(
    _ uuid: ClientID, by author: String?, actor: String?, rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> StoredViolation? {
    try change { rows throws(StorageError) in
      try rows.confirm(uuid, by: author, actor: actor, rules: rules, at: wall).flatMap {
        violation in
        rows.state.judging.violations[violation.finding.entry.row].flatMap { rows.state.stored($0) }
      }
    }
  }

  func record(
    _ outcome: ViolationOutcome, of uuid: ClientID, actor: String?
  ) throws(StorageError) -> OutcomeReceipt {
    try change { rows in rows.record(outcome, of: uuid) }
  }
}

extension PassageQuery {
  fileprivate func wants(_ stored: StoredPassage) -> Bool {
    let passage = stored.passage
    if let checkpost, passage.checkpost != checkpost { return false }
    if let segment, passage.segment != segment { return false }
    if let plate, passage.plate.compact != plate { return false }
    if let platePart, !passage.plate.compact.contains(platePart) { return false }
    if let suffix, passage.suffix != suffix { return false }
    if isUnpaired, stored.partner != nil { return false }
    if let since, passage.recordedAt < since { return false }
    if let until, passage.recordedAt >= until { return false }
    return !onSegment || passage.segment != nil
  }
}

extension ViolationQuery {
  fileprivate func wants(_ stored: StoredViolation) -> Bool {
    let (violation, finding) = (stored.violation, stored.violation.finding)
    if let entries, !entries.contains(finding.entry.row) { return false }
    if standing != .all, violation.isRetracted != (standing == .retracted) { return false }
    if let kind, finding.kind != kind { return false }
    if let finality, violation.finality != finality { return false }
    if isChangedAfterFinal, violation.changedFinalAt == nil { return false }
    if let doubt, !finding.doubts.contains(doubt) { return false }
    if let isConfirmed, (violation.confirmedAt != nil) != isConfirmed { return false }
    if let outcome, (outcome == .recorded) != (stored.outcome != nil) { return false }
    if let plate, finding.plate != plate { return false }
    if let segment, finding.segment != segment { return false }
    if let post, finding.entry.post != post, finding.exit.post != post { return false }
    if let since, finding.exit.earliest < since.epochSeconds { return false }
    if let until, finding.exit.earliest >= until.epochSeconds { return false }
    return after.map { stored.place < $0 } ?? true
  }
}

extension AlertQuery {
  fileprivate func wants(_ stored: StoredAlert) -> Bool {
    if isOpen, stored.alert.ending != nil { return false }
    if let plate, stored.alert.entry.place.plate != plate { return false }
    if let post, stored.alert.entry.place.post != post { return false }
    if let segment, stored.segment != segment { return false }
    if let since, stored.alert.entry.dueAt < since.epochSeconds { return false }
    if let until, stored.alert.entry.dueAt >= until.epochSeconds { return false }
    return after.map { stored.place < $0 } ?? true
  }
}
