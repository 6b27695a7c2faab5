import CentralCore
import Passages
import Storage
import Time

extension MemoryTransaction: KeepingRows {
  func keptSince() -> Int64? { state.judging.keeping.since }

  func keeping() -> KeepingState { state.judging.keeping }

  func write(_ state: KeepingState) { self.state.judging.keeping = state }

  func newest() -> WallTime? {
    state.judging.passages.values.map(\.content.recordedAt).max()
  }

  func aged(after: AgedPassage.Place?, before second: Int64, limit: Int) -> [AgedPassage] {
    let all = state.judging.passages.values.map { passage in
      AgedPassage(
        place: AgedPassage.Place(
          milliseconds: passage.content.recordedAt.milliseconds, row: passage.name.row),
        plate: passage.content.plate, post: passage.place.post, isDated: passage.isDated,
        isAside: state.judging.aside.contains(passage.name.row))
    }.sorted { ($0.place.milliseconds, $0.place.row) < ($1.place.milliseconds, $1.place.row) }
    return Array(
      all.filter { passage in
        let place = passage.place
        guard place.milliseconds < second * 1_000 else { return false }
        return after.map { ($0.milliseconds, $0.row) < (place.milliseconds, place.row) } ?? true
      }.prefix(limit))
  }

  func records(under rows: [Int64]) -> [JudgedRecord] {
    state.judging.records.values
      .filter { rows.contains($0.record.number) || rows.contains($0.row ?? 0) }
      .sorted { $0.record.number < $1.record.number }
  }

  func records(naming plate: String) -> [JudgedRecord] {
    state.judging.records.values.filter { judged in
      let record = judged.record
      return record.received.plate == plate || record.place.plate == plate
        || record.corrections.contains { $0.plate?.compact == plate }
    }.sorted { $0.record.number < $1.record.number }
  }

  func violations(touching rows: [Int64]) -> [HeldViolation] {
    state.judging.violations.values.map(\.violation).filter {
      rows.contains($0.finding.entry.row) || rows.contains($0.finding.exit.row)
    }.map {
      HeldViolation(
        entry: $0.finding.entry.row, exit: $0.finding.exit.row, isRetracted: $0.isRetracted,
        closedAt: state.judging.outcomes[$0.finding.entry.row]?.at)
    }
  }

  func setAside(_ records: [Int64]) { state.judging.aside.formUnion(records) }

  func drop(_ records: [Int64]) -> Dropped {
    var dropped = Dropped()
    let gone = records.compactMap { state.judging.records[$0]?.record }
    for number in records {
      if let exit = state.judging.exits.removeValue(forKey: number) {
        state.judging.entries[exit] = nil
      }
      if let entry = state.judging.entries.removeValue(forKey: number) {
        state.judging.exits[entry] = nil
      }
      for violation in violations(touching: [number]) {
        state.judging.violations[violation.entry] = nil
        state.judging.revisions[violation.entry] = nil
        state.judging.confirmedBy[violation.entry] = nil
        state.judging.notes[violation.entry] = nil
        if state.judging.outcomes.removeValue(forKey: violation.entry) != nil {
          dropped.outcomes += 1
        }
        dropped.violations += 1
      }
      if state.judging.alerts.removeValue(forKey: number) != nil { dropped.alerts += 1 }
      state.judging.waiting[number] = nil
      if state.judging.passages.removeValue(forKey: number) != nil { dropped.passages += 1 }
    }
    var photographs: Set<PhotoName> = []
    for record in gone {
      dropped.reports += record.observations.count
      dropped.corrections += record.corrections.count
      photographs.formUnion(record.photoPaths.compactMap { PhotoName(path: $0) })
      forget(record)
    }
    for judged in state.judging.records.values {
      photographs.subtract(judged.record.photoPaths.compactMap { PhotoName(path: $0) })
    }
    let names = photographs.filter { $0.passage.map { !isTaken($0) } ?? true }.map(\.text)
    dropped.photographs = Set(names).subtracting(state.judging.photographs).count
    state.judging.photographs.formUnion(names)
    return dropped
  }

  private func forget(_ record: PassageRecord) {
    let number = record.number
    state.judging.gone[record.received.post, default: 0] += Int64(
      Set(record.observations.map(\.suffix.digits)).count)
    state.judging.records[number] = nil
    state.judging.reports[number] = nil
    state.judging.counts[number] = nil
    state.judging.aside.remove(number)
    state.judging.received[record.received] = nil
    state.judging.ofPlate[record.place.plate]?.remove(number)
    state.judging.identities = state.judging.identities.filter { $0.value != number }
    state.judging.names = state.judging.names.filter { $0.value != number }
  }

