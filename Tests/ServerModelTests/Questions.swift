import JSON
import SeededRandom
import ServerModel

/// What both servers are asked.
extension Question {
  private static let passage = Asking.passage(["id": "0e000000-0000-4000-8000-000000000001"])
  private static let other = Asking.passage([
    "id": "0e000000-0000-4000-8000-000000000002", "client_id": .text(Asking.other),
    "plate_number": "BA2PA7", "recorded_at": "2026-01-01T05:45:00+05:45",
  ])
  private static let once = "vehicle_passages?on_conflict=client_id"
  private static let ignoring = "resolution=ignore-duplicates,return=representation"

  private static func changed(_ changes: [String: JSONValue]) -> JSONValue {
    .object((other.object ?? [:]).merging(changes) { _, new in new })
  }

  private static func pushed(_ changes: [String: JSONValue]) -> Question {
    Question(.east, "POST", once, changed(changes), prefer: ignoring)
  }

  /// What a node and its operators ask, and what comes of mistakes.
  static let fixed: [Question] = pushes + reads + changes + others

  private static let pushes: [Question] = [
    Question(.east, "POST", once, passage, prefer: ignoring),
    Question(.east, "POST", once, passage, prefer: ignoring),
    Question(.east, "POST", "vehicle_passages", passage),
    Question(.east, "POST", "vehicle_passages", passage, prefer: "resolution=ignore-duplicates"),
    Question(.service, "POST", "vehicle_passages", passage),
    Question(.west, "POST", once, passage, prefer: ignoring),
    Question(.anonymous, "POST", once, passage, prefer: ignoring),
    pushed(["vehicle_type": "tractor"]), pushed(["plate_number": nil]), pushed(["source": "x"]),
    pushed(["client_id": "nonsense"]), pushed(["recorded_at": "soon"]), pushed(["colour": "red"]),
    pushed(["recorded_at": "2026-02-30T00:00:00Z"]), pushed(["plate_number": "a\0b"]),
    pushed(["checkpost_id": .text(ServerModel.Pilot.west)]), pushed(["checkpost_id": nil]),
    pushed(["ranger_id": "0d000000-0000-4000-8000-0000000000ee"]),
    pushed(["segment_id": "0b000000-0000-4000-8000-0000000000ee"]),
    pushed(["client_id": .text(Asking.clientID), "ranger_id": nil]),
    pushed(["is_entry": "perhaps"]), pushed(["plate_number": 7]), pushed([:]),
    Question(.east, "POST", once, [passage, other], prefer: ignoring),
    Question(.east, "POST", once, [passage, ["client_id": .text(Asking.other)]], prefer: ignoring),
    Question(.east, "POST", once, [], prefer: ignoring),
    Question(.east, "POST", once, 7, prefer: ignoring),
    Question(.east, "POST", "vehicles", passage, prefer: ignoring),
    Question(.east, "POST", "checkposts", ["code": "X"], prefer: ignoring),
  ]

