import CentralCore
import CentralPostgreSQL
import Passages
import RestAPI
import SeededRandom
import Storage
import Synchronization
import Testing
import Time

/// The same rows in both stores, and the same questions: whoever asks cannot tell which one it is.
@Suite(.needsPostgreSQL)
struct SameAnswersTests {
  @Test(arguments: [1, 2] as [UInt64])
  func bothStoresAnswerAlike(seed: UInt64) throws {
    let changes = [ToldChanges(), ToldChanges()]
    var worlds = try [
      WireWorld(.sqlite, onChanges: changes[0].add),
      WireWorld(.postgreSQL, onChanges: changes[1].add),
    ]
    defer { for world in worlds { try? world.store.close() } }
    for index in worlds.indices {
      var generator = SplitMix64(seed: seed)
      try worlds[index].tell(&generator)
    }
    #expect(changes[0].told.count > 20)
    #expect(changes[0].told == changes[1].told)
    var rows: [String: [[String: RestJSON]]] = [:]
    for table in Catalogue.tables {
      rows[table.name] = worlds[0].rows(table.name, as: .service)
      #expect(rows[table.name]?.isEmpty == false, "\(table.name)")
    }
    var questions = WireQuestions(
      seed: seed, rows: rows,
      principals: [
        .service, .service, RestPrincipal(.admin, user: WireWorld.sita), WireWorld.eastern,
        WireWorld.western, .anonymous,
        RestPrincipal(.post, post: WireWorld.east, segment: WireWorld.segment),
      ])
    var told = 0
    for _ in 0..<150 {
      let question = questions.next()
      let answers = worlds.indices.map { worlds[$0].answer(question) }
      let differing = zip(answers[0], answers[1]).first { $0 != $1 }
      #expect(
        differing == nil && answers[0].count == answers[1].count,
        """
        \(question.table)?\(question.query) \(question.headers) \(question.principal)
        \(differing?.0 ?? "\(answers[0].count)")
        \(differing?.1 ?? "\(answers[1].count)")
        """)
      if answers[0].count > 1 { told += 1 }
    }
    // Many of the questions are about something.
    #expect(told > 40)
  }
}

/// What judging changed by requests, in the order in which it was told.
private final class ToldChanges: Sendable {
  private let all = Mutex<[JudgedChanges]>([])

  var told: [JudgedChanges] { all.withLock { $0 } }

  func add(_ changes: JudgedChanges) { all.withLock { $0.append(changes) } }
}

extension WireWorld {
  /// What is answered, in an order that does not depend on the store where none was asked for.
  fileprivate mutating func answer(_ question: WireQuestion) -> [String] {
    let body = ask(
      "GET", "\(question.table)?\(question.query)", headers: question.headers,
      as: question.principal)
    var told = ["\(status) \(field("Content-Range") ?? "")"]
    guard case .list(let rows) = body else { return told + [body.written] }
    let written = rows.map { WireWorld.plain($0).written }
    told += question.isOrdered ? written : written.sorted()
    return told
  }

  /// Without the moments at which rows were made, and with rows that are nested in one order.
  private static func plain(_ value: RestJSON) -> RestJSON {
    switch value {
    case .list(let list):
      .list(list.map { plain($0) }.sorted { $0.written < $1.written })
    case .object(let object):
      .object(
        object.filter { !WireQuestions.ownTimes.contains($0.key) }.mapValues { plain($0) })
    default: value
    }
  }

  // MARK: - What there is

  /// Passages at two segments, some told twice, some corrected, with what came of violations.
  fileprivate mutating func tell(_ generator: inout SplitMix64) throws {
    let segment = try Segment(
      name: "Banepa", distanceKilometres: 12.34, minimumKilometresPerHour: 17,
      maximumKilometresPerHour: 53)
    var entries: [DirectoryEntry] = [.segment(segment)]
    for (code, index) in [("BNP-C", 0), ("BNP-D", 1)] {
      entries.append(
        .post(
          Post(
            code: try CheckpostCode(code), name: "Post, \(code)",
            place: Post.Place(segment: "Banepa", index: index))))
    }
    entries.append(.post(Post(code: try CheckpostCode("BNP-E"), name: "Nowhere")))
    if let phone = PhoneNumber("+9779801110001") {
      entries.append(
        .ranger(Ranger(name: "Maya K.C.", phone: phone, checkpost: try CheckpostCode("BNP-C"))))
    }
    _ = try store.put(entries)
    var number = 1
    for _ in 0..<45 {
      let time = Int.random(in: 0..<40_000, using: &generator)
      let plate =
        "BA\(Int.random(in: 1...3, using: &generator))PA\(Int.random(in: 1...6, using: &generator))"
      let isFar = Int.random(in: 0..<3, using: &generator) == 0
      let isWest = Bool.random(using: &generator)
      var times = [time]
      // Where it came in it leaves, sooner or later.
      let away = Int.random(in: 400..<20_000, using: &generator)
      times.append(time + away)
      for (index, time) in times.enumerated() {
        post(number, plate, at: time, isFar: isFar, west: isWest != (index == 1), &generator)
        number += 1
        if Int.random(in: 0..<6, using: &generator) == 0 {
          post(
            number, plate, at: time + Int.random(in: 0..<50, using: &generator), isFar: isFar,
            west: isWest != (index == 1), &generator)
          number += 1
        }
      }
    }
    for _ in 0..<15 {
      let changed = Int.random(in: 1..<number, using: &generator)
      let body = [
        "{\"vehicle_type\":\"bus\"}", "{\"plate_number\":\"BA1PA1\"}",
        "{\"photo_path\":\"a-\(changed).jpg\"}",
        "{\"plate_number\":\"BA2PA2\",\"plate_number_raw\":\"Ba 2 Pa 2\"}",
      ][Int.random(in: 0..<4, using: &generator)]
      now = now + .seconds(1)
      ask(
        "PATCH", "vehicle_passages?client_id=eq.\(WireWorld.client(changed))", body, as: .service)
      #expect(status == 204)
    }
    try takeTexts(from: number, &generator)
    // Whoever has not left is told, some of it not any more.
    for hours in [6, 9, 30] {
      now = WallTime(epochSeconds: WireWorld.start.epochSeconds + Int64(hours * 3_600))
      _ = try store.clock(rules: JudgingRules(), at: now)
    }
    try tellOfThem()
  }

