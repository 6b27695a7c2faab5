/// The tables that are told over HTTP, with the names that clients and other servers of this kind use.
public enum Catalogue {
  /// All tables.
  public static let tables: [RestTable] = [
    parks, segments, checkposts, profiles, passages, violations, outcomes, alerts, syncMetadata,
  ]

  private static let byName: [String: RestTable] = Dictionary(
    uniqueKeysWithValues: tables.map { ($0.name, $0) })

  /// The table of that name; nil when there is none.
  public static func table(_ name: some StringProtocol) -> RestTable? { byName[String(name)] }

  /// The words for kinds of vehicles.
  public static let vehicleTypes = [
    "car", "jeep", "pickup", "van", "minibus", "bus", "truck", "tanker", "motorcycle", "other",
  ]

  /// The parks that segments lie in.
  public static let parks = RestTable("parks") { table in
    table.add("name", .text, rule: .name, given: true, changed: true)
    table.add("code", .text, rule: .characters(1...10), given: true, changed: true)
    table.add(
      "is_active", .flag, default: .value(.flag(true)), given: true, changed: true)
    table.addTimes()
    table.unique("parks_name_key", "name")
    table.unique("parks_code_key", "code")
  }

  /// The segments between two posts.
  public static let segments = RestTable("highway_segments") { table in
    let speed = RestColumn.Kind.numeric(precision: 5, scale: 2)
    let minutes = RestColumn.Kind.numeric(precision: 8, scale: 2)
    table.add("park_id", .uuid, given: true, changed: true)
    table.add(
      "name", .text, rule: .name, given: true,
      fixed: "texts and judgements know a segment by its name: put in another one")
    table.add(
      "distance_km", .numeric(precision: 6, scale: 2), rule: .above(0), given: true, changed: true)
    table.add("max_speed_kmh", speed, rule: .above(0), given: true, changed: true)
    table.add("min_speed_kmh", speed, rule: .above(0), given: true, changed: true)
    for name in ["min_travel_time_minutes", "max_travel_time_minutes"] {
      table.add(name, minutes, null: true, fixed: "it follows from the distance and the speeds")
    }
    table.add(
      "is_active", .flag, default: .value(.flag(true)), given: true, changed: true)
    table.addTimes()
    // The posts at its ends, in the order of their places: the row of a post names one segment alone.
    table.add(
      "checkpost_ids", .words, default: .value(.text("[]")),
      fixed: "it follows from where the posts stand: write segment_id of checkposts")
    table.refer("park_id", to: "parks")
  }

  /// The posts at the ends of segments.
  public static let checkposts = RestTable("checkposts") { table in
    let degrees = RestColumn.Kind.numeric(precision: 9, scale: 6)
    table.add("segment_id", .uuid, given: true, changed: true)
    table.add("name", .text, rule: .name, given: true, changed: true)
    table.add(
      "code", .text, rule: .code, given: true,
      fixed: "texts know a post by its code: put in another one")
    table.add("position_index", .short, rule: .within(0...1), given: true, changed: true)
    table.add("latitude", degrees, null: true, rule: .within(-90...90), given: true, changed: true)
    table.add(
      "longitude", degrees, null: true, rule: .within(-180...180), given: true, changed: true)
    table.add(
      "is_active", .flag, default: .value(.flag(true)), given: true, changed: true)
    table.add("created_at", .timestamp, default: .now)
    // All segments that it ends, by their names; `segment_id` is the first of them.
    table.add(
      "segment_ids", .words, default: .value(.text("[]")), rule: .uuids, given: true, changed: true)
    table.unique("checkposts_code_key", "code")
    table.unique("uq_checkposts_segment_position", "segment_id", "position_index")
    table.refer("segment_id", to: "highway_segments")
  }

  /// The people.
  public static let profiles = RestTable("user_profiles") { table in
    table.add("full_name", .text, rule: .name, given: true, changed: true)
    table.add("role", .text, rule: .oneOf(["ranger", "admin"]), given: true)
    table.add("phone_number", .text, null: true, given: true, changed: true)
    table.add("assigned_checkpost_id", .uuid, null: true, given: true, changed: true)
    // Where nobody is assigned to one, it follows from the post's segment.
    table.add("assigned_park_id", .uuid, null: true, given: true, changed: true)
    table.add(
      "is_active", .flag, default: .value(.flag(true)), given: true, changed: true)
    table.addTimes()
    table.refer("assigned_checkpost_id", to: "checkposts")
    table.refer("assigned_park_id", to: "parks")
  }

