import CentralCore
import Passages
import Time

/// What is asked to be changed in a passage.
struct PassageChange {
  /// The values by their columns; only of those that were given.
  var values: [String: RestValue]
  /// The post that is given, where there is one.
  var post: CheckpostCode?

  init(_ update: RestUpdate) {
    values = [:]
    for change in update.changes { values[change.column.name] = change.value }
  }

  /// What a row that is merged into one that is there says.
  init(_ insert: RestInsert, _ row: [String: RestValue]) {
    values = [:]
    for column in insert.given where column.mayBeChanged { values[column.name] = row[column.name] }
  }

  /// Refuses what a row that is merged says otherwise and nobody can change.
  func check(
    _ current: [String: RestJSON], _ row: [String: RestValue], _ table: RestTable
  ) throws(PassageFailure) {
    if let known = current["ranger_id"]?.text, let ranger = row["ranger_id"]?.text, known != ranger
    {
      throw .refused(.unchangeable("ranger_id", of: table))
    }
    if row["source"]?.text == "sms", current["source"]?.text != "sms" {
      throw .refused(.unchangeable("source", of: table))
    }
  }
}

extension PassageWriting {
  /// Takes what is to be changed as corrections.
  public mutating func update(_ update: RestUpdate) throws(PassageFailure) -> RestChange {
    let identities = try store.identities(
      of: [update.filter, update.changeable, update.telling.visible])
    try check(update.telling, identities.count)
    let known = try store.records(identifiedBy: identities)
    let current = try current(identities)
    var change = PassageChange(update)
    if let uuid = change.values["checkpost_id"], !identities.isEmpty {
      let text = uuid.text ?? ""
      change.post = try store.posts(identified: [text])[text]
      if change.post == nil { throw unknown("checkpost_id", "checkposts") }
    }
    var arrivals: [PassageArrival] = []
    for identity in identities {
      guard let known = known[identity], let current = current[identity] else { continue }
      arrivals += try arrivalsOf(
        change, of: identity, known, current, isReported: false, update.principal)
      if let reason = update.withdrawal {
        var withdrawal = ReceivedCorrection(
          of: identity, madeAt: now, author: update.principal.name)
        withdrawal.withdrawal = reason
        arrivals.append(PassageArrival(withdrawal))
      }
    }
    try take(arrivals)
    let rows = try told(identities, update.telling, isUpdate: true)
    return RestChange(rows, count: identities.count)
  }

  /// What passages are told as now, by their identities.
  func current(
    _ identities: [ClientID]
  ) throws(PassageFailure) -> [ClientID: [String: RestJSON]] {
    guard !identities.isEmpty, let column = table.column("client_id") else { return [:] }
    let rows = try store.rows(
      of: identities.map {
        RestRead(
          selection: RestSelection(all: table),
          filter: .compare(column, .equal, .text($0.description)), visible: .everything)
      })
    var current: [ClientID: [String: RestJSON]] = [:]
    for row in rows {
      guard let members = RestJSON(Array(row.utf8))?.object,
        let identity = members["client_id"]?.text.flatMap({ ClientID($0) })
      else { continue }
      current[identity] = members
    }
    return current
  }

