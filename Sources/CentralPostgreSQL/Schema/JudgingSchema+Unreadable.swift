/// What rows of other programs may say, and what cannot be read of them.
extension JudgingSchema {
  /// What version 8 has beside the ones before, in the order in which it is run.
  static let version8 = [unreadableRows, marks, knownSegments]

  /// Rows that are listed as they stand, and judged no more than what has no time.
  static let unreadableRows = #"""
    -- By how many seconds the clock of a post may be ahead of the one here.
    ALTER TABLE settings ADD COLUMN ahead bigint NOT NULL DEFAULT 86400 CHECK (ahead >= 0);

    CREATE TABLE unreadable (
      passage uuid PRIMARY KEY,
      noticed_at timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    """#

  /// What is a plate, a moment, a time of receipt.
  static let readable = #"""
    -- The compact form of a plate; null of what is none. What is long is not looked at.
    CREATE OR REPLACE FUNCTION read_plate(plate text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      made text;
    BEGIN
      IF octet_length(plate) > 200 THEN RETURN NULL; END IF;
      -- Nearly always it is one already, in which nothing is to be shortened.
      IF plate COLLATE "C" ~ '^(?!P[1-7]|[A-Z]{3})[0-9A-Z]{2,20}$' THEN RETURN plate; END IF;
      made := checkpost.compact(plate);
      RETURN CASE WHEN made COLLATE "C" ~ '^[0-9A-Z]{2,20}$' THEN made END;
    END $$;

    -- Whether a passage can be of that moment: from 1970 on, and as far as a text can say it.
    CREATE OR REPLACE FUNCTION is_moment(moment timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT coalesce(moment >= to_timestamp(0) AND moment < to_timestamp(9999999999), false)
    $$;

    -- When something came, as far as that can be; else now.
    CREATE OR REPLACE FUNCTION receipt_of(moment timestamptz) RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
      -- Nearly always it is now.
      IF moment >= to_timestamp(0) AND (moment <= clock_timestamp()
        OR moment <= clock_timestamp() + make_interval(secs => (SELECT s.ahead FROM settings s)))
      THEN RETURN moment; END IF;
      RETURN clock_timestamp();
    END $$;

    -- Whether a clock that showed this had not been set, of what came then: this program is younger, and no text can
    -- say what is older still.
    CREATE OR REPLACE FUNCTION is_unset(moment timestamptz, received_at timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT moment < to_timestamp(1000000000)
        OR moment < to_timestamp(1735689600) AND received_at >= to_timestamp(1735689600)
    $$;
    """#

  /// What becomes of records that may stand no more, and of rows that can be read after all.
  static let lettingGo = #"""
    -- Takes out what is known of some records and what stands on it, but the rows themselves. Whoever calls it judges
    -- afterwards.
    CREATE OR REPLACE FUNCTION let_go(numbers bigint[], moment timestamptz) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      told change[];
      ids CONSTANT uuid[] := ARRAY(SELECT r.passage_id FROM records r WHERE r.number = ANY (numbers));
    BEGIN
      PERFORM touch(NULL, r.plate, r.post, r.second) FROM records r WHERE r.number = ANY (numbers);
      WITH gone AS (DELETE FROM pairs p WHERE p.entry = ANY (numbers) OR p.exit = ANY (numbers) RETURNING p.*)
        SELECT array_agg(ROW('parted', g.entry, g.exit)::change) INTO told FROM gone g;
      DELETE FROM waiting WHERE entry = ANY (numbers);
      WITH over AS (
        UPDATE alerts SET ending = 'withdrawn', ended_at = moment
          WHERE entry = ANY (numbers) AND ending IS NULL RETURNING entry)
        SELECT told || array_agg(ROW('ended', o.entry, NULL)::change) INTO told FROM over o;
      WITH noted AS (
        INSERT INTO revisions (entry, number, change, cause, at, before, was_final)
          SELECT v.entry, next_revision(v.entry, v.revision), 'retracted', 'correction', moment, to_jsonb(v.found),
            v.finality
          FROM violations v WHERE v.entry = ANY (numbers) AND NOT v.is_retracted
          RETURNING entry, number)
      SELECT told || array_agg(ROW('revised', n.entry, n.number)::change) INTO told FROM noted n;
      PERFORM tell_later(told);
      UPDATE violations SET is_retracted = true, since = moment, finality = 'provisional', confirmed_at = NULL,
          confirmed_by = NULL, entry_needs = NULL, exit_needs = NULL, unreported_from = NULL,
          revision = (SELECT max(r.number) FROM revisions r WHERE r.entry = violations.entry)
        WHERE entry = ANY (numbers) AND NOT is_retracted;
      DELETE FROM passages WHERE row_number = ANY (numbers);
      DELETE FROM observations WHERE record = ANY (numbers);
      DELETE FROM identities WHERE record = ANY (numbers);
      DELETE FROM records WHERE number = ANY (numbers);
      PERFORM set_config('checkpost.projecting', secret, true) FROM settings;
      PERFORM set_aside_violations(ARRAY(
        SELECT v.id FROM public.violations v
        WHERE v.entry_passage_id = ANY (ids) OR v.exit_passage_id = ANY (ids)));
      PERFORM set_config('checkpost.projecting', '', true);
    END $$;

    -- A row that could not be read was changed, and can be now.
    CREATE OR REPLACE FUNCTION take_unreadable(known uuid, v public.vehicle_passages) RETURNS void
    LANGUAGE plpgsql AS $$
    DECLARE
      report CONSTANT observations := report_of(v);
      got record;
    BEGIN
      IF NOT EXISTS (SELECT FROM unreadable u WHERE u.passage = known) THEN RETURN; END IF;
      IF report.client_id IS NULL THEN
        UPDATE unreadable u SET passage = v.id WHERE u.passage = known AND known <> v.id;
        RETURN;
      END IF;
      DELETE FROM unreadable u WHERE u.passage = known;
      SELECT r.* INTO got FROM receive(report, v.checkpost_id, true, clock_timestamp()) AS r;
      -- It is one that is there already.
      IF got.reception IN ('alias', 'known') THEN
        PERFORM set_config('checkpost.projecting', secret, true) FROM settings;
        PERFORM set_aside(ARRAY[v.id]);
        PERFORM set_config('checkpost.projecting', '', true);
      END IF;
    END $$;
    """#

  /// What earlier versions judged although nothing can be told of it.
  static let unreadableFilled = #"""
    DO $$
    DECLARE
      numbers CONSTANT bigint[] := ARRAY(
        SELECT r.number FROM records r
        WHERE read_plate(r.plate) IS NULL OR read_plate(r.received_plate) IS NULL
          OR NOT is_moment(to_timestamp(r.second)) OR NOT is_moment(to_timestamp(r.received_second)));
    BEGIN
      INSERT INTO unreadable (passage) SELECT v.id FROM public.vehicle_passages v
        WHERE (SELECT m.is_adopted FROM migrations m ORDER BY m.version DESC LIMIT 1)
          AND NOT EXISTS (SELECT FROM identities i WHERE i.client_id = v.client_id) ON CONFLICT DO NOTHING;
      IF cardinality(numbers) = 0 THEN RETURN; END IF;
      INSERT INTO unreadable (passage) SELECT r.passage_id FROM records r
        JOIN public.vehicle_passages v ON v.id = r.passage_id WHERE r.number = ANY (numbers) ON CONFLICT DO NOTHING;
      UPDATE public.vehicle_passages v SET matched_passage_id = NULL, is_entry = NULL
        WHERE v.id IN (SELECT u.passage FROM unreadable u) AND v.matched_passage_id IS NOT NULL;
      PERFORM let_go(numbers, clock_timestamp());
      PERFORM tell_later(judge_touched('correction', clock_timestamp()));
    END $$;
    """#

  /// What a row may say that another program writes, as the API refuses it.
  static let rowRules = #"""
    CREATE OR REPLACE FUNCTION refuse_value(col text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'new row for relation "vehicle_passages" violates check constraint "vehicle_passages_%_check"', col
        USING ERRCODE = 'check_violation', SCHEMA = 'public', TABLE = 'vehicle_passages', COLUMN = col,
          CONSTRAINT = 'vehicle_passages_' || col || '_check';
    END $$;

    -- Refuses a row, or what a row is changed to; `old` is null of one that is inserted.
    CREATE OR REPLACE FUNCTION check_row(old public.vehicle_passages, new public.vehicle_passages) RETURNS void
    LANGUAGE plpgsql AS $$
    DECLARE
      is_new CONSTANT boolean := OLD.id IS NULL;
    BEGIN
      IF NOT is_new AND NEW.client_id <> OLD.client_id OR NOT is_new AND OLD.source <> 'sms' AND NEW.source = 'sms' THEN
        RAISE EXCEPTION 'the "%" of a row of "vehicle_passages" is not changed',
            CASE WHEN NEW.client_id <> OLD.client_id THEN 'client_id' ELSE 'source' END
          USING ERRCODE = 'feature_not_supported', HINT = 'Change the row without it.';
      END IF;
      IF (is_new OR NEW.recorded_at <> OLD.recorded_at)
        AND (NOT is_moment(NEW.recorded_at) OR NEW.recorded_at > clock_timestamp()
          AND NEW.recorded_at > clock_timestamp() + make_interval(secs => (SELECT s.ahead FROM settings s)))
      THEN
        RAISE EXCEPTION 'date/time field value out of range'
          USING ERRCODE = 'datetime_field_overflow', SCHEMA = 'public', TABLE = 'vehicle_passages',
            COLUMN = 'recorded_at', HINT = 'A passage is of 1970 or later, and at most a day ahead of the clock here.';
      END IF;
      IF (is_new OR NEW.plate_number <> OLD.plate_number) AND NEW.plate_number IS NOT NULL
        AND read_plate(NEW.plate_number) IS NULL
      THEN PERFORM refuse_value('plate_number'); END IF;
      IF (is_new OR NEW.plate_number_raw IS DISTINCT FROM OLD.plate_number_raw)
        AND octet_length(NEW.plate_number_raw) > 200
      THEN PERFORM refuse_value('plate_number_raw'); END IF;
      IF (is_new OR NEW.photo_path IS DISTINCT FROM OLD.photo_path) AND octet_length(NEW.photo_path) > 400 THEN
        PERFORM refuse_value('photo_path');
      END IF;
      -- What no row of the other tables has, a constraint refuses.
      IF (is_new OR NEW.segment_id <> OLD.segment_id)
        AND NOT EXISTS (
          SELECT FROM public.checkposts c WHERE c.id = NEW.checkpost_id AND c.segment_id = NEW.segment_id)
        AND EXISTS (SELECT FROM public.checkposts c WHERE c.id = NEW.checkpost_id)
        AND NOT EXISTS (
          SELECT FROM held_ends e WHERE e.post_id = NEW.checkpost_id AND e.segment_id = NEW.segment_id)
      THEN
        RAISE EXCEPTION
          'insert or update on table "vehicle_passages" violates foreign key constraint "vehicle_passages_segment_id_fkey"'
          USING ERRCODE = 'foreign_key_violation', SCHEMA = 'public', TABLE = 'vehicle_passages',
            CONSTRAINT = 'vehicle_passages_segment_id_fkey', DETAIL = 'The post does not stand on that segment.';
      END IF;
    END $$;

    -- What is inserted is looked at where it is taken.
    CREATE OR REPLACE FUNCTION verify_row() RETURNS trigger LANGUAGE plpgsql \#(manner) AS $$
    BEGIN
      IF is_projecting() THEN RETURN NEW; END IF;
      PERFORM check_row(OLD, NEW);
      NEW.server_received_at := OLD.server_received_at;
      NEW.created_at := OLD.created_at;
      RETURN NEW;
    END $$;
    SELECT put_row_trigger('checkpost_1_verify', 'BEFORE UPDATE', 'public.vehicle_passages', 'verify_row');

    -- Only central's people move a passage to another post, or give it to somebody else.
    CREATE OR REPLACE FUNCTION refuse_move() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- Of the schema's own changes nothing is asked.
      IF current_user = TG_ARGV[0] AND current_setting('checkpost.projecting', true) <> '' THEN RETURN NEW; END IF;
      IF (NEW.checkpost_id <> OLD.checkpost_id OR NEW.ranger_id <> OLD.ranger_id) AND \#(isBound) THEN
        RAISE EXCEPTION 'new row violates row-level security policy for table "%"', TG_TABLE_NAME
          USING ERRCODE = 'insufficient_privilege', HINT = 'Ask central to move the passage.';
      END IF;
      RETURN NEW;
    END $$;
    DO $$
    BEGIN
      EXECUTE format('CREATE TRIGGER checkpost_1_refuse_move BEFORE UPDATE ON public.vehicle_passages '
        'FOR EACH ROW EXECUTE FUNCTION refuse_move(%L)', current_user);
    END $$;
    """#

  /// Whether the writer is bound by the policies of a trigger's table, and is nobody of central's. It is asked as
  /// who they are, and so names nothing of the schema.
  static let isBound = """
    row_security_active(TG_RELID) AND NOT EXISTS (
          SELECT FROM public.user_profiles u WHERE u.id = auth.uid() AND u.role = 'admin' AND u.is_active)
    """
}
