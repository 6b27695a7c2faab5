public import CentralCore
import Passages
public import Time

/// Passages that come over the API, inside a transaction: reports and corrections of what is judged.
public struct PassageWriting<Store: PassageStore> {
  private let store: Store
  private let now: WallTime
  private let table = Catalogue.passages
  /// What judging changed.
  public private(set) var changes = JudgedChanges()

  /// Writing at a moment.
  public init(into store: Store, at now: WallTime) {
    self.store = store
    self.now = now
  }

  // MARK: - New ones

  /// Takes rows, all or none of them.
  public mutating func insert(_ insert: RestInsert) throws(PassageFailure) -> RestChange {
    let named = try named(insert)
    let facts = try store.facts(of: named)
    var seen: Set<ClientID> = []
    for (index, row) in named.enumerated() {
      let isKnown = facts[index].isKnown || seen.contains(row.identity)
      try admit(row, facts[index], isKnown: isKnown, insert)
      seen.insert(row.identity)
    }
    var arrivals: [PassageArrival] = []
    for (index, row) in insert.rows.enumerated() {
      arrivals.append(try report(row, named[index], facts[index], insert))
    }
    // What became part of a passage that was there is no row of its own, and not told as one.
    let news = zip(arrivals, try take(arrivals)).filter { $0.1.isFirst }.map(\.0.clientID)
    var written = news
    if case .merge = insert.resolution {
      written = first(arrivals.map(\.clientID))
      var corrections: [PassageArrival] = []
      for (index, row) in insert.rows.enumerated() where facts[index].isKnown {
        corrections.append(try correction(row, named[index].identity, insert))
      }
      try take(corrections)
    }
    try check(insert.telling, written.count)
    let rows = try told(written, insert.telling)
    return RestChange(
      rows, count: written.count, isAllMerged: news.isEmpty && !written.isEmpty)
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

  /// Refuses a row that is there, as far as the request wants that.
  private func admit(
    _ row: HandedPassage, _ facts: HandedPassageFacts, isKnown: Bool, _ insert: RestInsert
  ) throws(PassageFailure) {
    let isNamed = facts.isNameTaken
    let key = "\(table.name)_pkey"
    let identityRule = "\(table.name)_client_id_key"
    switch insert.resolution {
    case .refuse:
      // Of an identity that is there the name is as well, and the key is looked at first.
      if isNamed { throw .refused(.duplicate(key)) }
      if isKnown { throw duplicate(identityRule, row, insert) }
    case .ignore(let unique), .merge(let unique):
      if unique.name != identityRule, isKnown { throw duplicate(identityRule, row, insert) }
      if unique.name == identityRule, isNamed, !isKnown { throw .refused(.duplicate(key)) }
    }
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
    guard let suffix = facts.suffix else { throw unknown("ranger_id", "user_profiles") }
    let time = try moment(row["recorded_at"])
    guard let type = row["vehicle_type"]?.text.flatMap({ VehicleType(name: $0) }) else {
      throw .refused(.check(table.name, "vehicle_type"))
    }
    let plate = try plate(row["plate_number"]?.text ?? "", raw: row["plate_number_raw"]?.text)
    let isSet = time >= Passage.earliest
    let passage = Passage(
      named.identity, plate, type, post, time, suffix, segment: nil, ranger: named.ranger,
      photoPath: row["photo_path"]?.text, isText: false, isDated: isSet)
    let observation = Observation(
      of: passage, channel: .upload, isProven: insert.principal.role != .anonymous,
      receivedAt: now)
    return PassageArrival(observation, from: PassageArrival.Origin(uuid: named.name))
  }

  // MARK: - Changes

  /// Takes what is to be changed as corrections.
  public mutating func update(_ update: RestUpdate) throws(PassageFailure) -> RestChange {
    let identities = try store.identities(
      of: [update.filter, update.changeable, update.telling.visible])
    let known = try store.records(identifiedBy: identities)
    var values: [String: RestValue] = [:]
    for change in update.changes { values[change.column.name] = change.value }
    var post: CheckpostCode?
    if let uuid = values["checkpost_id"], !identities.isEmpty {
      let text = uuid.text ?? ""
      post = try store.posts(identified: [text])[text]
      if post == nil { throw unknown("checkpost_id", "checkposts") }
    }
    var arrivals: [PassageArrival] = []
    for identity in identities {
      guard let known = known[identity] else { continue }
      arrivals += try changes(of: identity, known, values, post, update)
    }
    try take(arrivals)
    try check(update.telling, identities.count)
    let rows = try told(identities, update.telling, isUpdate: true)
    return RestChange(rows, count: identities.count)
  }

  private func changes(
    of identity: ClientID, _ known: KnownPassage, _ values: [String: RestValue],
    _ post: CheckpostCode?, _ update: RestUpdate
  ) throws(PassageFailure) -> [PassageArrival] {
    var correction = ReceivedCorrection(
      of: identity, madeAt: now, author: update.principal.author)
    if values["plate_number"] != nil || values["plate_number_raw"] != nil {
      correction.plate = try plate(
        values["plate_number"]?.text ?? known.plate, raw: values["plate_number_raw"]?.text)
    }
    if let type = values["vehicle_type"]?.text { correction.vehicleType = VehicleType(name: type) }
    correction.post = post
    if let time = values["recorded_at"] { correction.recordedAt = try moment(time) }
    var arrivals: [PassageArrival] = []
    if correction != ReceivedCorrection(of: identity, madeAt: now, author: correction.author) {
      arrivals.append(PassageArrival(correction))
    }
    if let photo = values["photo_path"]?.text,
      var report = known.reports.first(where: { $0.clientID == identity }) ?? known.reports.first
    {
      // Where the photograph lies is told once it is there: the same report once more, with that.
      report.clientID = identity
      report.photoPath = photo
      report.channel = .upload
      report.isProven = true
      report.receivedAt = now
      arrivals.append(PassageArrival(report))
    }
    return arrivals
  }

  /// What a row that is merged into one that is there sets right.
  private func correction(
    _ row: [String: RestValue], _ identity: ClientID, _ insert: RestInsert
  ) throws(PassageFailure) -> PassageArrival {
    var correction = ReceivedCorrection(
      of: identity, madeAt: now, author: insert.principal.author)
    correction.plate = try plate(
      row["plate_number"]?.text ?? "", raw: row["plate_number_raw"]?.text)
    correction.vehicleType = row["vehicle_type"]?.text.flatMap { VehicleType(name: $0) }
    correction.recordedAt = try moment(row["recorded_at"])
    return PassageArrival(correction)
  }

  // MARK: - Values

  private func unknown(_ column: String, _ target: String) -> PassageFailure {
    .refused(.unknownReference(table.name, column, to: target))
  }

  private func check(_ telling: RestTelling, _ count: Int) throws(PassageFailure) {
    do throws(RestError) {
      try telling.check(count)
    } catch {
      throw .refused(error)
    }
  }

  /// The moment, to the millisecond, within what texts can say.
  private func moment(_ value: RestValue?) throws(PassageFailure) -> WallTime {
    guard let micros = value?.time, (1_000_000_000_000_000..<9_999_999_999_000_000).contains(micros)
    else { throw .refused(RestError("22008", "date/time field value out of range")) }
    return WallTime(milliseconds: micros / 1_000)
  }

  private func plate(_ compact: String, raw: String?) throws(PassageFailure) -> Plate {
    guard let plate = try? Plate(compact) else {
      throw .refused(.check(table.name, "plate_number"))
    }
    // As it was read, where that is the same plate.
    if let raw, let read = try? Plate(raw), read == plate { return read }
    return plate
  }

  // MARK: - Rows

  @discardableResult
  private mutating func take(
    _ arrivals: [PassageArrival]
  ) throws(PassageFailure) -> [ArrivalReceipt] {
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

  private func told(
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
