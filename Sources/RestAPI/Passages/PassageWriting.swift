public import CentralCore
import Passages
public import Time

/// Passages that come over the API, inside a transaction: reports and corrections of what is judged.
public struct PassageWriting<Store: PassageStore> {
  let store: Store
  let now: WallTime
  let table = Catalogue.passages
  /// What judging changed.
  public private(set) var changes = JudgedChanges()

  /// Writing at a moment.
  public init(into store: Store, at now: WallTime) {
    self.store = store
    self.now = now
  }

  // MARK: - New ones

  /// What becomes of a row that is put in.
  private enum Fate {
    /// It is a report.
    case report
    /// It sets right what is there.
    case merge
    /// It is there already, and stays as it is.
    case none
  }

  /// Takes rows, all or none of them.
  public mutating func insert(_ insert: RestInsert) throws(PassageFailure) -> RestChange {
    let named = try named(insert)
    let facts = try store.facts(of: named)
    for fact in facts where !mayName(fact, insert.principal) { throw .refused(.denied(table.name)) }
    let fates = try fates(of: named, facts, insert)
    let corrected = named.indices.filter { fates[$0] == .merge }
    try admit(corrected, named, insert)
    let known = try store.records(identifiedBy: corrected.map { named[$0].identity })
    let current = try current(corrected.map { named[$0].identity })
    var arrivals: [PassageArrival] = []
    for index in named.indices where fates[index] != .none {
      let identity = named[index].identity
      let report = try report(insert.rows[index], named[index], facts[index], insert)
      guard fates[index] == .merge, let known = known[identity], let current = current[identity]
      else {
        arrivals.append(report)
        continue
      }
      // What says the same is one report more; what says something else is a correction.
      var isReported = false
      if case .observation(let observation) = report.content, observation.key == known.received {
        arrivals.append(report)
        isReported = true
      }
      var change = PassageChange(insert, insert.rows[index])
      try change.check(current, insert.rows[index], table)
      change.post = facts[index].post
      arrivals += try arrivalsOf(
        change, of: identity, known, current, isReported: isReported, insert.principal)
    }
    let receipts = try take(arrivals)
    // What became part of a passage that was there is no row of its own, and not told as one.
    for (arrival, receipt) in zip(arrivals, receipts) {
      guard case .observation(let observation) = arrival.content else { continue }
      changes.handedIn.append(HandedInPassage(observation, isFirst: receipt.isFirst))
    }
    let news = zip(arrivals, receipts).filter { $0.1.isFirst }.map(\.0.clientID)
    var written = news
    if case .merge = insert.resolution { written = first(named.map(\.identity)) }
    try check(insert.telling, written.count)
    let rows = try told(written, insert.telling)
    return RestChange(
      rows, count: written.count, isAllMerged: news.isEmpty && !written.isEmpty)
  }

  /// Whether the caller may hand a passage in under that name: a machine of a post names anybody of its post, and what
  /// people may say of themselves their policy knows. Whom nobody knows is told of as such.
  private func mayName(_ facts: HandedPassageFacts, _ principal: RestPrincipal) -> Bool {
    guard principal.role == .post, facts.suffix != nil else { return true }
    return facts.rangerPost != nil && facts.rangerPost == principal.post
  }

  /// Takes of rows that were refused as a whole those that are there as they say.
  public mutating func addToKnown(_ insert: RestInsert) throws(PassageFailure) {
    let named = try named(insert)
    let facts = try store.facts(of: named)
    let known = try store.records(identifiedBy: named.map(\.identity))
    var arrivals: [PassageArrival] = []
    for (index, row) in insert.rows.enumerated() {
      guard let known = known[named[index].identity] else { continue }
      let report = try report(row, named[index], facts[index], insert)
      guard case .observation(let observation) = report.content, known.received == observation.key
      else { continue }
      arrivals.append(report)
    }
    try take(arrivals)
  }

  private func named(_ insert: RestInsert) throws(PassageFailure) -> [HandedPassage] {
    var rows: [HandedPassage] = []
    for row in insert.rows {
      guard let identity = row["client_id"]?.text.flatMap({ ClientID($0) }) else {
        throw .refused(.check(table.name, "client_id"))
      }
      rows.append(
        HandedPassage(
          identity: identity, name: row["id"]?.text.flatMap { ClientID($0) },
          plate: (try? Plate(row["plate_number"]?.text ?? ""))?.compact,
          post: row["checkpost_id"]?.text ?? "", segment: row["segment_id"]?.text ?? "",
          ranger: row["ranger_id"]?.text ?? ""))
    }
    return rows
  }

  // MARK: - What is there already

  private func fates(
    of rows: [HandedPassage], _ facts: [HandedPassageFacts], _ insert: RestInsert
  ) throws(PassageFailure) -> [Fate] {
    var fates: [Fate] = []
    var identities: Set<ClientID> = []
    var names: Set<ClientID> = []
    for (index, row) in rows.enumerated() {
      var facts = facts[index]
      let isRepeated = !identities.insert(row.identity).inserted
      if isRepeated, case .merge = insert.resolution {
        throw .refused(
          RestError(
            "21000", "ON CONFLICT DO UPDATE command cannot affect row a second time", status: 500))
      }
      if isRepeated { facts.isKnown = true }
      if let name = row.name, !names.insert(name).inserted { facts.isNameTaken = !isRepeated }
      fates.append(try fate(of: row, facts, insert))
    }
    return fates
  }

