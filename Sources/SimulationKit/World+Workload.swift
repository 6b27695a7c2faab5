import JSON
import NodeCore
import NodeSQLite
import NodeService
import Passages
import SeededRandom
import ServerModel
import SimulatedDisk
import Storage
import Time

/// What rangers do beside recording, at both ends of the way, and what befalls the post's clock.
extension World {
  /// A passage that a ranger records now, by the clock of the post.
  mutating func request(_ number: Int) -> RecordRequest? {
    let wall = clock.wall()
    let photo = photo(of: number)
    guard let plate = World.plate(number), let post = try? CheckpostCode("BNP-A") else {
      return nil
    }
    let suffix = PhoneSuffix(phoneNumber: "\(number)")
    guard wall >= Passage.earliest else {
      let passage = Passage(
        undated: plate, vehicleType: .truck, checkpost: post, recordedAt: wall,
        boot: "boot \(boots)", suffix: suffix, photoPath: photo?.path)
      report.fired["started_unset", default: 0] += 1
      return RecordRequest(passage, photo: photo, clock: ClockSource.none)
    }
    guard
      let passage = try? Passage(
        recording: plate, vehicleType: .truck, checkpost: post, recordedAt: wall, suffix: suffix,
        photoPath: photo?.path)
    else { return nil }
    return RecordRequest(
      passage, photo: photo,
      clock: settings.readsClock ? clock.isKept ? .ntp : ClockSource.none : nil)
  }

  static func plate(_ number: Int) -> Plate? {
    try? Plate("BA \(number % 90 + 1) PA \(1_000 + number)")
  }

  /// The same passage has a photograph each time that it is tried.
  private func photo(of number: Int) -> StoredPhoto? {
    guard number * 37 % 100 < settings.photos else { return nil }
    return StoredPhoto(
      path: "\(number).jpg", count: 1_000 + number * (settings.lineBytes == nil ? 100 : 2_000),
      contentType: "image/jpeg")
  }

  /// What the world will know of it once it is acknowledged.
  func known(_ request: RecordRequest) -> Known {
    var passage = Known(recordedAt: clock.boot(), truth: clock.truth())
    passage.boot = boots
    passage.isClocked = request.clock != nil
    let ahead = clock.ahead
    passage.isMisdated = ahead > .seconds(60) || ahead < .seconds(-60)
    passage.hasPhoto = request.photo != nil
    return passage
  }

  // MARK: Corrections

  /// A ranger finds that a plate was mistyped, and says so to the store, as the command does.
  mutating func correct() throws(StorageError) {
    var query = QueueQuery()
    query.limit = 50
    guard !isDown, let items = try? machine.store.list(query), !items.isEmpty else { return }
    let item = items[random.draw(0...(items.count - 1))]
    let client = item.passage.clientID.description
    let number = 5_000 + corrected.count
    guard !written.contains(client), let name = name(of: client),
      let plate = try? Plate("LU \(number % 90 + 1) KHA \(number)")
    else { return }
    corrected.insert(name)
    let moment = Moment(boot: machine.store.clock.time(at: nodeBoot), wall: clock.wall())
    do {
      let outcome = try machine.store.correct(
        item.queueID, with: PlateCorrection(plate: plate), at: moment)
      if case .queued = outcome { known[name]?.plate = plate.compact }
      // Nobody has refused what it says now.
      if case .replaced = outcome { rejected.remove(name) }
      note("\(outcome)")
    } catch {
      guard isOfTheDisk(error) else { throw error }
      // A command that failed; whether it did anything is not known.
      known[name]?.plate = nil
    }
    if disk.isOff {
      known[name]?.plate = nil
      endNode()
      restartLater()
      return
    }
    // A command tells the service, or cannot; then it is found at the next look.
    if random.happens(percent: 50) { try inform([.woke]) }
  }

  // MARK: Clocks

  /// By how much a clock is wrong that jumps: minutes, or decades.
  static func jump(_ draws: inout SplitMix64) -> Duration {
    let isBack = draws.happens(percent: 50)
    let year: Int64 = 31_557_600
    let by =
      draws.happens(percent: 50)
      ? draws.draw(.seconds(61), .seconds(7_200))
      : draws.draw(.seconds(year), .seconds(50 * year))
    return isBack ? .zero - by : by
  }

