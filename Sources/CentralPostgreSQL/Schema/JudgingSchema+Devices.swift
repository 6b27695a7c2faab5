extension JudgingSchema {
  /// What devices of posts say over HTTP: a post of which nothing waits has handed in everything.
  static let devices = #"""
    -- Takes it that posts have handed in everything, as their devices say: all of a post that told anything lately have
    -- to say that nothing waits, and the one counts that did so first. The posts of some users, or all where none is named.
    -- Returns what that settled.
    CREATE OR REPLACE FUNCTION report_devices(users uuid[], moment timestamptz)
    RETURNS TABLE (kind text, entry bigint, other bigint) LANGUAGE plpgsql \#(manner) AS $$
    DECLARE
      each record;
    BEGIN
      FOR each IN
        WITH told AS (
          SELECT c.code, m.device_id, m.pending_count, m.last_sync_at,
            row_number() OVER (PARTITION BY c.code, m.device_id ORDER BY m.last_sync_at DESC) AS place,
            max(m.last_sync_at) OVER (PARTITION BY c.code) AS newest
          FROM public.sync_metadata m JOIN public.user_profiles u ON u.id = m.user_id
            JOIN public.checkposts c ON c.id = u.assigned_checkpost_id
          WHERE m.last_sync_at IS NOT NULL AND (users IS NULL OR c.id IN (
            SELECT p.assigned_checkpost_id FROM public.user_profiles p WHERE p.id = ANY (users))))
        SELECT t.code, second_of(min(t.last_sync_at)) AS through FROM told t
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

  /// The same for what other programs write.
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
      SELECT array_agg(ROW(r.kind, r.entry, r.other)::change) INTO told
        FROM report_devices(ARRAY[NEW.user_id], moment) AS r;
      PERFORM tell_later(told);
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER checkpost_1_report AFTER INSERT OR UPDATE ON public.sync_metadata
      FOR EACH ROW EXECUTE FUNCTION device_told();
    """#
}
