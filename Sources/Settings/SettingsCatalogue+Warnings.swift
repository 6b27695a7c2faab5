// Vehicles that are warned of on the spot.
extension SettingsCatalogue {
  static let warnings: [Setting] = {
    let section = SectionOfSettings("node", \.node)
    return [
      section.optional(
        "segment_distance_km", \.segmentDistance, .decimal, reloads: true,
        "The length of the segment in kilometres, where the server tells of none. With it and the two"
          + " speeds vehicles are warned of on the spot."),
      section.optional(
        "min_speed_kmh", \.minimumSpeed, .decimal, reloads: true,
        "The slowest mean speed over the segment that is no overstay, in kilometres an hour."),
      section.optional(
        "max_speed_kmh", \.maximumSpeed, .decimal, reloads: true,
        "The speed limit on the segment, in kilometres an hour."),
      section.optional(
        "opposite_post", \.oppositePost, .checkpost, reloads: true,
        "The code of the post at the other end of the segment, where the server does not tell it."),
      section.list(
        "opposite_numbers", \.oppositeNumbers, .phoneNumberOrAny, reloads: true,
        "The numbers that the opposite post texts its passages from to the modem of this node; `any`"
          + " takes those of every number, which anybody can forge. Passages of the opposite post"
          + " are known from the server without it."),
      section.optional(
        "opposite_post_number", \.oppositePostNumber, .phoneNumber, reloads: true,
        "The number of the opposite post's modem, to which each passage is texted as well while there"
          + " is no line, so that it warns on the spot. That costs as many texts again; those to"
          + " central go first. Null is for none."),
      section.list(
        "alert_command", \.alertCommand, .any, reloads: true,
        "The program, with a path that begins with /, and its arguments, that is run when a vehicle"
          + " was too fast, too slow or ought to have left: with `speeding`, `overstay` or `overdue`,"
          + " the plate and the seconds behind them. No shell reads it; it is ended after 20 seconds."
      ),
    ]
  }()
}