  /// A person gives passages their time of which nothing here can tell it.
  mutating func dateByHand() throws(StorageError) {
    guard !isDown else {
      add(.dateByHand, at: clock.boot() + .seconds(60))
      return
    }
    let moment = Moment(boot: machine.store.clock.time(at: nodeBoot), wall: clock.wall())
    for client in order {
      guard let item = try stored(client),
        item.passage.isUndated, let truth = known[client]?.truth
      else { continue }
      let outcome = try machine.store.date(
        item.queueID, at: truth, future: .seconds(120), moment: moment)
      note("\(outcome)")
    }
    try inform([.woke])
  }

  // MARK: The other end of the way

  /// The ranger at the other end records a vehicle that passed here, or will.
  mutating func recordInTheWest() {
    let number = random.draw(0...max(0, settings.passages - 1))
    guard let plate = World.plate(number) else { return }
    wests += 1
    let tail = String(100_000_000_000 + wests)
    let row: [String: JSONValue] = [
      "client_id": .text("00000000-0000-4000-8000-\(tail)"), "plate_number": .text(plate.compact),
      "vehicle_type": "truck", "checkpost_id": .text(ServerModel.Pilot.west),
      "segment_id": .text(ServerModel.Pilot.segment),
      "ranger_id": .text(ServerModel.Pilot.westRanger),
      "recorded_at": .text((clock.truth() - random.draw(.zero, .seconds(5_400))).rfc3339),
    ]
    if server.put(row, into: "vehicle_passages", at: clock.truth()) { report.west += 1 }
  }

  /// Whether a row of the server is of the other end.
  static func isWest(_ row: [String: JSONValue]) -> Bool {
    row["checkpost_id"]?.text == ServerModel.Pilot.west
  }

  /// I5 and I3, of warnings: each is of a passage that there is, and is given once in a life of the node.
  mutating func judge(_ alert: TravelAlert) {
    let ends = [alert.entry.clientID, alert.exit?.clientID].compactMap { $0?.description }
    report.alerts += 1
    let words = "\(alert.kind) \(ends)"
    if !alerts.insert("\(life) \(words)").inserted {
      violate(.once, "a warning was given twice: \(words)")
    }
    for end in ends
    where !end.hasPrefix("00000000-") && offered[end] == nil && name(of: end) == nil {
      violate(.noInvention, "a warning of a passage that was never recorded: \(end)")
    }
  }

  // MARK: The end of the day

  /// Whether all that belongs to a passage has reached the server, or never will.
  func isDone(_ client: String) -> Bool {
    guard let passage = known[client], passage.hasPhoto || passage.plate != nil,
      !rejected.contains(client), refused[client] == nil, !isPoisoned(client),
      let item = item(client),
      let uploads = try? machine.store.uploads(of: item.queueID)
    else { return true }
    return uploads.allSatisfy { $0.status == .synced || $0.status == .failed && $0.isPermanent }
  }

  /// I17 and I18, of what belongs to a passage: its correction and its photograph.
  mutating func checkBelongings(_ client: String, _ item: QueueItem) throws(StorageError) {
    guard let passage = known[client], passage.hasPhoto || passage.plate != nil,
      let row = server.passage(clientID: item.passage.clientID.description)
    else { return }
    let uploads = try machine.store.uploads(of: item.queueID)
    let isRefused = uploads.contains { $0.status == .failed && $0.isPermanent }
    if isRefused || written.contains(item.passage.clientID.description) { return }
    if item.status != .synced, isHidden(item) { return }
    if let plate = passage.plate, row["plate_number"]?.text != plate {
      violate(
        .allSynced, "a correction never reached the server: \(client) \(World.words(uploads))")
    }
    if passage.plate != nil { report.corrections += 1 }
    guard passage.hasPhoto else { return }
    // On a thin line that breaks again and again a photograph of two minutes may not get through in hours.
    let mayBeLate = settings.lineBytes != nil && settings.resets > 0
    if row["photo_path"]?.text == nil, !mayBeLate {
      violate(
        .allPhotos, "a photograph never reached the server: \(client) \(World.words(uploads))")
    }
    report.photos += 1
  }

  private static func words(_ uploads: [UploadRecord]) -> String {
    uploads.map { "\($0.kind) \($0.status) \($0.lastError ?? "")" }.joined(separator: ", ")
  }
}
