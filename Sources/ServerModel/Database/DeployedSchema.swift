/// The tables as they are deployed.
enum DeployedSchema {
  static let tables: [Table] = [
    parks, segments, checkposts, profiles, passages, violations, alerts, syncMetadata,
  ]

  /// The words for kinds of vehicles.
  static let vehicleTypes = [
    "car", "jeep", "pickup", "van", "minibus", "bus", "truck", "tanker", "motorcycle", "other",
  ]

  private static let parks = made("parks") { table in
    table.add("name", .text)
    table.add("code", .text, check: .atMost(characters: 10))
    table.add("is_active", .flag, default: .value(.flag(true)))
    table.addTimes()
    table.unique("parks_name_key", "name")
    table.unique("parks_code_key", "code")
  }

  private static let segments = made("highway_segments") { table in
    let speed = Table.Kind.numeric(precision: 5, scale: 2)
    let minutes = Table.Kind.numeric(precision: 8, scale: 2)
    table.add("park_id", .uuid)
    table.add("name", .text)
    table.add("distance_km", .numeric(precision: 6, scale: 2), check: .positive)
    table.add("max_speed_kmh", speed, check: .positive)
    table.add("min_speed_kmh", speed, check: .positive)
    table.add("min_travel_time_minutes", minutes, null: true, generated: true)
    table.add("max_travel_time_minutes", minutes, null: true, generated: true)
    table.add("is_active", .flag, default: .value(.flag(true)))
    table.addTimes()
    table.refer("park_id", to: "parks", onDelete: .cascade)
  }

  private static let checkposts = made("checkposts") { table in
    table.add("segment_id", .uuid)
    table.add("name", .text)
    table.add("code", .text)
    table.add("position_index", .short, check: .within(0...1))
    table.add("latitude", .numeric(precision: 9, scale: 6), null: true)
    table.add("longitude", .numeric(precision: 9, scale: 6), null: true)
    table.add("is_active", .flag, default: .value(.flag(true)))
    table.add("created_at", .timestamp, default: .now)
    table.unique("checkposts_code_key", "code")
    table.unique("uq_checkposts_segment_position", "segment_id", "position_index")
    table.refer("segment_id", to: "highway_segments", onDelete: .cascade)
  }

  private static let profiles = made("user_profiles") { table in
    table.add("full_name", .text)
    table.add("role", .text, check: .oneOf(["ranger", "admin"]))
    table.add("phone_number", .text, null: true)
    table.add("assigned_checkpost_id", .uuid, null: true)
    table.add("assigned_park_id", .uuid, null: true)
    table.add("is_active", .flag, default: .value(.flag(true)))
    table.addTimes()
    table.refer("assigned_checkpost_id", to: "checkposts", onDelete: .setNull)
    table.refer("assigned_park_id", to: "parks", onDelete: .setNull)
  }

  private static let passages = made("vehicle_passages") { table in
    table.add("client_id", .uuid)
    table.add("plate_number", .text)
    table.add("plate_number_raw", .text, null: true)
    table.add("vehicle_type", .text, check: .oneOf(vehicleTypes))
    table.add("checkpost_id", .uuid)
    table.add("segment_id", .uuid)
    table.add("recorded_at", .timestamp)
    table.add("server_received_at", .timestamp, default: .now)
    table.add("ranger_id", .uuid)
    table.add("photo_path", .text, null: true)
    table.add("source", .text, default: .value(.text("app")), check: .oneOf(["app", "sms"]))
    table.add("matched_passage_id", .uuid, null: true)
    table.add("is_entry", .flag, null: true)
    table.add("created_at", .timestamp, default: .now)
    table.unique("vehicle_passages_client_id_key", "client_id")
    table.refer("checkpost_id", to: "checkposts")
    table.refer("segment_id", to: "highway_segments")
    table.refer("ranger_id", to: "user_profiles")
    table.refer("matched_passage_id", to: "vehicle_passages", onDelete: .setNull)
  }

  private static let violations = made("violations") { table in
    let minutes = Table.Kind.numeric(precision: 8, scale: 2)
    table.add("entry_passage_id", .uuid)
    table.add("exit_passage_id", .uuid)
    table.add("segment_id", .uuid)
    table.add("violation_type", .text, check: .oneOf(["speeding", "overstay"]))
    table.add("plate_number", .text)
    table.add("vehicle_type", .text)
    table.add("entry_time", .timestamp)
    table.add("exit_time", .timestamp)
    table.add("travel_time_minutes", minutes)
    table.add("threshold_minutes", minutes)
    table.add("calculated_speed_kmh", .numeric(precision: 6, scale: 2))
    table.add("speed_limit_kmh", .numeric(precision: 5, scale: 2))
    table.add("distance_km", .numeric(precision: 6, scale: 2))
    table.add("alert_delivered_at", .timestamp, null: true)
    table.add("created_at", .timestamp, default: .now)
    table.unique("violations_entry_passage_id_key", "entry_passage_id")
    table.refer("entry_passage_id", to: "vehicle_passages")
    table.refer("exit_passage_id", to: "vehicle_passages")
    table.refer("segment_id", to: "highway_segments")
  }

  private static let alerts = made("proactive_overstay_alerts") { table in
    table.add("entry_passage_id", .uuid)
    table.add("segment_id", .uuid)
    table.add("plate_number", .text)
    table.add("vehicle_type", .text)
    table.add("entry_time", .timestamp)
    table.add("expected_exit_by", .timestamp)
    table.add("resolved", .flag, default: .value(.flag(false)))
    table.add("resolved_at", .timestamp, null: true)
    table.add("resolved_by_passage_id", .uuid, null: true)
    table.add("created_at", .timestamp, default: .now)
    table.unique("uq_overstay_alerts_entry_passage_id", "entry_passage_id")
    table.refer("entry_passage_id", to: "vehicle_passages", onDelete: .cascade)
    table.refer("segment_id", to: "highway_segments")
    table.refer("resolved_by_passage_id", to: "vehicle_passages", onDelete: .setNull)
  }

  private static let syncMetadata = made("sync_metadata") { table in
    table.add("user_id", .uuid)
    table.add("device_id", .text)
    table.add("last_sync_at", .timestamp, null: true)
    table.add("last_pull_at", .timestamp, null: true)
    table.add("pending_count", .integer, default: .value(.integer(0)))
    table.addTimes()
    table.unique("uq_sync_metadata_user_device", "user_id", "device_id")
    table.refer("user_id", to: "user_profiles")
  }

  private static func made(_ name: String, _ fill: (inout Table) -> Void) -> Table {
    var table = Table(name)
    fill(&table)
    return table
  }

  /// Fills in the columns that follow from others.
  static func compute(_ row: inout Row, of table: Table) throws(SQLError) {
    guard table.name == "highway_segments", let distance = table.row(row, "distance_km").number
    else { return }
    for (column, speed) in [
      ("min_travel_time_minutes", "max_speed_kmh"), ("max_travel_time_minutes", "min_speed_kmh"),
    ] {
      guard let speed = table.row(row, speed).number else { continue }
      guard speed != 0 else { throw SQLError("22012", "division by zero") }
      row[table.at(column)] = try Numeric.rounded(distance * 60 / speed, precision: 8, scale: 2)
    }
  }
}
