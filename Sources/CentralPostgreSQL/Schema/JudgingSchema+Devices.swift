extension JudgingSchema {
  /// What devices of posts say over HTTP: a post of which nothing waits has handed in everything.
  static let devices = #"""
    -- Takes it that posts have handed in everything, as their devices say: all of a post that told anything lately have
    -- to say that nothing waits, and the one counts that did so first. Of one whose clock may have been wrong so much
    -- less is certain. The posts of some users, or all where none is named.
    -- Returns what that settled.
    CREATE OR REPLACE FUNCTION report_devices(users uuid[], moment timestamptz)
    RETURNS TABLE (kind text, entry bigint, other bigint) LANGUAGE plpgsql \#(manner) AS $$
    DECLARE
      each record;
    BEGIN
      FOR each IN
        WITH told AS (
          SELECT c.code, m.device_id, m.pending_count, m.last_sync_at,
            m.last_sync_at - make_interval(secs => coalesce(d.seconds, 0)) AS certain_at,
            row_number() OVER (PARTITION BY c.code, m.device_id ORDER BY m.last_sync_at DESC) AS place,
            max(m.last_sync_at) OVER (PARTITION BY c.code) AS newest
          FROM public.sync_metadata m JOIN public.user_profiles u ON u.id = m.user_id
            JOIN public.checkposts c ON c.id = u.assigned_checkpost_id
            LEFT JOIN device_clocks d ON d.user_id = m.user_id AND d.device_id = m.device_id::text
          WHERE m.last_sync_at IS NOT NULL AND (users IS NULL OR c.id IN (
            SELECT p.assigned_checkpost_id FROM public.user_profiles p WHERE p.id = ANY (users))))
        SELECT t.code, second_of(min(t.certain_at)) AS through FROM told t
        WHERE t.place = 1 AND t.last_sync_at > t.newest - interval '7 days'
        GROUP BY t.code HAVING max(t.pending_count) = 0 ORDER BY t.code
      LOOP
        -- Who said so before is not asked again, so that nobody waits for a post that is not meant.
        CONTINUE WHEN EXISTS (SELECT FROM post_reports r
          WHERE r.post = each.code AND r.through >= least(each.through, second_of(moment)));
        RETURN QUERY SELECT r.* FROM report(each.code, each.through, moment, moment) AS r;
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
      moment CONSTANT timestamptz := clock_timestamp();
      told change[];
    BEGIN
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
    CREATE OR REPLACE TRIGGER checkpost_1_report AFTER INSERT OR UPDATE ON public.sync_metadata
      FOR EACH ROW EXECUTE FUNCTION device_told();
    """#
}
