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

  /// What becomes of a row that nothing is known of, as most are.
  static let alone = #"""
    -- Takes a report that nothing is known of yet and that is a passage of its own. Where nothing was seen of the
    -- vehicle for as long as an exit is waited for on either side, there is nothing to judge but that it waits, and
    -- that is done; else it is remembered, to be judged at the end of the statement, and where it is near one other
    -- passage alone, that is returned as the partner that it will have. Takes nothing where more is to be told; it is
    -- taken as any other then. The caller holds the lock that keeps the directory as it is.
    CREATE OR REPLACE FUNCTION take_plain(
      report observations, meant uuid, moment timestamptz, OUT is_taken boolean, OUT partner uuid,
      OUT is_entry boolean
    ) LANGUAGE plpgsql AS $$
    DECLARE
      key_second CONSTANT bigint := second_of(report.recorded_at);
      target bigint;
      it place;
      near record;
      is_alone boolean;
      ahead integer := 0;
      due_in bigint := 0;
    BEGIN
      is_taken := false;
      -- By these two it may concern another vehicle, whose lock then comes first.
      IF report.is_clock_unset OR NOT (report.is_proven OR report.channel <> 'text') OR report.own_row IS NULL
        OR EXISTS (SELECT FROM identities i WHERE i.client_id = report.client_id)
        OR EXISTS (SELECT FROM corrections c WHERE c.client_id = report.client_id AND c.record IS NULL)
      THEN RETURN; END IF;
      PERFORM pg_advisory_xact_lock(7061, (hashtextextended(report.plate, 7061) & 1023)::integer);
      SELECT (k.it).* INTO it FROM known_places k WHERE k.post = report.post;
      IF NOT FOUND THEN it := (places_of(ARRAY[report.post]))[1]; END IF;
      IF it.is_moved THEN RETURN; END IF;
      -- Whether anything goes by one of its names, or is to be corrected by it; and what is near.
      SELECT coalesce(key_second < (SELECT f.since FROM forgetting f), false)
          OR EXISTS (SELECT FROM records r WHERE r.received_plate = report.plate AND r.received_post = report.post
            AND r.received_second = key_second)
          OR EXISTS (SELECT FROM records r WHERE r.passage_id = report.own_row)
          OR EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = report.own_row)
          OR EXISTS (SELECT FROM identities i WHERE i.client_id = report.client_id)
          OR EXISTS (SELECT FROM corrections c WHERE c.client_id = report.client_id AND c.record IS NULL) AS is_known,
          count(*) AS count, min(r.passage_id::text)::uuid AS row, min(r.second) AS second, min(r.post) AS post,
          coalesce(bool_or(r.post = report.post AND abs(r.second - key_second) <= it.ranger_window), false) AS is_same
        INTO near FROM records r
        WHERE r.plate = report.plate
          AND r.second BETWEEN key_second - it.pairing_window AND key_second + it.pairing_window;
      IF near.is_known THEN RETURN; END IF;
      -- Another ranger may have written the same passage down.
      IF near.is_same THEN RETURN; END IF;
      is_alone := near.count = 0;
      IF is_alone THEN
        -- Where it may go several ways, the slowest of them counts.
        FOR s IN 1..cardinality(it.names) LOOP
          CONTINUE WHEN report.post NOT IN (it.firsts[s], it.seconds[s]);
          IF ahead = 0 OR due_after(it, s, key_second) > due_in THEN
            ahead := s;
            due_in := due_after(it, s, key_second);
          END IF;
        END LOOP;
        is_alone := ahead = 0 OR second_of(moment) < key_second + due_in;
      END IF;
      is_taken := true;
      target := next_record(key_second);
      WITH made AS (
        INSERT INTO records (number, received_post, received_plate, received_second, received_post_id, post,
            plate, second, is_founded, row_number, passage_id, last_at, client_id, inserted_at)
          OVERRIDING SYSTEM VALUE
          VALUES (target, report.post, report.plate, key_second, meant, report.post, report.plate, key_second, true,
            target, report.own_row, moment, report.client_id, moment)),
      linked AS (
        INSERT INTO identities (client_id, record) VALUES (report.client_id, target)),
      kept AS (
        INSERT INTO observations (record, client_id, post, plate, raw_plate, vehicle_type, recorded_at, ranger,
            suffix, photo_path, channel, is_proven, received_at, clock_seconds, inserted_at, own_row)
          VALUES (target, report.client_id, report.post, report.plate, report.raw_plate, report.vehicle_type,
            report.recorded_at, report.ranger, report.suffix, report.photo_path, report.channel, report.is_proven,
            report.received_at, report.clock_seconds, moment, report.own_row)),
      counted AS (
        INSERT INTO heard_changes (post, passages, recorded, last_at)
          VALUES (report.post, is_alone::integer, 1, CASE WHEN is_alone THEN moment END)),
      shown AS (
        INSERT INTO passages (row_number, members, post, plate, earliest, latest, is_dated, raw_plate, vehicle_type,
            recorded_at, rangers, suffix, photo_path, channels, is_proven, clock_seconds, first_received_at,
            is_corrected, contradictions)
          SELECT target, ARRAY[target], report.post, report.plate, key_second, key_second, true, report.raw_plate,
            report.vehicle_type, report.recorded_at, ARRAY[report.ranger], report.suffix, report.photo_path,
            ARRAY[report.channel], report.is_proven, report.clock_seconds, report.received_at, false, '{}'
          WHERE is_alone),
      loose AS (
        INSERT INTO unpaired SELECT target WHERE is_alone)
      INSERT INTO waiting (entry, plate, post, second, opposite, due_at, expires_at, look_at)
        SELECT target, report.plate, report.post, key_second,
          CASE WHEN it.firsts[ahead] = report.post THEN it.seconds[ahead] ELSE it.firsts[ahead] END,
          key_second + due_in, key_second + greatest(window_at(it, ahead, key_second), due_in), key_second + due_in
        WHERE is_alone AND ahead > 0;
      IF is_alone THEN RETURN; END IF;
      PERFORM touch(target, report.plate, report.post, key_second);
      IF near.count = 1 AND cardinality(it.names) = 1 AND near.post <> report.post AND near.post = ANY (it.posts)
        AND EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = near.row)
      THEN
        partner := near.row;
        is_entry := key_second < near.second;
      END IF;
    END $$;
    """#
}
