import RestAPI

extension JudgingSchema {
  /// What devices of posts say over HTTP: a post of which nothing waits has handed in everything.
  static let devices = #"""
    -- What a device of an account told last of how far it is: it says nothing of what comes after that moment, whatever
    -- it names.
    CREATE OR REPLACE FUNCTION mark_device(told public.sync_metadata, moment timestamptz) RETURNS void
    LANGUAGE plpgsql AS $$
    DECLARE
      reached CONSTANT bigint := second_of(CASE WHEN told.last_sync_at > '-infinity'
        THEN least(greatest(told.last_sync_at, to_timestamp(0)), moment) END);
    BEGIN
      INSERT INTO device_marks AS m (user_id, device_id, through, pending, received_at)
        VALUES (told.user_id, told.device_id, reached, coalesce(told.pending_count, 0), moment)
        ON CONFLICT (user_id, device_id) DO UPDATE SET through = reached, pending = excluded.pending,
          received_at = moment,
          went_back_at = CASE WHEN reached < m.through THEN moment ELSE m.went_back_at END
        WHERE m.received_at <= moment;
    END $$;

    -- The moment at which a row comes, as a service that writes it says; it never lies ahead.
    CREATE OR REPLACE FUNCTION moment_of_writing() RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
    BEGIN
      RETURN least(nullif(current_setting('checkpost.moment', true), '')::timestamptz, clock_timestamp());
    EXCEPTION WHEN data_exception THEN RETURN clock_timestamp();
    END $$;

    -- Takes it that posts have handed in everything, as their devices say: all of a post that told anything lately have
    -- to say that nothing waits, and the one counts that did so first. Each account has its own devices, whatever these
    -- are called. Of one whose clock may have been wrong so much less is certain. The posts of some users, or all where
    -- none is named.
    -- Returns what that settled.
    CREATE OR REPLACE FUNCTION report_devices(users uuid[], moment timestamptz)
    RETURNS TABLE (kind text, entry bigint, other bigint) LANGUAGE plpgsql \#(manner) AS $$
    DECLARE
      each record;
    BEGIN
      FOR each IN
        WITH told AS (
          SELECT c.code, m.pending, greatest(m.through, 0) - least(coalesce(d.seconds, 0), 253402300799) AS through, m.received_at, max(m.received_at) OVER (PARTITION BY c.code) AS newest
          FROM device_marks m JOIN public.user_profiles u ON u.id = m.user_id
            JOIN public.checkposts c ON c.id = u.assigned_checkpost_id
            LEFT JOIN device_clocks d ON d.user_id = m.user_id AND d.device_id = m.device_id::text
          WHERE m.through IS NOT NULL AND (users IS NULL OR c.id IN (
            SELECT p.assigned_checkpost_id FROM public.user_profiles p WHERE p.id = ANY (users))))
        SELECT t.code, min(t.through) AS through FROM told t
        WHERE t.received_at > t.newest - interval '7 days'
        -- What is less than nothing says nothing.
        GROUP BY t.code HAVING max(t.pending) = 0 AND min(t.pending) = 0 ORDER BY t.code
      LOOP
        -- Who said so before is not asked again, so that nobody waits for a post that is not meant.
        CONTINUE WHEN EXISTS (SELECT FROM post_marks r
          WHERE r.post = each.code AND r.way = 'devices' AND r.through = least(each.through, second_of(moment)));
        RETURN QUERY SELECT r.* FROM report(each.code, each.through, moment, moment, 'devices') AS r;
      END LOOP;
    END $$;
    """#

  /// How many seconds the clock of a device may have been wrong that says how far it is.
  static let deviceClocks = #"""
    CREATE TABLE device_clocks (
      user_id uuid NOT NULL,
      device_id text COLLATE "C" NOT NULL,
      seconds bigint NOT NULL CHECK (seconds > 0),
      PRIMARY KEY (user_id, device_id)
    );
    """#

  /// What version 6 has beside version 5.
  static let version6 = [deviceClocks, webhookRefusals]

  /// Notes it for the service.
  static let deviceDoubts = #"""
    CREATE OR REPLACE FUNCTION doubt_device(owner uuid, device text, doubt bigint) RETURNS void
    LANGUAGE plpgsql \#(manner) AS $$
    BEGIN
      IF doubt > 0 THEN
        INSERT INTO device_clocks VALUES (owner, device, doubt)
          ON CONFLICT (user_id, device_id) DO UPDATE SET seconds = EXCLUDED.seconds;
      ELSE
        DELETE FROM device_clocks d WHERE d.user_id = owner AND d.device_id = device;
      END IF;
    END $$;
    """#

  /// The same for what other programs write, who say nothing of clocks.
  static let deviceTriggers = #"""
    CREATE OR REPLACE FUNCTION device_told() RETURNS trigger LANGUAGE plpgsql \#(manner) AS $$
    DECLARE
      moment CONSTANT timestamptz := moment_of_writing();
      told change[];
    BEGIN
      IF TG_OP = 'DELETE' OR TG_OP = 'UPDATE' AND (NEW.user_id, NEW.device_id) <> (OLD.user_id, OLD.device_id) THEN
        DELETE FROM device_marks m WHERE m.user_id = OLD.user_id AND m.device_id = OLD.device_id;
        DELETE FROM device_clocks d WHERE d.user_id = OLD.user_id AND d.device_id = OLD.device_id::text;
      END IF;
      IF TG_OP = 'DELETE' THEN RETURN NULL; END IF;
      PERFORM mark_device(NEW, moment);
      -- A service asks for it itself. Who has another isolation still says how far they are.
      IF coalesce(current_setting('checkpost.devices', true), '') = 'service'
        OR current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted')
      THEN RETURN NULL; END IF;
      DELETE FROM device_clocks d WHERE d.user_id = NEW.user_id AND d.device_id = NEW.device_id::text;
      SELECT array_agg(ROW(r.kind, r.entry, r.other)::change) INTO told
        FROM report_devices(ARRAY[NEW.user_id], moment) AS r;
      PERFORM tell_later(told);
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER checkpost_1_report AFTER INSERT OR UPDATE OR DELETE ON public.sync_metadata
      FOR EACH ROW EXECUTE FUNCTION device_told();

