import CentralCore
import GRDB
import Passages
import RestAPI
import Storage
import Time

/// Passages that come over the API, inside a transaction: reports and corrections of what is judged.
struct PassageWriting {
  private let database: Database
  private let transaction: InboxTransaction
  private let rules: JudgingRules
  private let now: WallTime
  private let table = Catalogue.passages
  private(set) var changes = JudgedChanges()

  init(_ database: Database, path: String, rules: JudgingRules, now: WallTime) {
    self.database = database
    transaction = InboxTransaction(database: database, path: path)
    self.rules = rules
    self.now = now
  }

  // MARK: - New ones

  mutating func insert(_ insert: RestInsert) throws -> RestChange {
    var known: Set<ClientID> = []
    var seen: Set<ClientID> = []
    for row in insert.rows {
      let identity = try identity(row)
      let isThere = try transaction.record(identifiedBy: identity) != nil
      if isThere { known.insert(identity) }
      try admit(row, identity, isKnown: isThere || seen.contains(identity), insert)
      seen.insert(identity)
    }
    var arrivals: [PassageArrival] = []
    for row in insert.rows { arrivals.append(try report(row, insert)) }
    // What became part of a passage that was there is no row of its own, and not told as one.
    let news = zip(arrivals, try take(arrivals)).filter { $0.1.isFirst }.map(\.0.clientID)
    var written = news
    if case .merge = insert.resolution {
      written = try first(arrivals.map(\.clientID))
      try take(insert.rows.compactMap { try correction($0, insert, known) })
    }
    try insert.telling.check(written.count)
    let rows = try told(written, insert.telling)
    return RestChange(
      rows, count: written.count, isAllMerged: news.isEmpty && !written.isEmpty)
  }

  /// Takes of rows that were refused as a whole those that are there as they say.
  mutating func addToKnown(_ insert: RestInsert) throws {
    var arrivals: [PassageArrival] = []
    for row in insert.rows {
      let report = try report(row, insert)
      guard case .observation(let observation) = report.content,
        let known = try transaction.record(identifiedBy: observation.clientID),
        known.record.received == observation.key
      else { continue }
      arrivals.append(report)
    }
    try take(arrivals)
  }

  /// Refuses a row that is there, as far as the request wants that.
  private func admit(
    _ row: [String: RestValue], _ identity: ClientID, isKnown: Bool, _ insert: RestInsert
  ) throws {
    let name = row["id"]?.text.flatMap { ClientID($0) }
    let isNamed = try name.map { try $0 != identity && transaction.isTaken($0) } ?? false
    let key = "\(table.name)_pkey"
    let identityRule = "\(table.name)_client_id_key"
    switch insert.resolution {
    case .refuse:
      // Of an identity that is there the name is as well, and the key is looked at first.
      if isNamed { throw RestError.duplicate(key) }
      if isKnown { throw duplicate(identityRule, row, insert) }
    case .ignore(let unique), .merge(let unique):
      if unique.name != identityRule, isKnown { throw duplicate(identityRule, row, insert) }
      if unique.name == identityRule, isNamed, !isKnown { throw RestError.duplicate(key) }
    }
  }

  private func duplicate(
    _ rule: String, _ row: [String: RestValue], _ insert: RestInsert
  ) -> RestError {
    let identity = row["client_id"]?.text ?? ""
    return .duplicate(
      rule,
      details: insert.telling.hidesDetails ? nil : "Key (client_id)=(\(identity)) already exists.")
  }