  /// What comes of a change: a correction of all that is told otherwise now.
  ///
  /// - Parameter isReported: Whether the same is reported with it.
  func arrivalsOf(
    _ change: PassageChange, of identity: ClientID, _ known: KnownPassage,
    _ current: [String: RestJSON], isReported: Bool, _ principal: RestPrincipal
  ) throws(PassageFailure) -> [PassageArrival] {
    let values = change.values
    let unchanged = ReceivedCorrection(of: identity, madeAt: now, author: principal.name)
    var correction = unchanged
    correction.plate = try plate(changed: values, current)
    if let type = values["vehicle_type"]?.text, type != current["vehicle_type"]?.text {
      correction.vehicleType = VehicleType(name: type)
    }
    if let post = values["checkpost_id"]?.text, post != current["checkpost_id"]?.text {
      // A ranger who could move a passage could make a travel of two at their own post.
      guard principal.movesPassages else { throw .refused(.denied(table.name)) }
      correction.post = change.post
    }
    if let value = values["recorded_at"] {
      let time = try moment(value)
      let known = current["recorded_at"]?.text.flatMap { try? RestMoment.read($0) }
      if time.milliseconds != known.map({ $0 / 1_000 }) { correction.recordedAt = time }
    }
    var arrivals: [PassageArrival] = []
    if let value = values["photo_path"] {
      let wanted = photo(value)
      let told = current["photo_path"]?.text
      if told != nil || known.reports.contains(where: { $0.photoPath != nil }) {
        if wanted != told { correction.photoPath = wanted ?? "" }
      } else if let wanted, !isReported,
        var report = known.reports.first(where: { $0.clientID == identity }) ?? known.reports.first
      {
        // Where the photograph lies is told once it is there: the same report once more, with that.
        report.clientID = identity
        report.photoPath = wanted
        report.channel = .upload
        report.isProven = true
        report.receivedAt = now
        arrivals.append(PassageArrival(report))
      }
    }
    if correction != unchanged { arrivals.append(PassageArrival(correction)) }
    return arrivals
  }

  /// The plate with its spelling, where one of the two is to be another one.
  private func plate(
    changed values: [String: RestValue], _ current: [String: RestJSON]
  ) throws(PassageFailure) -> Plate? {
    let (number, raw) = (values["plate_number"], values["plate_number_raw"])
    guard number != nil || raw != nil else { return nil }
    let known = current["plate_number"]?.text ?? ""
    let spelled = current["plate_number_raw"]?.text
    let asked = try plate(number?.text ?? known, raw: raw?.text)
    // Where nothing is said of its spelling, that of the same plate stays.
    let isKept = raw == nil && (try? Plate(known)) == asked
    if isKept || known == asked.compact && spelled == asked.raw { return nil }
    return asked
  }

  // MARK: - Values

  func unknown(_ column: String, _ target: String) -> PassageFailure {
    .refused(.unknownReference(table.name, column, to: target))
  }

  func check(_ telling: RestTelling, _ count: Int) throws(PassageFailure) {
    do throws(RestError) {
      try telling.check(count)
    } catch {
      throw .refused(error)
    }
  }

  /// The moment, to the millisecond, from 1970 to what texts can say, and not of a time that is yet to come.
  func moment(_ value: RestValue?) throws(PassageFailure) -> WallTime {
    guard let micros = value?.time, (0..<9_999_999_999_000_000).contains(micros)
    else { throw .refused(RestError("22008", "date/time field value out of range")) }
    let time = WallTime(milliseconds: micros / 1_000)
    guard time <= now + .seconds(RestLimits.aheadSeconds) else {
      throw .refused(
        RestError(
          "22008", "date/time field value out of range: \"\(RestMoment.text(micros))\"",
          details: "A passage is recorded at most \(RestLimits.aheadSeconds / 3_600) hours ahead of"
            + " the clock here.", hint: "Check the clock of the post."))
    }
    return time
  }

  /// A plate, as it was read where that is told: whatever that is, as a camera may have read it wrongly.
  func plate(_ compact: String, raw: String?) throws(PassageFailure) -> Plate {
    guard let plate = try? Plate(compact) else {
      throw .refused(.check(table.name, "plate_number"))
    }
    guard let raw, !raw.isEmpty else { return plate }
    guard let read = try? plate.read(as: raw) else {
      throw .refused(.check(table.name, "plate_number_raw"))
    }
    return read
  }

  /// The name of a photograph; nil for none.
  func photo(_ value: RestValue?) -> String? {
    value?.text.flatMap { PhotoName(path: $0)?.text }
  }
}