  /// The passages.
  public static let passages = RestTable("vehicle_passages") { table in
    table.add("client_id", .uuid, given: true)
    table.add("plate_number", .text, given: true, changed: true)
    table.add("plate_number_raw", .text, null: true, given: true, changed: true)
    table.add("vehicle_type", .text, rule: .oneOf(vehicleTypes), given: true, changed: true)
    table.add("checkpost_id", .uuid, given: true, changed: true)
    table.add("segment_id", .uuid, given: true)
    table.add("recorded_at", .timestamp, given: true, changed: true)
    table.add("server_received_at", .timestamp, default: .now)
    table.add("ranger_id", .uuid, given: true)
    table.add("photo_path", .text, null: true, rule: .photograph, given: true, changed: true)
    table.add(
      "source", .text, default: .value(.text("app")), rule: .oneOf(["app", "sms"]), given: true)
    table.add("matched_passage_id", .uuid, null: true)
    table.add("is_entry", .flag, null: true)
    table.add("created_at", .timestamp, default: .now)
    table.unique("vehicle_passages_client_id_key", "client_id")
    table.refer("checkpost_id", to: "checkposts")
    table.refer("segment_id", to: "highway_segments")
    table.refer("ranger_id", to: "user_profiles")
    table.refer("matched_passage_id", to: "vehicle_passages")
  }

  /// The violations.
  public static let violations = RestTable("violations") { table in
    let minutes = RestColumn.Kind.numeric(precision: 8, scale: 2)
    table.add("entry_passage_id", .uuid)
    table.add("exit_passage_id", .uuid)
    table.add("segment_id", .uuid)
    table.add("violation_type", .text)
    table.add("plate_number", .text)
    table.add("vehicle_type", .text)
    table.add("entry_time", .timestamp)
    table.add("exit_time", .timestamp)
    table.add("travel_time_minutes", minutes)
    table.add("threshold_minutes", minutes)
    table.add("calculated_speed_kmh", .numeric(precision: 6, scale: 2))
    table.add("speed_limit_kmh", .numeric(precision: 5, scale: 2))
    table.add("distance_km", .numeric(precision: 6, scale: 2))
    table.add("alert_delivered_at", .timestamp, null: true, changed: true)
    table.add("created_at", .timestamp, default: .now)
    table.add("is_retracted", .flag, default: .value(.flag(false)))
    table.add("finality", .text, default: .value(.text("provisional")))
    table.add("doubts", .words, default: .value(.text("[]")))
    table.unique("violations_entry_passage_id_key", "entry_passage_id")
    table.refer("entry_passage_id", to: "vehicle_passages")
    table.refer("exit_passage_id", to: "vehicle_passages")
    table.refer("segment_id", to: "highway_segments")
  }

  /// What came of violations.
  public static let outcomes = RestTable("violation_outcomes") { table in
    table.add("violation_id", .uuid, given: true)
    table.add(
      "outcome_type", .text, rule: .oneOf(["warned", "fined", "let_go", "not_found", "other"]),
      given: true, changed: true)
    table.add(
      "fine_amount", .numeric(precision: 10, scale: 2), null: true, rule: .atLeast(0),
      given: true, changed: true)
    table.add("notes", .text, null: true, given: true, changed: true)
    table.add("recorded_by", .uuid, given: true)
    table.add("recorded_at", .timestamp, default: .now, given: true)
    table.unique("violation_outcomes_violation_id_key", "violation_id")
    table.refer("violation_id", to: "violations")
    table.refer("recorded_by", to: "user_profiles")
  }

  /// Vehicles that are inside for too long.
  public static let alerts = RestTable("proactive_overstay_alerts") { table in
    table.add("entry_passage_id", .uuid)
    table.add("segment_id", .uuid)
    table.add("plate_number", .text)
    table.add("vehicle_type", .text)
    table.add("entry_time", .timestamp)
    table.add("expected_exit_by", .timestamp)
    table.add("resolved", .flag, default: .value(.flag(false)), changed: true)
    table.add("resolved_at", .timestamp, null: true)
    table.add("resolved_by_passage_id", .uuid, null: true)
    table.add("created_at", .timestamp, default: .now)
    table.unique("uq_overstay_alerts_entry_passage_id", "entry_passage_id")
    table.refer("entry_passage_id", to: "vehicle_passages")
    table.refer("segment_id", to: "highway_segments")
    table.refer("resolved_by_passage_id", to: "vehicle_passages")
  }

  /// How far devices are.
  public static let syncMetadata = RestTable("sync_metadata") { table in
    table.add("user_id", .uuid, given: true)
    table.add("device_id", .text, given: true)
    table.add("last_sync_at", .timestamp, null: true, given: true, changed: true)
    table.add("last_pull_at", .timestamp, null: true, given: true, changed: true)
    table.add(
      "pending_count", .integer, default: .value(.integer(0)), given: true, changed: true)
    table.add("created_at", .timestamp, default: .now)
    table.add("updated_at", .timestamp, default: .now, given: true, changed: true)
    table.unique("uq_sync_metadata_user_device", "user_id", "device_id")
    table.refer("user_id", to: "user_profiles")
  }
}