  private func report(
    _ row: [String: RestValue], _ insert: RestInsert
  ) throws -> PassageArrival {
    let post = try post(row["checkpost_id"], in: "checkpost_id")
    guard
      try Bool.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT segment IS NOT NULL AND EXISTS (
              SELECT 1 FROM wire_names WHERE kind = 'segment' AND uuid = ?2)
            FROM posts WHERE code = ?1
            """), arguments: [post.code, row["segment_id"]?.text]) ?? false
    else {
      throw RestError.unknownReference(table.name, "segment_id", to: "highway_segments")
    }
    let user = row["ranger_id"]?.text ?? ""
    guard let suffix = try suffix(of: user) else {
      throw RestError.unknownReference(table.name, "ranger_id", to: "user_profiles")
    }
    let time = try moment(row["recorded_at"])
    guard let type = row["vehicle_type"]?.text.flatMap({ VehicleType(name: $0) }) else {
      throw RestError.check(table.name, "vehicle_type")
    }
    let plate = try plate(row["plate_number"]?.text ?? "", raw: row["plate_number_raw"]?.text)
    let identity = try identity(row)
    let isSet = time >= Passage.earliest
    let passage = Passage(
      identity, plate, type, post, time, suffix, segment: nil, ranger: user,
      photoPath: row["photo_path"]?.text, isText: false, isDated: isSet)
    let observation = Observation(
      of: passage, channel: .upload, isProven: insert.principal.role != .anonymous,
      receivedAt: now)
    return PassageArrival(
      observation, from: PassageArrival.Origin(uuid: row["id"]?.text.flatMap { ClientID($0) }))
  }

  // MARK: - Changes

  mutating func update(_ update: RestUpdate) throws -> RestChange {
    guard let column = table.column("client_id") else { return RestChange([], count: 0) }
    let found = try WireRows.keys(
      [update.filter, update.changeable, update.telling.visible], column, of: table, database)
    let identities = found.compactMap { ClientID($0) }
    var arrivals: [PassageArrival] = []
    for identity in identities { arrivals += try changes(of: identity, update) }
    try take(arrivals)
    try update.telling.check(identities.count)
    let rows = try told(identities, update.telling, isUpdate: true)
    return RestChange(rows, count: identities.count)
  }

  private func changes(of identity: ClientID, _ update: RestUpdate) throws -> [PassageArrival] {
    guard let known = try transaction.record(identifiedBy: identity)?.record else { return [] }
    var correction = ReceivedCorrection(
      of: identity, madeAt: now, author: update.principal.user)
    var values: [String: RestValue] = [:]
    for change in update.changes { values[change.column.name] = change.value }
    if values["plate_number"] != nil || values["plate_number_raw"] != nil {
      let raw = values["plate_number_raw"]?.text
      correction.plate = try plate(
        values["plate_number"]?.text ?? known.place.plate, raw: raw)
    }
    if let type = values["vehicle_type"]?.text { correction.vehicleType = VehicleType(name: type) }
    if let post = values["checkpost_id"] {
      correction.post = try self.post(post, in: "checkpost_id")
    }
    if let time = values["recorded_at"] { correction.recordedAt = try moment(time) }
    var arrivals: [PassageArrival] = []
    if correction != ReceivedCorrection(of: identity, madeAt: now, author: correction.author) {
      arrivals.append(PassageArrival(correction))
    }
    if let photo = values["photo_path"]?.text,
      var report = known.observations.first(where: { $0.clientID == identity })
        ?? known.observations.first
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
    _ row: [String: RestValue], _ insert: RestInsert, _ known: Set<ClientID>
  ) throws -> PassageArrival? {
    let identity = try identity(row)
    guard known.contains(identity) else { return nil }
    var correction = ReceivedCorrection(
      of: identity, madeAt: now, author: insert.principal.user)
    correction.plate = try plate(
      row["plate_number"]?.text ?? "", raw: row["plate_number_raw"]?.text)
    correction.vehicleType = row["vehicle_type"]?.text.flatMap { VehicleType(name: $0) }
    correction.recordedAt = try moment(row["recorded_at"])
    return PassageArrival(correction)
  }

  // MARK: - Values

  private func identity(_ row: [String: RestValue]) throws -> ClientID {
    guard let identity = row["client_id"]?.text.flatMap({ ClientID($0) }) else {
      throw RestError.check(table.name, "client_id")
    }
    return identity
  }

  private func post(_ value: RestValue?, in column: String) throws -> CheckpostCode {
    let code = try value?.text.flatMap { try WireName.name(.post, of: $0, database) }
    guard let code else {
      throw RestError.unknownReference(table.name, column, to: "checkposts")
    }
    return try CheckpostCode(code)
  }

  /// The last digits of a person's number; nil of nobody that is known.
  private func suffix(of user: String) throws -> PhoneSuffix? {
    try Row.fetchOne(
      database.cachedStatement(sql: "SELECT phone_number FROM api_user_profiles WHERE id = ?"),
      arguments: [user]
    ).map { PhoneSuffix(phoneNumber: $0[0]) }
  }

  /// The moment, to the millisecond, within what texts can say.
  private func moment(_ value: RestValue?) throws -> WallTime {
    guard let micros = value?.time, (1_000_000_000_000_000..<9_999_999_999_000_000).contains(micros)
    else { throw RestError("22008", "date/time field value out of range") }
    return WallTime(milliseconds: micros / 1_000)
  }

  private func plate(_ compact: String, raw: String?) throws -> Plate {
    guard let plate = try? Plate(compact) else {
      throw RestError.check(table.name, "plate_number")
    }
    // As it was read, where that is the same plate.
    if let raw, let read = try? Plate(raw), read == plate { return read }
    return plate
  }

  // MARK: - Rows

  @discardableResult
  private mutating func take(_ arrivals: [PassageArrival]) throws -> [ArrivalReceipt] {
    guard !arrivals.isEmpty else { return [] }
    let taken = try transaction.take(arrivals, rules: rules, at: now)
    changes.append(taken.changes)
    // It is no row, and nothing that time mends.
    if taken.receipts.contains(where: { $0.outcome == .expired }) {
      throw RestError.check(table.name, "recorded_at")
    }
    return taken.receipts
  }

  private func first(_ identities: [ClientID]) throws -> [ClientID] {
    var seen: Set<ClientID> = []
    return identities.filter { seen.insert($0).inserted }
  }

  private func told(
    _ identities: [ClientID], _ telling: RestTelling, isUpdate: Bool = false
  ) throws -> [String] {
    guard telling.tells || isUpdate, let column = table.column("client_id") else { return [] }
    var rows: [String] = []
    for identity in identities {
      rows += try WireRows.read(telling.read(column, .text(identity.description)), database)
    }
    guard rows.count == identities.count else { throw RestError.denied(table.name) }
    return telling.tells ? rows : []
  }
}