  /// What becomes of a row; it is refused where it is there and the request wants that.
  private func fate(
    of row: HandedPassage, _ facts: HandedPassageFacts, _ insert: RestInsert
  ) throws(PassageFailure) -> Fate {
    let key = "\(table.name)_pkey"
    let identityRule = "\(table.name)_client_id_key"
    switch insert.resolution {
    case .refuse:
      // Of an identity that is there the name is as well, and the key is looked at first.
      if facts.isNameTaken { throw .refused(.duplicate(key)) }
      if facts.isKnown { throw duplicate(identityRule, row, insert) }
    case .ignore(let unique):
      if unique.name == identityRule {
        if facts.isNameTaken, !facts.isKnown { throw .refused(.duplicate(key)) }
      } else if !facts.isOwnName {
        if facts.isNameTaken { return .none }
        if facts.isKnown { throw duplicate(identityRule, row, insert) }
      }
    case .merge(let unique):
      if facts.isKnown, unique.name == identityRule, row.name != nil, !facts.isOwnName {
        throw .refused(.unchangeable("id", of: table))
      }
      if facts.isKnown, unique.name == identityRule || facts.isOwnName { return .merge }
      if facts.isNameTaken { throw .refused(.duplicate(key)) }
      if facts.isKnown { throw duplicate(identityRule, row, insert) }
    }
    return .report
  }

  /// Refuses rows that are to be merged into what whoever asks may not change.
  private func admit(
    _ indices: [Int], _ named: [HandedPassage], _ insert: RestInsert
  ) throws(PassageFailure) {
    guard !indices.isEmpty, let column = table.column("client_id") else { return }
    let identities = Set(indices.map { named[$0].identity })
    let own = try store.identities(of: [
      .oneOf(column, identities.sorted().map { .text($0.description) }), insert.changeable,
      insert.telling.visible,
    ])
    guard Set(own) == identities,
      indices.allSatisfy({ insert.changeable.holds(for: insert.rows[$0]) == true })
    else { throw .refused(.denied(table.name)) }
  }

  private func duplicate(
    _ rule: String, _ row: HandedPassage, _ insert: RestInsert
  ) -> PassageFailure {
    .refused(
      .duplicate(
        rule,
        details: insert.telling.hidesDetails
          ? nil : "Key (client_id)=(\(row.identity)) already exists."))
  }

  private func report(
    _ row: [String: RestValue], _ named: HandedPassage, _ facts: HandedPassageFacts,
    _ insert: RestInsert
  ) throws(PassageFailure) -> PassageArrival {
    guard let post = facts.post else { throw unknown("checkpost_id", "checkposts") }
    guard facts.isOnSegment else { throw unknown("segment_id", "highway_segments") }
    guard var suffix = facts.suffix else { throw unknown("ranger_id", "user_profiles") }
    // Who recorded it may be another one than whose account it is.
    if let told = row[RestBody.suffix]?.text.flatMap({ PhoneSuffix($0) }), told != .unknown {
      suffix = told
    }
    let time = try moment(row["recorded_at"])
    guard let type = row["vehicle_type"]?.text.flatMap({ VehicleType(name: $0) }) else {
      throw .refused(.check(table.name, "vehicle_type"))
    }
    let plate = try plate(row["plate_number"]?.text ?? "", raw: row["plate_number_raw"]?.text)
    let isText = row["source"]?.text == "sms"
    let passage = Passage(
      named.identity, plate, type, post, time, suffix, segment: nil, ranger: named.ranger,
      photoPath: photo(row["photo_path"]), isText: false, isDated: time >= Passage.earliest)
    let observation = Observation(
      of: passage, channel: isText ? .text : .upload,
      isProven: !isText && insert.principal.role != .anonymous, receivedAt: now,
      clock: insert.clocks[named.identity].map { .within(seconds: $0) } ?? .unknown)
    return PassageArrival(observation, from: PassageArrival.Origin(uuid: named.name))
  }

  // MARK: - Rows

  @discardableResult
  mutating func take(_ arrivals: [PassageArrival]) throws(PassageFailure) -> [ArrivalReceipt] {
    guard !arrivals.isEmpty else { return [] }
    let taken = try store.take(arrivals)
    changes.append(taken.changes)
    // It is no row, and nothing that time mends.
    if taken.receipts.contains(where: { $0.outcome == .expired }) {
      throw .refused(.check(table.name, "recorded_at"))
    }
    return taken.receipts
  }

  private func first(_ identities: [ClientID]) -> [ClientID] {
    var seen: Set<ClientID> = []
    return identities.filter { seen.insert($0).inserted }
  }

  func told(
    _ identities: [ClientID], _ telling: RestTelling, isUpdate: Bool = false
  ) throws(PassageFailure) -> [String] {
    guard telling.tells || isUpdate, let column = table.column("client_id"), !identities.isEmpty
    else { return [] }
    let rows = try store.rows(
      of: identities.map { telling.read(column, .text($0.description)) })
    guard rows.count == identities.count else { throw .refused(.denied(table.name)) }
    return telling.tells ? rows : []
  }
}
