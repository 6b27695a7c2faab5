/// What version 15 has beside the ones before, in the order in which it is run: numbers with which nothing can be
/// computed are none.
extension JudgingSchema {
  static let version15 = [bounded]

  private static let bounded = #"""
    -- The road and the speeds are as those of the deployed table, and what is computed of them has room.
    DELETE FROM earlier_limits WHERE distance > 100000000 OR fastest > 100000000;
    ALTER TABLE earlier_limits DROP CONSTRAINT IF EXISTS earlier_limits_bounds,
      ADD CONSTRAINT earlier_limits_bounds CHECK (distance <= 100000000 AND fastest <= 100000000);
    UPDATE rejudging SET posts = NULL WHERE array_ndims(posts) > 1;
    ALTER TABLE rejudging DROP CONSTRAINT IF EXISTS rejudging_posts,
      ADD CONSTRAINT rejudging_posts CHECK (coalesce(array_ndims(posts), 1) = 1);
    -- Who is gone is nobody under whom a row could stand.
    UPDATE settings s SET unknown_ranger = NULL WHERE s.unknown_ranger IS NOT NULL
      AND NOT EXISTS (SELECT FROM public.user_profiles u WHERE u.id = s.unknown_ranger);
    ALTER TABLE settings DROP CONSTRAINT IF EXISTS settings_unknown_ranger,
      ADD CONSTRAINT settings_unknown_ranger FOREIGN KEY (unknown_ranger) REFERENCES public.user_profiles
        ON DELETE SET NULL;
    -- A post whose code no index holds ends nothing: its passages are not judged.
    CREATE OR REPLACE VIEW segment_ends AS
      SELECT c.segment_id, c.position_index::smallint AS position_index, c.id AS post_id, c.code::text AS code
        FROM public.checkposts c WHERE octet_length(c.code) <= 200
      UNION ALL SELECT f.segment_id, f.position_index, f.post_id, c.code::text
        FROM further_ends f JOIN public.checkposts c ON c.id = f.post_id WHERE octet_length(c.code) <= 200;
    -- What is yet to come is not forgotten.
    UPDATE forgetting SET since = NULL, place = NULL WHERE since > extract(epoch FROM clock_timestamp());
    """#
}
