extension JudgingSchema {
  /// What is needed to forget what is old, and a vehicle.
  static let forgettingTables = #"""
    -- How far it is with dropping what is too old. Nothing from before that second is taken any more.
    CREATE TABLE forgetting (
      only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
      since bigint,
      place text CHECK (place IN ('passages', 'messages', 'audit')),
      after_at timestamptz,
      after_number bigint,
      next_at timestamptz
    );
    INSERT INTO forgetting DEFAULT VALUES;

    -- Photographs that belong to nothing any more and were not removed yet.
    CREATE TABLE dropped_photographs (path text COLLATE "C" PRIMARY KEY);

    -- Kept as it is, as evidence, and judged no more.
    ALTER TABLE records ADD COLUMN is_aside boolean NOT NULL DEFAULT false;

    CREATE INDEX passages_time ON passages (recorded_at, row_number);
    CREATE INDEX records_received_plate ON records (received_plate);
    CREATE INDEX records_inbox ON records (inbox_id) WHERE inbox_id IS NOT NULL;
    CREATE INDEX observations_inbox ON observations (inbox_id) WHERE inbox_id IS NOT NULL;
    CREATE INDEX observations_photo ON observations (photo_path) WHERE photo_path IS NOT NULL;
    CREATE INDEX removed_entry ON removed ((content ->> 'entry_passage_id')) WHERE kind = 'violation';
    """#

  /// Whether something is of a time of which nothing is kept any more.
  static let expiring = #"""
    -- Nothing is known of that time any more: it is told so that nobody tries again.
    CREATE OR REPLACE FUNCTION refuse_expired() RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'a passage is from a time of which nothing is kept any more'
        USING ERRCODE = 'check_violation', TABLE = 'vehicle_passages',
          CONSTRAINT = 'vehicle_passages_recorded_at_check';
    END $$;

