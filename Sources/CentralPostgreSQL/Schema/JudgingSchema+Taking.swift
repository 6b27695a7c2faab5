/// Rows of the deployed table of passages are taken as they come.
extension JudgingSchema {
  /// What becomes of a row that is inserted.
  static let insertTriggers = #"""
    -- How many seconds the clock of a passage may have been wrong, as the client that uploads it says.
    CREATE OR REPLACE FUNCTION told_clock(client uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
      SELECT (regexp_match(current_setting('request.headers', true), client || '=([0-9]{1,9})'))[1]::bigint
    $$;

    -- A row of the deployed table as a report; one that cannot be read has no identity.
    CREATE OR REPLACE FUNCTION report_of(v public.vehicle_passages) RETURNS observations LANGUAGE plpgsql STABLE AS $$
    BEGIN
      RETURN (SELECT report_from(v, read_plate(v.plate_number), c.code, u.id::text, suffix_of(u.phone_number))
        FROM public.checkposts c JOIN public.user_profiles u ON u.id = v.ranger_id WHERE c.id = v.checkpost_id);
    END $$;

    -- The same, where the plate was read, and post and ranger were looked up.
    CREATE OR REPLACE FUNCTION report_from(
      v public.vehicle_passages, plate text, post text, ranger text, suffix text
    ) RETURNS observations LANGUAGE plpgsql STABLE AS $$
    DECLARE
      -- Of a row that was there before the triggers it counts as it stands.
      at CONSTANT timestamptz := CASE WHEN is_moment(v.server_received_at) THEN v.server_received_at
        ELSE clock_timestamp() END;
      report observations;
    BEGIN
      -- A code that is longer was there before; no index holds what is kept of it.
      IF plate IS NULL OR post IS NULL OR octet_length(post) > 200 OR ranger IS NULL OR v.client_id IS NULL
        OR NOT is_moment(v.recorded_at)
        OR v.vehicle_type IS NULL OR v.vehicle_type NOT IN ('car', 'jeep',
        'pickup', 'van', 'minibus', 'bus', 'truck', 'tanker', 'motorcycle', 'other')
      THEN RETURN NULL; END IF;
      report.post := post;
      report.ranger := ranger;
      report.suffix := suffix;
      report.client_id := v.client_id;
      report.plate := plate;
      report.raw_plate := coalesce(nullif(left(v.plate_number_raw, 200), ''), v.plate_number);
      report.vehicle_type := CASE v.vehicle_type WHEN 'jeep' THEN 'jeep_suv' ELSE v.vehicle_type END;
      report.recorded_at := v.recorded_at;
      report.photo_path := CASE WHEN octet_length(v.photo_path) <= 400 THEN v.photo_path END;
      report.channel := CASE v.source WHEN 'sms' THEN 'text' ELSE 'upload' END;
      report.is_proven := v.source IS DISTINCT FROM 'sms';
      report.received_at := at;
      report.clock_seconds := told_clock(v.client_id);
      report.is_clock_unset := is_unset(v.recorded_at, at);
      report.own_row := v.id;
      RETURN report;
    END $$;

    -- The same passage once more adds to what is known of it, and makes no row.
    --
    -- A report that nothing is known of yet and that is a passage of its own is written down at once. Where nothing was
    -- seen of the vehicle for as long as an exit is waited for on either side, there is nothing to judge but that it waits,
    -- and that is done; else it is remembered, to be judged at the end of the statement, and where it is near one other
    -- passage alone, the row names that as its partner already. Each table is written by a statement of its own, and what
    -- can be is asked without one: PostgreSQL takes longer to begin a statement with many parts than to run it.
    CREATE OR REPLACE FUNCTION take_row() RETURNS trigger
    LANGUAGE plpgsql \#(manner) AS $$
    DECLARE
      moment CONSTANT timestamptz := clock_timestamp();
      vehicle text;
      known record;
      at bigint;
      is_known boolean;
      is_alone boolean;
      near record;
      partner uuid;
      it place;
      beyond text;
      due bigint;
      expires bigint;
      clock bigint;
      report observations;
      target bigint;
      reception text;
      is_news boolean;
      is_held boolean;
      is_asked boolean := false;
    BEGIN
      IF current_setting('checkpost.projecting', true) <> '' AND is_projecting() THEN RETURN NEW; END IF;
      vehicle := read_plate(NEW.plate_number);
      is_held := pg_advisory_xact_lock_shared(7060, 0) IS NOT NULL;
      LOOP
        SELECT c.code, c.segment_id, k.opposite, k.due_in, k.expires_in, k.is_divided, k.ranger_window,
            k.pairing_window, k.is_moved, u.id::text AS ranger,
            CASE WHEN u.phone_number IS NULL THEN '0000' ELSE suffix_of(u.phone_number) END AS suffix,
            -- By these two it may concern another vehicle, whose lock then comes first. No correction of what did not come
            -- yet comes while the directory is kept as it is.
            EXISTS (SELECT FROM identities i WHERE i.client_id = NEW.client_id)
              OR EXISTS (SELECT FROM corrections c WHERE c.client_id = NEW.client_id AND c.record IS NULL) AS is_named,
            (SELECT f.since FROM forgetting f) AS since,
            coalesce(nullif(NEW.plate_number_raw, ''), NEW.plate_number) AS raw,
            CASE NEW.vehicle_type WHEN 'jeep' THEN 'jeep_suv' ELSE NEW.vehicle_type END AS class
          INTO known
          FROM public.checkposts c JOIN public.user_profiles u ON u.id = NEW.ranger_id
            LEFT JOIN known_places k ON k.post_id = c.id WHERE c.id = NEW.checkpost_id;
        EXIT WHEN known.is_moved IS NOT NULL OR known.code IS NULL OR is_asked;
        -- What is known of the place was forgotten: it is found out once more.
        PERFORM places_of(ARRAY[known.code::text]);
        is_asked := true;
      END LOOP;
      -- What nearly every row says is nothing that the rules refuse.
      IF (vehicle IS NOT NULL AND known.segment_id = NEW.segment_id
        AND NEW.recorded_at >= '1970-01-01 00:00:00+00' AND NEW.recorded_at <= moment
        AND NEW.server_received_at >= '1970-01-01 00:00:00+00' AND NEW.server_received_at <= moment
        AND NEW.created_at >= '1970-01-01 00:00:00+00' AND NEW.created_at <= moment
        AND coalesce(octet_length(NEW.plate_number_raw), 0) <= 200
        AND coalesce(octet_length(NEW.photo_path), 0) <= 400) IS NOT TRUE
      THEN
        PERFORM check_row(NULL, NEW);
        NEW.server_received_at := receipt_of(NEW.server_received_at);
        NEW.created_at := receipt_of(NEW.created_at);
      END IF;
      <<at_once>>
      BEGIN
        EXIT at_once WHEN (NOT known.is_named AND NOT known.is_moved AND vehicle IS NOT NULL
          AND octet_length(known.code) <= 200 AND NEW.client_id IS NOT NULL AND NEW.id IS NOT NULL
          AND NEW.recorded_at >= '2025-01-01 00:00:00+00'
          AND coalesce(NEW.source, 'app') = 'app' AND NEW.vehicle_type IN ('car', 'jeep',
            'pickup', 'van', 'minibus', 'bus', 'truck', 'tanker', 'motorcycle', 'other')
          AND current_setting('transaction_isolation') = 'read committed') IS NOT TRUE;
        is_held := pg_advisory_xact_lock(7061, (hashtextextended(vehicle, 7061) & 1023)::integer) IS NOT NULL;
        at := second_of(NEW.recorded_at);
        EXIT at_once WHEN at < known.since;
        SELECT EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = NEW.id),
            NOT EXISTS (SELECT FROM records r WHERE r.plate = vehicle
              AND r.second BETWEEN at - known.pairing_window AND at + known.pairing_window)
          INTO is_known, is_alone;
        EXIT at_once WHEN is_known;
        IF is_alone THEN
          IF known.due_in IS NOT NULL THEN
            beyond := known.opposite;
            due := known.due_in;
            expires := known.expires_in;
          ELSE
            it := (SELECT k.it FROM known_places k WHERE k.post = known.code COLLATE "C");
            -- Where it may go several ways, the slowest of them counts.
            FOR s IN 1..cardinality(it.names) LOOP
              CONTINUE WHEN known.code NOT IN (it.firsts[s], it.seconds[s]);
              IF beyond IS NULL OR due_after(it, s, at) > due THEN
                beyond := CASE WHEN it.firsts[s] = known.code THEN it.seconds[s] ELSE it.firsts[s] END;
                due := due_after(it, s, at);
                expires := greatest(window_at(it, s, at), due);
              END IF;
            END LOOP;
          END IF;
          is_alone := beyond IS NULL OR second_of(moment) < at + due;
        ELSE
          SELECT count(*) AS count, min(r.passage_id::text)::uuid AS row, min(r.second) AS second, min(r.post) AS post,
              bool_or(r.post = known.code AND abs(r.second - at) <= known.ranger_window) AS is_same
            INTO near FROM records r
            WHERE r.plate = vehicle
              AND r.second BETWEEN at - known.pairing_window AND at + known.pairing_window;
          -- Another ranger may have written the same passage down.
          EXIT at_once WHEN near.is_same;
          IF near.count = 1 AND near.post = known.opposite
            AND EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = near.row)
          THEN
            partner := near.row;
          END IF;
        END IF;

        target := CASE WHEN known.is_divided THEN next_record(at) ELSE nextval('records_number_seq') END;
        -- Nothing goes by its name or has its content, or is known under its identity.
        INSERT INTO records (number, received_post, received_plate, received_second, received_post_id, post,
            plate, second, is_founded, row_number, passage_id, last_at, client_id, inserted_at)
          OVERRIDING SYSTEM VALUE
          VALUES (target, known.code, vehicle, at, NEW.checkpost_id, known.code, vehicle, at, true, target, NEW.id,
            moment, NEW.client_id, moment)
          ON CONFLICT DO NOTHING;
        EXIT at_once WHEN NOT FOUND;
        INSERT INTO identities (client_id, record) VALUES (NEW.client_id, target) ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN
          DELETE FROM records r WHERE r.number = target;
          EXIT at_once;
        END IF;
        IF current_setting('request.headers', true) <> '' THEN clock := told_clock(NEW.client_id); END IF;
        INSERT INTO observations (record, client_id, post, plate, raw_plate, vehicle_type, recorded_at, ranger,
            suffix, photo_path, channel, is_proven, received_at, clock_seconds, inserted_at, own_row)
          VALUES (target, NEW.client_id, known.code, vehicle, known.raw, known.class, NEW.recorded_at, known.ranger,
            known.suffix, NEW.photo_path, 'upload', true, NEW.server_received_at, clock, moment, NEW.id);
        IF is_alone THEN
          INSERT INTO heard_changes (post, passages, recorded, last_at) VALUES (known.code, 1, 1, moment);
          INSERT INTO passages (row_number, members, post, plate, earliest, latest, is_dated, raw_plate, vehicle_type,
              recorded_at, rangers, suffix, photo_path, channels, is_proven, clock_seconds, first_received_at,
              is_corrected, contradictions)
            VALUES (target, ARRAY[target], known.code, vehicle, at, at, true, known.raw, known.class, NEW.recorded_at,
              ARRAY[known.ranger], known.suffix, NEW.photo_path, '{upload}', true, clock, NEW.server_received_at, false, '{}');
          INSERT INTO unpaired (row_number) VALUES (target);
          IF beyond IS NOT NULL THEN
            INSERT INTO waiting (entry, plate, post, second, opposite, due_at, expires_at, look_at)
              VALUES (target, vehicle, known.code, at, beyond, at + due, at + expires, at + due);
          END IF;
        ELSE
          INSERT INTO heard_changes (post, recorded) VALUES (known.code, 1);
          PERFORM touch(target, vehicle, known.code, at);
        END IF;
        -- It is shown as it is known.
        IF NEW.segment_id <> known.segment_id THEN NEW.segment_id := known.segment_id; END IF;
        IF NEW.plate_number_raw IS DISTINCT FROM known.raw THEN NEW.plate_number_raw := known.raw; END IF;
        IF NEW.source IS NULL THEN NEW.source := 'app'; END IF;
        IF NEW.matched_passage_id IS NOT NULL THEN NEW.matched_passage_id := NULL; END IF;
        IF NEW.is_entry IS NOT NULL THEN NEW.is_entry := NULL; END IF;
        IF partner IS NOT NULL THEN
          NEW.matched_passage_id := partner;
          NEW.is_entry := at < near.second;
        END IF;
        RETURN NEW;
      END;

      report := report_from(NEW, vehicle, known.code, known.ranger, known.suffix);
      -- What a constraint refuses, it is to refuse.
      IF report.client_id IS NULL THEN
        INSERT INTO unreadable (passage) VALUES (NEW.id) ON CONFLICT DO NOTHING;
        RETURN NEW;
      END IF;
      PERFORM check_isolation();
      -- Of how many rows this is one, nobody knows.
      PERFORM lock_for(ARRAY[report.plate], ARRAY[report.client_id], false);
      -- That of now, under which the post may read what it put in; then it is shown under that of its time.
      NEW.segment_id := known.segment_id;
      NEW.source := coalesce(NEW.source, 'app');
      -- Whose partner it is, is judged.
      NEW.matched_passage_id := NULL;
      NEW.is_entry := NULL;
      IF EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = NEW.id AND v.client_id <> NEW.client_id) THEN
        RETURN NEW;
      END IF;
      SELECT r.target, r.reception, r.is_news INTO target, reception, is_news
        FROM receive(report, NEW.checkpost_id, true, clock_timestamp()) AS r;
      IF reception = 'expired' THEN PERFORM refuse_expired(); END IF;
      IF NOT is_news OR reception = 'contradiction' THEN
        IF EXISTS (SELECT FROM public.vehicle_passages v WHERE v.client_id = NEW.client_id) THEN
          -- Its identity answers, whatever else of it is there already.
          NEW.id := gen_random_uuid();
          RETURN NEW;
        END IF;
        RETURN NULL;
      END IF;
      IF reception = 'new' AND stands_alone(target) THEN
        SELECT r.passage_id INTO NEW.id FROM records r WHERE r.number = target;
        RETURN NEW;
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER checkpost_2_take BEFORE INSERT ON public.vehicle_passages
      FOR EACH ROW EXECUTE FUNCTION take_row();

    -- What a statement brought, changed or took is judged at its end, each vehicle once, and noted for those who want to
    -- know.
    CREATE OR REPLACE FUNCTION judge_statement() RETURNS trigger
    LANGUAGE plpgsql \#(manner) AS $$
    DECLARE
      changed change[];
    BEGIN
      -- Nearly always there is nothing to judge.
      IF current_setting('checkpost.touched', true) <> '' AND NOT is_projecting() THEN
        IF TG_OP = 'INSERT' THEN changed := judge_second(clock_timestamp()); END IF;
        IF changed IS NULL THEN
          changed := judge_touched(CASE TG_OP WHEN 'INSERT' THEN 'arrival' ELSE 'correction' END, clock_timestamp());
        END IF;
        PERFORM tell_later(changed);
      END IF;
      IF is_noted() THEN PERFORM write_down('vehicle_passages', ARRAY(SELECT t.id FROM told t)); END IF;
      RETURN NULL;
    END $$;
    -- Without a condition: PostgreSQL would parse it for each statement.
    CREATE TRIGGER checkpost_3_judge AFTER INSERT ON public.vehicle_passages REFERENCING NEW TABLE AS told
      FOR EACH STATEMENT EXECUTE FUNCTION judge_statement();
    CREATE TRIGGER checkpost_3_judge_change AFTER UPDATE ON public.vehicle_passages REFERENCING NEW TABLE AS told
      FOR EACH STATEMENT EXECUTE FUNCTION judge_statement();
    CREATE TRIGGER checkpost_3_judge_deletion AFTER DELETE ON public.vehicle_passages REFERENCING OLD TABLE AS told
      FOR EACH STATEMENT EXECUTE FUNCTION judge_statement();
    """#
}
