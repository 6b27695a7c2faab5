extension JudgingSchema {
  /// Who may not insert is refused before anything is judged.
  static let refusals = #"""
    -- A trigger that is not even called for the schema's own changes: these are made by its functions, which run as
    -- their owner. Nobody else can pass for that; for whom it is called all the same, `is_projecting` decides.
    CREATE OR REPLACE FUNCTION put_row_trigger(name text, event text, tab text, what text) RETURNS void
    LANGUAGE plpgsql AS $$
    BEGIN
      EXECUTE format('CREATE TRIGGER %I %s ON %s FOR EACH ROW WHEN (current_user <> %L OR '
        || 'coalesce(current_setting(%L, true), %L) = %L) EXECUTE FUNCTION %I()',
        name, event, tab, current_user, 'checkpost.projecting', '', '', what);
    END $$;

    -- The same for a trigger that is called once for each statement.
    CREATE OR REPLACE FUNCTION put_statement_trigger(name text, event text, tab text, what text) RETURNS void
    LANGUAGE plpgsql AS $$
    BEGIN
      EXECUTE format('CREATE TRIGGER %I %s ON %s FOR EACH STATEMENT WHEN (current_user <> %L OR '
        || 'coalesce(current_setting(%L, true), %L) = %L) EXECUTE FUNCTION %I()',
        name, event, tab, current_user, 'checkpost.projecting', '', '', what);
    END $$;

    -- A row that a trigger takes in never reaches the policies, so they are asked here, by whoever inserts.
    CREATE OR REPLACE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      conditions text;
      may_insert boolean;
    BEGIN
      -- Nor of the schema's own rows.
      IF NOT row_security_active(TG_RELID) OR current_user = TG_ARGV[0]
        AND coalesce(current_setting('checkpost.projecting', true), '') <> ''
      THEN RETURN NEW; END IF;
      SELECT '(' || coalesce(string_agg(p.condition, ' OR ') FILTER (WHERE p.polpermissive), 'false') || ')'
          || coalesce(string_agg(' AND ' || p.condition, '') FILTER (WHERE NOT p.polpermissive), '')
        INTO conditions
        FROM (
          SELECT o.polpermissive,
            '(' || coalesce(pg_get_expr(coalesce(o.polwithcheck, o.polqual), o.polrelid), 'true') || ')'
              AS condition
          FROM pg_catalog.pg_policy o
          WHERE o.polrelid = TG_RELID AND o.polcmd IN ('a', '*')
            AND EXISTS (SELECT FROM unnest(o.polroles) AS r(id)
              WHERE r.id = 0 OR pg_has_role(current_user, r.id, 'USAGE'))) AS p;
      EXECUTE format('SELECT coalesce(%s, false) FROM (SELECT ($1).*) AS %I', conditions, TG_TABLE_NAME)
        INTO may_insert USING NEW;
      -- In nobody's name but their own.
      IF NOT may_insert OR NEW.ranger_id IS DISTINCT FROM auth.uid() AND \#(isBound) THEN
        RAISE EXCEPTION 'new row violates row-level security policy for table "%"', TG_TABLE_NAME
          USING ERRCODE = 'insufficient_privilege';
      END IF;
      -- When it came, nobody knows better than the server.
      NEW.server_received_at := clock_timestamp();
      NEW.created_at := NEW.server_received_at;
      RETURN NEW;
    END $$;
    -- It has no condition: PostgreSQL would parse it for each statement, which costs more than the call.
    DO $$
    BEGIN
      EXECUTE format('CREATE TRIGGER checkpost_1_refuse BEFORE INSERT ON public.vehicle_passages '
        'FOR EACH ROW EXECUTE FUNCTION refuse_row(%L)', current_user);
    END $$;
    """#

  /// What becomes of a row that is changed or deleted by hand, or by PATCH and DELETE.
  static let changeTriggers = #"""
    -- Rows are locked before their vehicles, so nobody else may be at work.
    CREATE OR REPLACE FUNCTION lock_statement() RETURNS trigger
    LANGUAGE plpgsql \#(manner) AS $$
    BEGIN
      IF NOT is_projecting() THEN PERFORM lock_all(); END IF;
      RETURN NULL;
    END $$;
    SELECT put_statement_trigger('checkpost_1_lock', 'BEFORE UPDATE OR DELETE', 'public.vehicle_passages', 'lock_statement');

    -- Who does it, as far as it can be told.
    CREATE OR REPLACE FUNCTION author() RETURNS text LANGUAGE sql STABLE AS $$
      SELECT coalesce(auth.uid()::text, session_user::text)
    $$;

    -- A change is a correction of every record that stands under the row; what was received is kept beside it.
    CREATE OR REPLACE FUNCTION correct_row() RETURNS trigger
    LANGUAGE plpgsql \#(manner) AS $$
    DECLARE
      own bigint;
      correction corrections;
      report observations;
      plate CONSTANT text := read_plate(NEW.plate_number);
      -- Whoever corrects a passage under its own identity means its own record.
      meant CONSTANT uuid := uuid_of(current_setting('checkpost.corrected', true));
      member record;
    BEGIN
      IF is_projecting() THEN RETURN NULL; END IF;
      SELECT number INTO own FROM records WHERE passage_id = OLD.id;
      IF NOT FOUND THEN
        PERFORM take_unreadable(OLD.id, NEW);
        RETURN NULL;
      END IF;
      IF NEW.id <> OLD.id THEN UPDATE records SET passage_id = NEW.id WHERE number = own; END IF;
      -- What came as a text alone is handed in as well.
      IF OLD.source = 'sms' AND NEW.source = 'app' THEN
        report := report_of(NEW);
        IF report.client_id IS NOT NULL AND (report.post, report.plate, second_of(report.recorded_at))
          IN (SELECT r.received_post, r.received_plate, r.received_second FROM records r WHERE r.number = own)
        THEN
          report.received_at := clock_timestamp();
          PERFORM r.target FROM receive(report, NEW.checkpost_id, true, clock_timestamp()) AS r;
        END IF;
      END IF;
      correction.made_at := clock_timestamp();
      correction.author := author();
      IF is_expired(second_of(OLD.recorded_at)) OR is_expired(second_of(NEW.recorded_at)) THEN
        PERFORM refuse_expired();
      END IF;
      IF NEW.plate_number <> OLD.plate_number
        OR NEW.plate_number_raw IS DISTINCT FROM OLD.plate_number_raw
      THEN
        correction.plate := plate;
        correction.raw_plate := CASE
          WHEN NEW.plate_number_raw IS DISTINCT FROM OLD.plate_number_raw OR read_plate(NEW.plate_number_raw) = plate
          THEN coalesce(nullif(NEW.plate_number_raw, ''), NEW.plate_number) ELSE NEW.plate_number END;
      END IF;
      IF NEW.vehicle_type <> OLD.vehicle_type THEN
        correction.vehicle_type := CASE NEW.vehicle_type WHEN 'jeep' THEN 'jeep_suv' ELSE NEW.vehicle_type END;
      END IF;
      IF NEW.checkpost_id <> OLD.checkpost_id THEN
        SELECT code INTO correction.post FROM public.checkposts WHERE id = NEW.checkpost_id;
      END IF;
      IF NEW.recorded_at <> OLD.recorded_at THEN correction.recorded_at := NEW.recorded_at; END IF;
      IF NEW.photo_path IS DISTINCT FROM OLD.photo_path THEN
        IF OLD.photo_path IS NULL AND NOT EXISTS (
          SELECT FROM corrections c WHERE c.record = own AND c.photo_path IS NOT NULL)
        THEN
          -- A report had none yet: that is what it lacked.
          UPDATE observations SET photo_path = NEW.photo_path WHERE record = own AND photo_path IS NULL;
        ELSE
          correction.photo_path := coalesce(NEW.photo_path, '');
        END IF;
      END IF;
      -- A row that is paired with itself never was: so whoever may change it withdraws it.
      IF NEW.matched_passage_id = NEW.id AND OLD.matched_passage_id IS DISTINCT FROM NEW.id THEN
        correction.withdrawal := 'withdrawn';
      END IF;
      UPDATE observations SET ranger = NEW.ranger_id::text
        WHERE record = own AND NEW.ranger_id <> OLD.ranger_id
          AND (ranger IS NULL OR ranger = OLD.ranger_id::text);
      FOR member IN
        SELECT r.*, (SELECT min(o.client_id::text)::uuid FROM observations o WHERE o.record = r.number) AS client_id
        FROM records r WHERE (r.number = own OR r.row_number = own AND r.row_number <> r.number)
          AND (meant IS NULL OR r.number = (SELECT i.record FROM identities i WHERE i.client_id = meant))
      LOOP
        PERFORM touch(member.number, member.plate, member.post, member.second);
        CONTINUE WHEN num_nonnulls(correction.plate, correction.vehicle_type, correction.post,
          correction.recorded_at, correction.photo_path, correction.withdrawal) = 0;
        correction.client_id := member.client_id;
        PERFORM correct(correction);
      END LOOP;
      RETURN NULL;
    END $$;
    SELECT put_row_trigger('checkpost_2_correct', 'AFTER UPDATE', 'public.vehicle_passages', 'correct_row');

    -- A row that is deleted takes with it what is known of its passage, and what stands on it.
    CREATE OR REPLACE FUNCTION forget_row() RETURNS trigger
    LANGUAGE plpgsql \#(manner) AS $$
    DECLARE
      numbers bigint[];
      own bigint;
    BEGIN
      IF is_projecting() THEN RETURN OLD; END IF;
      SELECT number INTO own FROM records WHERE passage_id = OLD.id;
      IF NOT FOUND THEN
        DELETE FROM unreadable u WHERE u.passage = OLD.id;
        RETURN OLD;
      END IF;
      numbers := ARRAY(
        SELECT number FROM records WHERE number = own OR row_number = own AND row_number <> number);
      PERFORM let_go(numbers, clock_timestamp());
      -- The rest is judged at the end: a row that the same statement deletes may not be changed before.
      RETURN OLD;
    END $$;
    SELECT put_row_trigger('checkpost_2_forget', 'BEFORE DELETE', 'public.vehicle_passages', 'forget_row');
    """#

  /// What the directory says later counts for what is there.
  static let directoryTriggers = #"""
    CREATE OR REPLACE FUNCTION post_changed() RETURNS trigger
    LANGUAGE plpgsql \#(manner) AS $$
    DECLARE
      segments_named uuid[] := '{}';
      posts text[] := '{}';
    BEGIN
      IF TG_OP = 'UPDATE' AND NEW.code = OLD.code AND NEW.segment_id = OLD.segment_id THEN RETURN NULL; END IF;
      IF TG_OP <> 'DELETE' THEN
        segments_named := segments_named || NEW.segment_id;
        posts := posts || NEW.code;
      END IF;
      IF TG_OP <> 'INSERT' THEN
        segments_named := segments_named || OLD.segment_id;
        posts := posts || OLD.code;
      END IF;
      IF TG_OP = 'UPDATE' AND NEW.code <> OLD.code THEN
        INSERT INTO post_aliases VALUES (OLD.code, NEW.id)
          ON CONFLICT (code) DO UPDATE SET post_id = excluded.post_id;
        UPDATE records SET post = NEW.code WHERE post = OLD.code;
        INSERT INTO post_reports SELECT NEW.code, through FROM post_reports WHERE post = OLD.code
          ON CONFLICT (post) DO UPDATE SET through = excluded.through;
        DELETE FROM post_reports WHERE post = OLD.code;
        DELETE FROM post_marks WHERE post = NEW.code;
        UPDATE post_marks SET post = NEW.code WHERE post = OLD.code;
      END IF;
      segments_named := segments_named || ARRAY(
        SELECT f.segment_id FROM further_ends f WHERE f.post_id = coalesce(NEW.id, OLD.id));
      posts := posts || ARRAY(
        SELECT e.code FROM segment_ends e WHERE e.segment_id = ANY (segments_named));
      PERFORM judge_posts(posts_with(posts), 'directory');
      RETURN NULL;
    END $$;
    -- What is longer fits in no index, by which posts are found.
    CREATE OR REPLACE FUNCTION check_code() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF octet_length(NEW.code) > 200 THEN
        RAISE EXCEPTION 'new row for relation "checkposts" violates check constraint "checkposts_code_check"'
          USING ERRCODE = 'check_violation', SCHEMA = 'public', TABLE = 'checkposts', COLUMN = 'code',
            CONSTRAINT = 'checkposts_code_check', HINT = 'The code of a post has at most 200 bytes.';
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER checkpost_1_code BEFORE INSERT OR UPDATE OF code ON public.checkposts
      FOR EACH ROW EXECUTE FUNCTION check_code();
    CREATE TRIGGER checkpost_1_lock BEFORE INSERT OR UPDATE OR DELETE ON public.checkposts
      FOR EACH STATEMENT EXECUTE FUNCTION lock_statement();
    CREATE TRIGGER checkpost_2_judge AFTER INSERT OR UPDATE OR DELETE ON public.checkposts
      FOR EACH ROW EXECUTE FUNCTION post_changed();

    CREATE OR REPLACE FUNCTION segment_changed() RETURNS trigger
    LANGUAGE plpgsql \#(manner) AS $$
    BEGIN
      IF (NEW.name, NEW.distance_km, NEW.max_speed_kmh, NEW.min_speed_kmh)
        IS DISTINCT FROM (OLD.name, OLD.distance_km, OLD.max_speed_kmh, OLD.min_speed_kmh)
      THEN
        PERFORM judge_posts(
          posts_with(ARRAY(SELECT e.code FROM segment_ends e WHERE e.segment_id = NEW.id)), 'directory');
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER checkpost_1_lock BEFORE UPDATE ON public.highway_segments
      FOR EACH STATEMENT EXECUTE FUNCTION lock_statement();
    CREATE TRIGGER checkpost_2_judge AFTER UPDATE ON public.highway_segments
      FOR EACH ROW EXECUTE FUNCTION segment_changed();

    -- Passages of which nobody knew who recorded them, and who it may have been.
    CREATE OR REPLACE FUNCTION ranger_changed() RETURNS trigger
    LANGUAGE plpgsql \#(manner) AS $$
    DECLARE
      nobody CONSTANT uuid := (SELECT unknown_ranger FROM settings);
      digits CONSTANT text := suffix_of(NEW.phone_number);
      numbers bigint[];
    BEGIN
      IF TG_OP = 'UPDATE' AND (NEW.phone_number, NEW.assigned_checkpost_id, NEW.full_name)
        IS NOT DISTINCT FROM (OLD.phone_number, OLD.assigned_checkpost_id, OLD.full_name)
      THEN RETURN NULL; END IF;
      PERFORM assign_ranger(NEW.id, NEW.assigned_checkpost_id, digits, NULL);
      IF nobody IS NULL THEN
        -- They have no row.
        numbers := ARRAY(
          SELECT p.row_number FROM passages p
          JOIN public.checkposts c ON c.code = p.post COLLATE "default"
          WHERE (c.id = NEW.assigned_checkpost_id AND p.suffix = digits
              OR NEW.full_name = ANY (p.rangers) OR NEW.id::text = ANY (p.rangers))
            AND NOT EXISTS (
              SELECT FROM records r JOIN public.vehicle_passages v ON v.id = r.passage_id
              WHERE r.number = p.row_number));
      ELSE
        -- The profile as a constant, so that the index of those rows is used, which are few.
        EXECUTE format('SELECT array_agg(p.row_number) FROM public.vehicle_passages v '
          'JOIN checkpost.records r ON r.passage_id = v.id JOIN checkpost.passages p ON p.row_number = r.number '
          'WHERE v.ranger_id = %L AND (v.checkpost_id = $1 AND p.suffix = $2 '
            'OR $3 = ANY (p.rangers) OR $4 = ANY (p.rangers))', nobody)
          INTO numbers USING NEW.assigned_checkpost_id, digits, NEW.full_name, NEW.id::text;
      END IF;
      IF cardinality(numbers) > 0 THEN PERFORM project(numbers, clock_timestamp()); END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER checkpost_1_lock BEFORE INSERT OR UPDATE ON public.user_profiles
      FOR EACH STATEMENT EXECUTE FUNCTION lock_statement();
    CREATE TRIGGER checkpost_2_show AFTER INSERT OR UPDATE ON public.user_profiles
      FOR EACH ROW EXECUTE FUNCTION ranger_changed();
    """#

  /// Taking in what was there before.
  static let adopting = #"""
    -- Takes in up to so many rows of the deployed table that are not known yet, in the order of their plates, from
    -- behind the one that is named. Returns how many it looked at, and the last of them.
    CREATE OR REPLACE FUNCTION adopt(
      INOUT after_plate text, INOUT after_id uuid, at_most integer, OUT looked_at bigint, OUT adopted bigint
    ) LANGUAGE plpgsql \#(manner) AS $$
    DECLARE
      v public.vehicle_passages;
      got record;
      doubled uuid[] := '{}';
    BEGIN
      looked_at := 0;
      adopted := 0;
      PERFORM lock_all();
      FOR v IN
        SELECT * FROM public.vehicle_passages p
        WHERE p.plate_number >= coalesce(after_plate, '')
          AND (after_plate IS NULL OR (p.plate_number, p.id) > (after_plate, after_id))
        ORDER BY p.plate_number, p.id LIMIT at_most
      LOOP
        looked_at := looked_at + 1;
        after_plate := v.plate_number;
        after_id := v.id;
        CONTINUE WHEN EXISTS (SELECT FROM identities i WHERE i.client_id = v.client_id);
        SELECT r.* INTO got FROM report_of(v) o, receive(o, v.checkpost_id, true, o.received_at) AS r
          WHERE o.client_id IS NOT NULL;
        IF got.target IS NULL THEN
          INSERT INTO unreadable (passage) SELECT v.id
            WHERE (report_of(v)).client_id IS NULL ON CONFLICT DO NOTHING;
          CONTINUE;
        END IF;
        adopted := adopted + 1;
        IF got.reception = 'alias' THEN doubled := doubled || v.id; END IF;
      END LOOP;
      PERFORM set_config('checkpost.projecting', secret, true) FROM settings;
      IF cardinality(doubled) > 0 THEN PERFORM set_aside(doubled); END IF;
      -- What cannot be read is paired with nothing: else its partner, which is judged, would not name it.
      UPDATE public.vehicle_passages p SET matched_passage_id = NULL, is_entry = NULL
        WHERE p.id IN (SELECT u.passage FROM unreadable u)
          AND (p.matched_passage_id IS NOT NULL OR p.is_entry IS NOT NULL);
      PERFORM set_config('checkpost.projecting', '', true);
      PERFORM judge_touched('arrival', clock_timestamp());
    END $$;
    """#
}