  func dropMessages(
    after: Int64, receivedBefore moment: WallTime, limit: Int
  ) -> (dropped: Int, last: Int64?) {
    let next = state.items.filter { $0.id > after }.prefix(limit)
    let old = next.filter { $0.receivedAt < moment }.map(\.id)
    return (drop(messages: old), old.isEmpty || next.count < limit ? nil : next.last?.id)
  }

  func drop(messages: [Int64]) -> Int {
    let used = Set(
      state.judging.reports.values.flatMap { $0.compactMap(\.origin.inboxID) }
        + state.judging.records.values.compactMap(\.inboxID))
    let before = state.items.count
    state.items.removeAll { messages.contains($0.id) && !used.contains($0.id) }
    return before - state.items.count
  }

  func dropEarly(naming plate: String) -> Int {
    var count = 0
    for (identity, corrections) in state.judging.early {
      let rest = corrections.filter { $0.plate?.compact != plate }
      count += corrections.count - rest.count
      state.judging.early[identity] = rest.isEmpty ? nil : rest
    }
    return count
  }

  func dropAudit(before moment: WallTime, limit: Int) -> Int { 0 }

  func dropEarly(before moment: WallTime, limit: Int) {
    for (identity, corrections) in state.judging.early
    where corrections.allSatisfy({ $0.madeAt < moment }) {
      state.judging.early[identity] = nil
    }
  }

  func note(_ dropped: Dropped, by actor: String?, at wall: WallTime) {}

  fileprivate func archived(after: Int64, limit: Int) -> [ArchivedMessage] {
    state.items.filter { $0.id > after }.prefix(limit).map {
      ArchivedMessage($0, providerID: state.providerIDs[$0.id] ?? "", to: nil)
    }
  }
}

extension MemoryCentralStore: KeepingStore {
  func expire(
    after keep: Duration, rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> Expired {
    try change { rows throws(StorageError) in
      try rows.expire(after: keep, rules: rules, at: wall)
    }
  }

  func holdings(of plate: String) throws(StorageError) -> VehicleHoldings {
    try change { rows throws(StorageError) in
      let naming = try rows.naming(of: plate)
      let state = rows.state
      let passages = Set(
        rows.records(naming: plate).map { $0.row ?? $0.record.number }
      ).sorted()
      return VehicleHoldings(
        passages: passages.map { state.evidence(of: $0) },
        violations: state.judging.violations.values
          .filter { $0.violation.finding.plate == plate }.compactMap { state.evidence($0) },
        alerts: state.judging.alerts.values.filter { $0.entry.place.plate == plate }
          .compactMap { state.stored($0) },
        messages: rows.archived(after: 0, limit: .max).filter { naming.isNamed(in: $0.item) })
    }
  }

  func erase(
    _ order: ErasureOrder, rules: JudgingRules, at wall: WallTime
  ) throws(StorageError) -> Erased {
    try use { state throws(StorageError) in
      let rows = MemoryTransaction(state)
      var scan = MessageScan()
      scan.look(
        at: rows.archived(after: 0, limit: .max), for: try rows.naming(of: order.plate))
      let erased = try rows.erase(order, messages: scan, rules: rules, at: wall)
      if !order.isTrial { state = rows.state }
      return erased
    }
  }

  func messages(
    after: Int64, since: WallTime?, until: WallTime?, limit: Int
  ) throws(StorageError) -> [ArchivedMessage] {
    let all = try change { $0.archived(after: after, limit: .max) }
    return Array(
      all.filter { message in
        let at = message.item.receivedAt
        return since.map { at >= $0 } ?? true && until.map { at < $0 } ?? true
      }.prefix(limit))
  }

  func droppedPhotographs(limit: Int) throws(StorageError) -> [String] {
    try use { Array($0.judging.photographs.sorted().prefix(limit)) }
  }

  func forget(photographs: [String]) throws(StorageError) {
    try use { $0.judging.photographs.subtract(photographs) }
  }

  func namedPhotographs(among names: [PhotoName]) throws(StorageError) -> Set<PhotoName> {
    try use { state in
      let rows = MemoryTransaction(state)
      var paths: [String] = state.judging.records.values.flatMap(\.record.photoPaths)
      paths += state.judging.early.values.joined().compactMap(\.photoPath)
      let named = Set(paths.compactMap { PhotoName(path: $0) })
      return Set(
        names.filter { name in
          named.contains(name) || name.passage.map { rows.isTaken($0) } ?? false
        })
    }
  }
}