    -- An account has so many devices at most; those that told something longest ago are forgotten.
    CREATE OR REPLACE FUNCTION forget_devices() RETURNS trigger LANGUAGE plpgsql \#(manner) AS $$
    BEGIN
      DELETE FROM public.sync_metadata s USING (
        SELECT m.user_id, m.device_id, row_number() OVER (PARTITION BY m.user_id ORDER BY
          (m.user_id, m.device_id) IN (SELECT n.user_id, n.device_id::text FROM news n) DESC, m.received_at DESC,
          m.device_id) AS place
        FROM device_marks m WHERE m.user_id IN (SELECT n.user_id FROM news n)) AS d
      WHERE d.place > \#(RestLimits.devices) AND s.user_id = d.user_id AND s.device_id = d.device_id;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER checkpost_2_forget AFTER INSERT ON public.sync_metadata
      REFERENCING NEW TABLE AS news FOR EACH STATEMENT EXECUTE FUNCTION forget_devices();
    """#

  /// What is kept of how far posts are: each way by itself, in the order in which it came.
  static let marks = #"""
    -- What each device of each account told last; `through` is never later than when it came.
    CREATE TABLE device_marks (
      user_id uuid NOT NULL,
      device_id text NOT NULL,
      through bigint,
      pending bigint NOT NULL,
      received_at timestamptz NOT NULL,
      -- When it said less than before.
      went_back_at timestamptz,
      PRIMARY KEY (user_id, device_id)
    );

    -- What each post told last on each way: by its devices together, and by text. What goes furthest counts, and stands in
    -- `post_reports`.
    CREATE TABLE post_marks (
      post text COLLATE "C" NOT NULL,
      way text NOT NULL CHECK (way IN ('devices', 'text')),
      through bigint NOT NULL,
      received_at timestamptz NOT NULL,
      went_back_at timestamptz,
      PRIMARY KEY (post, way)
    );
    INSERT INTO post_marks (post, way, through, received_at)
      SELECT r.post, 'text', r.through, to_timestamp(greatest(r.through, 0)) FROM post_reports r;
    """#

  /// What devices told before there were marks of them.
  static let marksFilled = #"""
    SELECT count(mark_device(m, least(CASE WHEN isfinite(m.updated_at) THEN m.updated_at END, clock_timestamp())))
      FROM public.sync_metadata m;
    """#
}