  /// Texts, of which nobody says by name who wrote them.
  private mutating func takeTexts(
    from number: Int, _ generator: inout SplitMix64
  ) throws {
    let suffixes = ["4567", "4321", "0001", "9999"]
    let types: [VehicleType] = [.car, .autoRickshaw, .tractor, .jeepSUV]
    var arrivals: [PassageArrival] = []
    for index in 0..<20 {
      let post = ["BNP-A", "BNP-B", "BNP-C", "BNP-E"][Int.random(in: 0..<4, using: &generator)]
      guard let identity = ClientID(WireWorld.client(number + 500 + index)),
        let suffix = PhoneSuffix(suffixes[Int.random(in: 0..<4, using: &generator)])
      else { continue }
      let second =
        WireWorld.start.epochSeconds + Int64(Int.random(in: 0..<40_000, using: &generator))
      arrivals.append(
        PassageArrival(
          Observation(
            clientID: identity, post: try CheckpostCode(post),
            plate: try Plate("BA\(Int.random(in: 1...3, using: &generator))PA\(index)"),
            vehicleType: types[Int.random(in: 0..<4, using: &generator)],
            recordedAt: WallTime(epochSeconds: second), ranger: nil, suffix: suffix,
            photoPath: nil, channel: .text, isProven: false, receivedAt: now, clock: .unknown)))
    }
    let (taken, now) = (arrivals, now)
    _ = try store.transaction { rows throws(StorageError) in
      try rows.take(taken, rules: JudgingRules(), at: now)
    }
  }

  private mutating func post(
    _ number: Int, _ plate: String, at time: Int, isFar: Bool, west isWest: Bool,
    _ generator: inout SplitMix64
  ) {
    var more = ["plate_number_raw": "\"\(plate.lowercased())\""]
    more["vehicle_type"] =
      ["\"car\"", "\"jeep\"", "\"truck\"", "\"other\""][
        Int.random(in: 0..<4, using: &generator)]
    if isFar {
      let code = isWest ? "BNP-D" : "BNP-C"
      more["checkpost_id"] = "\"\(ClientID.derived(kind: "post", name: code))\""
      more["segment_id"] = "\"\(ClientID.derived(kind: "segment", name: "Banepa"))\""
    }
    if Int.random(in: 0..<4, using: &generator) == 0 {
      more["id"] = "\"\(WireWorld.client(number + 5_000))\""
    }
    if Int.random(in: 0..<5, using: &generator) == 0 { more["photo_path"] = "\"p-\(number).jpg\"" }
    now = now + .milliseconds(1_250)
    ask(
      "POST", "vehicle_passages?on_conflict=client_id",
      WireWorld.passage(number, plate, at: time, west: isWest, more),
      prefer: "resolution=ignore-duplicates", as: .service)
    #expect(status == 201)
  }

  /// What came of some violations, and how far two devices are.
  private mutating func tellOfThem() throws {
    let violations = rows("violations?order=id&select=id", as: .service)
    #expect(violations.count > 5)
    for (index, violation) in violations.enumerated() where index % 3 == 0 {
      let body =
        "{\"id\":\"\(WireWorld.client(8_000 + index))\",\"violation_id\":\"\(violation["id"]?.text ?? "")\","
        + "\"outcome_type\":\"fined\",\"fine_amount\":\(index).5,\"notes\":\"(a, \\\"b\\\")\","
        + "\"recorded_by\":\"\(WireWorld.sita)\"}"
      ask("POST", "violation_outcomes", body, as: .service)
      #expect(status == 201)
    }
    for device in 0..<3 {
      let body =
        "{\"id\":\"\(WireWorld.client(9_000 + device))\",\"user_id\":\"\(WireWorld.sita)\","
        + "\"device_id\":\"post-\(device)\",\"pending_count\":\(device),"
        + "\"last_sync_at\":\"2026-01-01T00:00:0\(device).5Z\"}"
      ask("POST", "sync_metadata", body)
      #expect(status == 201)
    }
  }
}