  private static let reads: [Question] =
    [
      "user_profiles?select=*,checkposts(*,highway_segments(*))",
      "user_profiles?select=nonsense(*)",
      "checkposts?select=code,highway_segments(name,parks(code))&order=code.desc",
      "highway_segments?select=name,checkposts(code)", "vehicle_passages?select=id,violations(id)",
      "vehicle_passages?order=client_id",
      "vehicle_passages?select=id,violations!exit_passage_id(id)",
      "vehicle_passages?client_id=in.(\(Asking.clientID),\(Asking.other))&select=id&order=id",
      "vehicle_passages?client_id=in.(x)", "vehicle_passages?client_id=eq.7",
      "vehicle_passages?recorded_at=gte.2026-01-01T00:00:00+00:00",
      "vehicle_passages?recorded_at=gte.2026-01-01T00:00:00Z&select=plate_number&order=plate_number",
      "vehicle_passages?recorded_at=gt.2026-01-01T00:00:00.411999Z&select=plate_number",
      "vehicle_passages?select=n:plate_number&order=recorded_at.desc,id.desc&limit=1",
      "vehicle_passages?select=id&order=id&limit=1&offset=1", "vehicle_passages?colour=eq.red",
      "vehicle_passages?select=id&order=photo_path.desc.nullslast,id&plate_number=like.BA*",
      "vehicle_passages?select=id&plate_number=ilike.ba1*&photo_path=is.null",
      "vehicle_passages?select=id&photo_path=neq.x", "vehicle_passages?select=id&is_entry=is.maybe",
      "vehicle_passages?select=id&order=id&or=(plate_number.eq.BA2PA7,and(source.eq.app,is_entry.is.null))",
      "vehicle_passages?select=id&not.or=(plate_number.eq.BA2PA7,plate_number.eq.\"BA1PA1234\")",
      "vehicle_passages?select=id&plate_number=not.in.(BA2PA7)", "vehicles", "violations?select=id",
      "vehicle_passages?plate_number=BA2PA7",
    ].flatMap { target in
      [Asker.east, .service, .anonymous].map { Question($0, "GET", target) }
    } + [
      Question(.east, "GET", "vehicle_passages?select=id&order=id&limit=1", prefer: "count=exact"),
      Question(.east, "GET", "vehicle_passages?select=id&offset=9", prefer: "count=exact"),
    ]

  private static let byIdentity = "vehicle_passages?client_id=eq.\(Asking.clientID)"
  private static let telling = "return=representation"

  private static let changes: [Question] = [
    Question(.east, "PATCH", byIdentity, ["plate_number": "BA1PA1235"], prefer: telling),
    Question(.east, "PATCH", byIdentity, ["photo_path": "x.jpg"]),
    Question(.west, "PATCH", byIdentity, ["photo_path": "y.jpg"], prefer: telling),
    Question(.anonymous, "PATCH", byIdentity, ["photo_path": "y.jpg"], prefer: telling),
    Question(.east, "PATCH", byIdentity, ["vehicle_type": "hovercraft"], prefer: telling),
    Question(.east, "PATCH", byIdentity, ["ranger_id": .text(ServerModel.Pilot.westRanger)]),
    Question(.east, "PATCH", byIdentity, ["client_id": .text(Asking.other)], prefer: telling),
    Question(.east, "PATCH", byIdentity, ["plate_number": nil], prefer: telling),
    Question(.east, "PATCH", byIdentity, ["colour": "red"], prefer: telling),
    Question(.east, "PATCH", "user_profiles?full_name=eq.Sita", ["role": "admin"], prefer: telling),
    Question(.east, "DELETE", byIdentity, prefer: telling),
    Question(.service, "PATCH", "highway_segments?name=eq.x", ["min_travel_time_minutes": 1]),
    Question(.service, "DELETE", "checkposts?code=eq.BNP-A", prefer: telling),
  ]

  private static func mark(_ user: String, _ pending: JSONValue) -> JSONValue {
    ["user_id": .text(user), "device_id": "BNP-A", "pending_count": pending]
  }

  private static let others: [Question] =
    [
      ("resolution=merge-duplicates", 3), ("resolution=merge-duplicates", 0),
      ("resolution=merge-duplicates,return=representation", 5), ("return=minimal", 1),
      ("resolution=merge-duplicates", "many"), ("resolution=merge-duplicates", 1.5),
      ("resolution=merge-duplicates", 3_000_000_000), ("resolution=merge-duplicates", nil),
    ].flatMap { (prefer: String, pending: JSONValue) in
      [ServerModel.Pilot.eastRanger, ServerModel.Pilot.westRanger].map {
        Question(
          .east, "POST",
          "sync_metadata?on_conflict=user_id,device_id&select=device_id,pending_count",
          mark($0, pending), prefer: prefer)
      }
    } + [
      Question(
        .east, "POST", "sync_metadata?on_conflict=device_id",
        mark(ServerModel.Pilot.eastRanger, 1), prefer: "resolution=merge-duplicates")
    ]

