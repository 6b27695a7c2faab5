/// What was found out of the directory once, so that it is not found out again for each row.
extension JudgingSchema {
  /// What version 9 has beside the ones before, in the order in which it is run.
  static let version9 = [earlierLimits, knownPlaces, originalRows, listed]

  /// What held of segments before.
  static let earlierLimits = #"""
    -- The numbers of segments up to the second `until`, in metres and metres an hour. What holds from the last of them on
    -- stands in the deployed table.
    CREATE TABLE earlier_limits (
      segment_id uuid NOT NULL REFERENCES public.highway_segments ON DELETE CASCADE,
      until bigint NOT NULL,
      distance bigint NOT NULL CHECK (distance >= 1),
      fastest bigint NOT NULL,
      slowest bigint NOT NULL CHECK (slowest >= 1),
      PRIMARY KEY (segment_id, until),
      CHECK (fastest > slowest)
    );

    -- How long an exit is waited for on each segment at least; and what held before, each with the place of its segment.
    -- `windows` and `longests` are those of any time.
    ALTER TYPE place ADD ATTRIBUTE waits bigint[], ADD ATTRIBUTE old_at integer[], ADD ATTRIBUTE old_until bigint[],
      ADD ATTRIBUTE old_distances bigint[], ADD ATTRIBUTE old_fastests bigint[], ADD ATTRIBUTE old_slowests bigint[];
    """#

  /// Where the passages of posts are judged.
  static let knownPlaces = #"""
    -- Empty after each change of the directory; whoever judges writes down what it finds.
    CREATE TABLE known_places (post text COLLATE "C" PRIMARY KEY, it place NOT NULL);
    """#

  /// What lists ask for, page by page, however many passages there are.
  static let listed = #"""
    CREATE INDEX passages_suffix ON passages (suffix, recorded_at, row_number);

    -- Passages that are in no pair.
    CREATE TABLE unpaired (row_number bigint PRIMARY KEY);
    INSERT INTO unpaired SELECT p.row_number FROM passages p
      WHERE NOT EXISTS (SELECT FROM pairs x WHERE x.entry = p.row_number)
        AND NOT EXISTS (SELECT FROM pairs e WHERE e.exit = p.row_number);
    """#

  /// When it is found out again.
  static let placeTriggers = #"""
    DO $$
    DECLARE
      tab text;
    BEGIN
      FOREACH tab IN ARRAY ARRAY['public.checkposts', 'public.highway_segments', 'checkpost.further_ends',
        'checkpost.exact_segments', 'checkpost.earlier_limits', 'checkpost.earlier_places', 'checkpost.loose_segments', 'checkpost.settings', 'checkpost.pairing_windows']
      LOOP
        -- By its name the first of those behind a row: they judge.
        EXECUTE format('CREATE TRIGGER checkpost_0_places AFTER INSERT OR UPDATE OR DELETE ON %s '
          'FOR EACH ROW EXECUTE FUNCTION forget_places()', tab);
        EXECUTE format('CREATE TRIGGER checkpost_0_places_all AFTER TRUNCATE ON %s '
          'FOR EACH STATEMENT EXECUTE FUNCTION forget_places()', tab);
      END LOOP;
    END $$;
    """#
}
