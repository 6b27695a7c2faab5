/// What version 14 has beside the ones before, in the order in which it is run: what a row asks of a place is found out
/// once.
extension JudgingSchema {
  static let version14 = [placesAtHand]

  private static let placesAtHand = #"""
    -- The post's row, some of the place, and whether the number of a record tells the
    -- month. Of a post at one segment alone, whose posts were always the same, also the post at the other end (`opposite`)
    -- and the row of the segment; and where its numbers were always the same, in how many seconds after an entry the vehicle
    -- has been inside for too long, and for how many its exit is waited for. Else null.
    DELETE FROM known_places;
    ALTER TABLE known_places ADD COLUMN post_id uuid UNIQUE, ADD COLUMN ranger_window bigint,
      ADD COLUMN pairing_window bigint, ADD COLUMN is_moved boolean, ADD COLUMN is_divided boolean,
      ADD COLUMN opposite text COLLATE "C", ADD COLUMN segment_id uuid,
      ADD COLUMN due_in bigint, ADD COLUMN expires_in bigint;
    """#
}