  /// All rows, as the owner of the database sees them.
  static let everything: [Question] = [
    Question(.service, "GET", "vehicle_passages?order=id"),
    Question(
      .service, "GET",
      "violations?order=entry_passage_id&select=entry_passage_id,exit_passage_id,violation_type,"
        + "travel_time_minutes,threshold_minutes,calculated_speed_kmh,speed_limit_kmh,entry_time"),
    Question(.service, "GET", "sync_metadata?order=user_id&select=user_id,pending_count"),
  ]

  // MARK: Drawn ones

  private static func identity(_ kind: String, _ number: Int) -> JSONValue {
    let digits = String(number, radix: 16)
    return .text(
      "\(kind)000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)
  }

  /// One of many; `number` counts the passages, whose moments are all different.
  static func random(_ number: inout Int, using random: inout SplitMix64) -> Question {
    let asker = [Asker.east, .east, .west, .service][Int.random(in: 0..<4, using: &random)]
    let identity = identity("0f", Int.random(in: 0..<40, using: &random))
    let filter = "vehicle_passages?client_id=eq.\(identity.text ?? "")"
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      let plate = JSONValue.text("BA1PA\(Int.random(in: 0..<4, using: &random))")
      return Question(asker, "PATCH", filter, ["plate_number": plate], prefer: telling)
    case 1: return Question(asker, "GET", filter)
    case 2:
      return Question(
        asker, "GET",
        "vehicle_passages?matched_passage_id=is.null&checkpost_id=neq.\(ServerModel.Pilot.east)"
          + "&order=recorded_at.desc,id.desc&limit=5")
    case 3 where random.happens(onceIn: 3):
      return Question(.service, "DELETE", filter, prefer: telling)
    default:
      let rows = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        row(of: asker, &number, using: &random)
      }
      let target = random.happens(onceIn: 4) ? "vehicle_passages" : once
      return Question(
        asker, "POST", target, rows.count == 1 ? rows[0] : .list(rows),
        prefer: [ignoring, ignoring, telling, "return=minimal"][
          Int.random(in: 0..<4, using: &random)])
    }
  }

  private static func row(
    of asker: Asker, _ number: inout Int, using random: inout SplitMix64
  ) -> JSONValue {
    number += 1
    let isEast = asker == .service ? random.happens(onceIn: 2) : asker == .east
    func rarely(_ value: JSONValue, _ other: JSONValue) -> JSONValue {
      random.happens(onceIn: 25) ? other : value
    }
    // Ten minutes and more apart, so that some trips are too fast, some too slow and some neither.
    let minutes = number * 11
    let pad = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    let time =
      "2026-0\(1 + minutes / 40_320)-\(pad(1 + minutes / 1_440 % 28))T\(pad(minutes / 60 % 24)):"
      + "\(pad(minutes % 60)):\(pad(number % 60)).\(100 + number % 900)Z"
    return [
      "id": identity("0e", rarely(1, 0) == 0 ? 1 : 1_000 + number),
      "client_id": rarely(identity("0f", Int.random(in: 0..<40, using: &random)), nil),
      "plate_number": .text("BA1PA\(Int.random(in: 0..<4, using: &random))"),
      "plate_number_raw": rarely("BA 1 PA", nil), "vehicle_type": rarely("car", "jeep_suv"),
      "checkpost_id": rarely(
        .text(isEast ? ServerModel.Pilot.east : ServerModel.Pilot.west),
        .text(isEast ? ServerModel.Pilot.west : ServerModel.Pilot.east)),
      "segment_id": rarely(.text(ServerModel.Pilot.segment), identity("0b", 9)),
      "ranger_id": rarely(
        .text(isEast ? ServerModel.Pilot.eastRanger : ServerModel.Pilot.westRanger),
        identity("0d", 9)),
      "recorded_at": rarely(.text(time), "never"), "source": rarely("app", "pigeon"),
    ]
  }
}