    CREATE OR REPLACE FUNCTION is_expired(second bigint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
    BEGIN
      RETURN coalesce(second < (SELECT since FROM forgetting), false);
    END $$;

    CREATE OR REPLACE FUNCTION is_expired(correction corrections) RETURNS boolean LANGUAGE sql STABLE AS $$
      SELECT is_expired(second_of(correction.recorded_at)) OR EXISTS (
        SELECT FROM identities i JOIN records r ON r.number = i.record
        WHERE i.client_id = correction.client_id AND r.is_dated AND is_expired(r.second))
    $$;
    """#

  /// How records are dropped.
  static let forgetting = #"""
    -- The name in the bucket that the path of a photograph has; null of what names none there.
    CREATE OR REPLACE FUNCTION photo_name(path text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT CASE WHEN n.name ~ '^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$' THEN n.name COLLATE "C" END
      FROM (SELECT regexp_replace(path, '^passage-photos/', '')) AS n(name)
    $$;

    -- Whether a photograph is called after a passage that is there.
    CREATE OR REPLACE FUNCTION is_of_passage(name text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
    DECLARE
      stem CONSTANT text := split_part(name, '.', 1);
      passage uuid;
    BEGIN
      IF stem !~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN RETURN false; END IF;
      passage := stem::uuid;
      RETURN is_taken(passage)
        OR EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = passage)
        OR EXISTS (SELECT FROM public.vehicle_passages v WHERE v.client_id = passage);
    END $$;

    -- Whoever drops records of vehicles keeps them as they are until it is done; all of them where none is named.
    CREATE OR REPLACE FUNCTION hold_vehicles(plates text[]) RETURNS void LANGUAGE plpgsql \#(manner) AS $$
    BEGIN
      IF plates IS NULL THEN
        PERFORM lock_all();
      ELSE
        PERFORM check_isolation();
        PERFORM pg_advisory_xact_lock_shared(7060, 0);
        PERFORM lock_vehicles(plates);
      END IF;
    END $$;

    -- Nothing is forgotten that is yet to come: else nobody's passage would be taken any more. What was recorded last is
    -- never too old; where nothing was, nobody keeps less than nothing.
    CREATE OR REPLACE FUNCTION check_since() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'UPDATE' AND NEW.since = OLD.since THEN RETURN NEW; END IF;
      IF NEW.since > coalesce(extract(epoch FROM (SELECT max(p.recorded_at) FROM checkpost.passages p)),
        extract(epoch FROM clock_timestamp()) + 315576000)
      THEN
        RAISE EXCEPTION 'new row for relation "forgetting" violates check constraint "forgetting_since_check"'
          USING ERRCODE = 'check_violation', SCHEMA = 'checkpost', TABLE = 'forgetting', COLUMN = 'since',
            CONSTRAINT = 'forgetting_since_check', HINT = 'What is yet to come is not forgotten.';
      END IF;
      RETURN NEW;
    END $$;
    CREATE OR REPLACE TRIGGER forgetting_since BEFORE INSERT OR UPDATE OF since ON forgetting
      FOR EACH ROW EXECUTE FUNCTION check_since();

    CREATE OR REPLACE FUNCTION put_aside(numbers bigint[]) RETURNS void LANGUAGE plpgsql \#(manner) AS $$
    BEGIN
      UPDATE records SET is_aside = true WHERE number = ANY (numbers) AND NOT is_aside;
    END $$;

    -- Drops records with all that depends on them, in the deployed tables too, but their messages.
    CREATE OR REPLACE FUNCTION forget_records(numbers bigint[]) RETURNS TABLE (
      passages bigint, reports bigint, corrected bigint, violations bigint, outcomes bigint, alerts bigint,
      photographs bigint
    ) LANGUAGE plpgsql \#(manner) AS $$
    #variable_conflict use_column
    DECLARE
      ids CONSTANT uuid[] := ARRAY(SELECT r.passage_id FROM records r WHERE r.number = ANY (numbers));
      entries CONSTANT bigint[] := ARRAY(
        SELECT v.entry FROM checkpost.violations v WHERE v.entry = ANY (numbers)
        UNION SELECT v.entry FROM checkpost.violations v WHERE (v.found).exit = ANY (numbers));
      paths CONSTANT text[] := ARRAY(
        SELECT photo_name(o.photo_path) FROM observations o WHERE o.record = ANY (numbers)
        UNION SELECT photo_name(c.photo_path) FROM corrections c WHERE c.record = ANY (numbers));
      shown uuid[];
    BEGIN
      PERFORM set_config('checkpost.projecting', secret, true) FROM settings;
      shown := ARRAY(
        SELECT v.uuid FROM checkpost.violations v WHERE v.entry = ANY (entries)
        UNION SELECT v.id FROM public.violations v WHERE v.entry_passage_id = ANY (ids)
        UNION SELECT v.id FROM public.violations v WHERE v.exit_passage_id = ANY (ids));
      DELETE FROM public.violation_outcomes o WHERE o.violation_id = ANY (shown);
      GET DIAGNOSTICS outcomes = ROW_COUNT;
      DELETE FROM public.violations v WHERE v.id = ANY (shown);
      DELETE FROM public.proactive_overstay_alerts a WHERE a.entry_passage_id = ANY (ids);
      UPDATE public.proactive_overstay_alerts a SET resolved_by_passage_id = NULL
        WHERE a.resolved_by_passage_id = ANY (ids);
      UPDATE public.vehicle_passages v SET matched_passage_id = NULL, is_entry = NULL
        WHERE v.matched_passage_id = ANY (ids);
      DELETE FROM public.vehicle_passages v WHERE v.id = ANY (ids);
      PERFORM set_config('checkpost.projecting', '', true);
      DELETE FROM removed m WHERE m.kind IN ('passage', 'violation') AND m.id = ANY (ids || shown);
      DELETE FROM removed m WHERE m.kind = 'violation' AND m.content ->> 'entry_passage_id' = ANY (ids::text[]);

      DELETE FROM changes c WHERE c.entry = ANY (numbers || entries);
      DELETE FROM revisions r WHERE r.entry = ANY (entries);
      DELETE FROM violation_notes n WHERE n.entry = ANY (entries);
      DELETE FROM checkpost.violations v WHERE v.entry = ANY (entries);
      GET DIAGNOSTICS violations = ROW_COUNT;
      DELETE FROM checkpost.alerts a WHERE a.entry = ANY (numbers);
      GET DIAGNOSTICS alerts = ROW_COUNT;
      DELETE FROM waiting w WHERE w.entry = ANY (numbers);
      DELETE FROM pairs p WHERE p.entry = ANY (numbers);
      DELETE FROM pairs p WHERE p.exit = ANY (numbers);
      DELETE FROM checkpost.passages p WHERE p.row_number = ANY (numbers);
      GET DIAGNOSTICS passages = ROW_COUNT;
      DELETE FROM corrections c WHERE c.record = ANY (numbers);
      GET DIAGNOSTICS corrected = ROW_COUNT;
      DELETE FROM observations o WHERE o.record = ANY (numbers);
      GET DIAGNOSTICS reports = ROW_COUNT;
      DELETE FROM identities i WHERE i.record = ANY (numbers);
      DELETE FROM records r WHERE r.number = ANY (numbers);
      -- Another passage may name the same one, or be the one that it is called after.
      INSERT INTO dropped_photographs SELECT p.name FROM unnest(paths) AS p(name)
        WHERE p.name IS NOT NULL AND NOT is_of_passage(p.name)
          AND NOT EXISTS (
            SELECT FROM observations o WHERE o.photo_path IN (p.name, 'passage-photos/' || p.name))
          AND NOT EXISTS (
            SELECT FROM corrections c WHERE c.photo_path IN (p.name, 'passage-photos/' || p.name))
        ON CONFLICT DO NOTHING;
      GET DIAGNOSTICS photographs = ROW_COUNT;
      RETURN NEXT;
    END $$;

    -- Judges vehicles again that were at these places, because something of them is gone.
    CREATE OR REPLACE FUNCTION judge_again(
      plates text[], posts text[], seconds bigint[], moment timestamptz
    ) RETURNS TABLE (kind text, entry bigint, other bigint) LANGUAGE plpgsql \#(manner) AS $$
    BEGIN
      PERFORM touch(NULL, u.plate, u.post, u.second) FROM unnest(plates, posts, seconds) AS u(plate, post, second);
      RETURN QUERY SELECT t.* FROM unnest(judge_touched('correction', moment)) AS t;
    END $$;

    -- Drops messages that nothing rests on, of these.
    CREATE OR REPLACE FUNCTION forget_messages(ids bigint[]) RETURNS bigint LANGUAGE plpgsql \#(manner) AS $$
    DECLARE
      gone bigint;
    BEGIN
      DELETE FROM inbox i WHERE i.id = ANY (ids)
        AND NOT EXISTS (SELECT FROM observations o WHERE o.inbox_id = i.id)
        AND NOT EXISTS (SELECT FROM records r WHERE r.inbox_id = i.id);
      GET DIAGNOSTICS gone = ROW_COUNT;
      PERFORM gather_counts();
      RETURN gone;
    END $$;

    -- Drops corrections that wait for their passage and were made before a moment, or name a plate.
    CREATE OR REPLACE FUNCTION forget_early(before timestamptz, named text, most bigint) RETURNS bigint
    LANGUAGE plpgsql \#(manner) AS $$
    DECLARE
      gone bigint;
    BEGIN
      DELETE FROM corrections c WHERE c.number = ANY (ARRAY(
        SELECT e.number FROM corrections e WHERE e.record IS NULL AND (e.made_at < before OR e.plate = named)
        ORDER BY e.number LIMIT most));
      GET DIAGNOSTICS gone = ROW_COUNT;
      RETURN gone;
    END $$;

    -- The audit log, of which a service that does not own the schema sees nothing.
    CREATE OR REPLACE FUNCTION note_erasure(moment timestamptz, who text, how_much text) RETURNS void
    LANGUAGE plpgsql \#(manner) AS $$
    BEGIN
      INSERT INTO audit (at, kind, actor, detail) VALUES (moment, 'vehicle_erased', who, how_much);
    END $$;

    CREATE OR REPLACE FUNCTION forget_audit(before timestamptz, most bigint) RETURNS bigint
    LANGUAGE plpgsql \#(manner) AS $$
    DECLARE
      gone bigint;
    BEGIN
      DELETE FROM audit a WHERE a.at < before AND a.id = ANY (ARRAY(SELECT e.id FROM audit e ORDER BY e.id LIMIT most));
      GET DIAGNOSTICS gone = ROW_COUNT;
      RETURN gone;
    END $$;
    """#

  /// What a service may do that does not own the schema.
  static let forgettingRights = #"""
    GRANT INSERT, UPDATE, DELETE ON checkpost.forgetting, checkpost.dropped_photographs TO service_role;
    GRANT EXECUTE ON FUNCTION checkpost.hold_vehicles, checkpost.put_aside, checkpost.forget_records,
      checkpost.judge_again, checkpost.forget_messages, checkpost.forget_early, checkpost.note_erasure,
      checkpost.forget_audit TO service_role;
    """#
}
