/// What version 15 has beside the ones before, in the order in which it is run: numbers with which nothing can be
/// computed are none.
extension JudgingSchema {
  static let version15 = [bounded]

  private static let bounded = #"""
    -- The road and the speeds are as those of the deployed table, and what is computed of them has room.
    DELETE FROM earlier_limits WHERE distance > 100000000 OR fastest > 100000000;
    ALTER TABLE earlier_limits DROP CONSTRAINT IF EXISTS earlier_limits_bounds,
      ADD CONSTRAINT earlier_limits_bounds CHECK (distance <= 100000000 AND fastest <= 100000000);
    -- What is yet to come is not forgotten.
    UPDATE forgetting SET since = NULL, place = NULL WHERE since > extract(epoch FROM clock_timestamp());
    """#
}
