/// What a migration runs beside the schema's own tables, functions and triggers.
enum MigrationScripts {
  /// The version of the schema that this program needs.
  static let version: Int64 = 17

  /// What is known of the migration itself.
  static let begin = #"""
    CREATE SCHEMA checkpost;
    REVOKE ALL ON SCHEMA checkpost FROM PUBLIC;
    SET LOCAL search_path = checkpost, pg_temp;
    CREATE TABLE migrations (
      version bigint PRIMARY KEY,
      applied_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      -- Whether all rows that were there before are taken in.
      is_adopted boolean NOT NULL DEFAULT false
    );
    -- Triggers that pair passages otherwise, which rest meanwhile.
    CREATE TABLE displaced (name name PRIMARY KEY, enabled "char" NOT NULL);
    -- Tables and columns that were made here.
    CREATE TABLE made (name text PRIMARY KEY);
    """#

  /// Columns that the deployed table of violations has not; all have a default.
  static let columns = #"""
    ALTER TABLE public.violations
      ADD COLUMN IF NOT EXISTS is_retracted boolean NOT NULL DEFAULT false,
      ADD COLUMN IF NOT EXISTS finality text NOT NULL DEFAULT 'provisional',
      ADD COLUMN IF NOT EXISTS doubts text[] NOT NULL DEFAULT '{}';
    """#

  /// Rows that name a passage are found by an index when it is deleted or set aside, where there is none yet.
  static let indexes = #"""
    DO $$
    DECLARE
      each record;
    BEGIN
      FOR each IN
        SELECT * FROM (VALUES
          ('public.vehicle_passages', 'matched_passage_id', 'checkpost_matched'),
          ('public.violations', 'exit_passage_id', 'checkpost_exits'),
          ('public.proactive_overstay_alerts', 'resolved_by_passage_id', 'checkpost_resolved')
          ) AS v(tab, col, name)
      LOOP
        CONTINUE WHEN EXISTS (
          SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
          WHERE i.indrelid = each.tab::regclass AND a.attname = each.col AND i.indisvalid
            AND (i.indpred IS NULL
              OR pg_get_expr(i.indpred, i.indrelid) = format('(%s IS NOT NULL)', each.col)));
        EXECUTE format('CREATE INDEX %I ON %s (%I) WHERE %I IS NOT NULL', each.name, each.tab, each.col, each.col);
        INSERT INTO checkpost.made VALUES ('index ' || each.name) ON CONFLICT DO NOTHING;
      END LOOP;
    END $$;
    """#

  /// The profile under which passages stand whose ranger nobody knows. Where it may not be made they have no row
  /// in the deployed table until somebody knows.
  static let unknownRanger = #"""
    DO $$
    DECLARE
      nobody CONSTANT uuid := checkpost.derived_id('profile', 'unknown');
    BEGIN
      BEGIN
        IF to_regclass('auth.users') IS NOT NULL THEN
          INSERT INTO auth.users (id) VALUES (nobody) ON CONFLICT DO NOTHING;
        END IF;
        INSERT INTO public.user_profiles (id, full_name, role, is_active)
          VALUES (nobody, 'unknown ranger', 'ranger', false) ON CONFLICT DO NOTHING;
        UPDATE checkpost.settings SET unknown_ranger = nobody;
      EXCEPTION WHEN insufficient_privilege OR integrity_constraint_violation THEN
        NULL;
      END;
    END $$;
    """#

  /// Rows of those whose ranger nobody knows are found by an index when one becomes known.
  static let unknownIndex = #"""
    DO $$
    DECLARE
      nobody CONSTANT uuid := (SELECT unknown_ranger FROM checkpost.settings);
    BEGIN
      IF nobody IS NULL THEN RETURN; END IF;
      EXECUTE format('CREATE INDEX IF NOT EXISTS checkpost_unknown ON public.vehicle_passages (checkpost_id) '
        'WHERE ranger_id = %L', nobody);
      INSERT INTO checkpost.made VALUES ('index checkpost_unknown') ON CONFLICT DO NOTHING;
    END $$;
    """#

  /// The orders in which the deployed table of passages is read over the API, where no index has them yet: by the time
  /// that was recorded, of all and of a segment, and by the times at which they came.
  static let orderIndexes = #"""
    DO $$
    DECLARE
      each record;
    BEGIN
      FOR each IN SELECT * FROM (VALUES ('checkpost_recorded', 'recorded_at'),
        ('checkpost_recorded_segment', 'segment_id, recorded_at'), ('checkpost_created', 'created_at'),
        ('checkpost_received', 'server_received_at')) AS v(name, columns)
      LOOP
        EXECUTE format('CREATE INDEX IF NOT EXISTS %I ON public.vehicle_passages (%s)', each.name, each.columns);
        INSERT INTO checkpost.made VALUES ('index ' || each.name) ON CONFLICT DO NOTHING;
      END LOOP;
    END $$;
    """#

  /// The deployed trigger rests: what it made is judged now.
  static let displace = #"""
    DO $$
    DECLARE
      each record;
    BEGIN
      FOR each IN
        SELECT t.tgname, t.tgenabled FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
        WHERE t.tgrelid = 'public.vehicle_passages'::regclass AND NOT t.tgisinternal
          AND p.proname = 'fn_auto_match_passage'
      LOOP
        INSERT INTO checkpost.displaced VALUES (each.tgname, each.tgenabled);
        EXECUTE format('ALTER TABLE public.vehicle_passages DISABLE TRIGGER %I', each.tgname);
      END LOOP;
    END $$;
    """#

  /// Takes the functions out, and with them the triggers that call them, which are made anew.
  static let dropFunctions = #"""
    DO $$
    DECLARE
      each record;
    BEGIN
      FOR each IN
        SELECT p.oid::regprocedure AS name, CASE p.prokind WHEN 'p' THEN 'PROCEDURE' ELSE 'FUNCTION' END AS kind
        FROM pg_proc p WHERE p.pronamespace = 'checkpost'::regnamespace
      LOOP
        -- One may have gone with another already.
        IF to_regprocedure(each.name::text) IS NOT NULL THEN
          EXECUTE format('DROP %s %s CASCADE', each.kind, each.name);
        END IF;
      END LOOP;
    END $$;
    """#

  /// Who may do what.
  static let allRights = [
    rights, JudgingSchema.inboxRights, JudgingSchema.accountRights, JudgingSchema.forgettingRights,
    JudgingSchema.divisionRights, JudgingSchema.assigningRights, JudgingSchema.fineRights,
    JudgingSchema.webhookRights, JudgingSchema.identityRights, JudgingSchema.feedRights,
  ]

  /// Nobody but the service may call anything.
  static let rights = #"""
    REVOKE ALL ON ALL FUNCTIONS IN SCHEMA checkpost FROM PUBLIC;
    REVOKE ALL ON ALL TABLES IN SCHEMA checkpost FROM PUBLIC;
    GRANT USAGE ON SCHEMA checkpost TO service_role;
    GRANT SELECT ON ALL TABLES IN SCHEMA checkpost TO service_role;
    REVOKE ALL ON checkpost.settings FROM service_role;
    GRANT EXECUTE ON FUNCTION checkpost.take, checkpost.report, checkpost.confirm, checkpost.clock,
      checkpost.rejudge, checkpost.close_violation, checkpost.note_done,
      checkpost.report_devices, checkpost.doubt_device TO service_role;
    """#

  /// Back to what was there before. What was taken out of the deployed tables is put back.
  static let down = #"""
    DO $$
    DECLARE
      each record;
      columns text;
      plain text;
      began CONSTANT timestamptz := (SELECT min(applied_at) FROM checkpost.migrations);
      nobody CONSTANT uuid := (SELECT unknown_ranger FROM checkpost.settings);
    BEGIN
      FOR each IN
        SELECT t.tgname, t.tgrelid::regclass AS tab FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
        WHERE p.pronamespace = 'checkpost'::regnamespace AND NOT t.tgisinternal
      LOOP
        EXECUTE format('DROP TRIGGER %I ON %s', each.tgname, each.tab);
      END LOOP;

      -- What was taken out, as it was before anything was judged here: the passages first, whose partners may be among
      -- those that come behind them.
      FOR each IN SELECT * FROM (VALUES ('passage', 'public.vehicle_passages'), ('violation', 'public.violations'),
        ('alert', 'public.proactive_overstay_alerts')) AS t(kind, tab)
      LOOP
        SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum),
            string_agg(quote_ident(attname), ', ' ORDER BY attnum) FILTER (
              WHERE attname NOT IN ('matched_passage_id', 'is_entry'))
          INTO columns, plain FROM pg_attribute
          WHERE attrelid = each.tab::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
            AND attidentity = '' AND attname NOT IN ('is_retracted', 'finality', 'doubts');
        IF each.kind = 'violation' THEN
          -- What was found here of passages that were there before, and of which nobody recorded what came of it.
          DELETE FROM public.violations v USING public.vehicle_passages a, public.vehicle_passages b
            WHERE a.id = v.entry_passage_id AND b.id = v.exit_passage_id AND v.created_at >= began
              AND a.created_at < began AND b.created_at < began
              AND NOT EXISTS (SELECT FROM checkpost.originals o WHERE o.kind = 'violation' AND o.id = v.id)
              AND NOT EXISTS (SELECT FROM public.violation_outcomes o WHERE o.violation_id = v.id);
        ELSIF each.kind = 'alert' THEN
          DELETE FROM public.proactive_overstay_alerts v USING public.vehicle_passages a
            WHERE a.id = v.entry_passage_id AND v.created_at >= began AND a.created_at < began
              AND NOT EXISTS (SELECT FROM checkpost.originals o WHERE o.kind = 'alert' AND o.id = v.id);
        END IF;
        EXECUTE format('INSERT INTO %1$s (%2$s) SELECT %3$s FROM ('
          'SELECT DISTINCT ON (r.id) r.id, r.content FROM ('
            'SELECT id, content, 0 AS turn FROM checkpost.originals WHERE kind = %4$L '
            'UNION ALL SELECT id, content, number FROM checkpost.removed WHERE kind = %4$L '
              'AND (%4$L <> %5$L OR (content ->> %6$L)::timestamptz < $1)) AS r ORDER BY r.id, r.turn) AS c, '
          'jsonb_populate_record(NULL::%1$s, c.content) AS n '
          'WHERE NOT EXISTS (SELECT FROM %1$s t WHERE t.id = c.id)%7$s ON CONFLICT DO NOTHING',
          each.tab, plain, 'n.' || replace(plain, ', ', ', n.'), each.kind, 'violation', 'created_at',
          CASE each.kind WHEN 'violation' THEN
            ' AND EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = n.entry_passage_id)'
            ' AND EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = n.exit_passage_id)'
          WHEN 'alert' THEN ' AND EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = n.entry_passage_id)'
          ELSE '' END) USING began;
        -- And what was changed, but for what a person corrected.
        EXECUTE format('UPDATE %1$s t SET (%2$s) = (SELECT %3$s) FROM ('
          'SELECT o.id AS key, jsonb_populate_record(NULL::%1$s, o.content) AS row FROM checkpost.originals o '
          'WHERE o.kind = %4$L%5$s) AS c, LATERAL (SELECT (c.row).*) AS n WHERE t.id = c.key',
          each.tab, columns, 'n.' || replace(columns, ', ', ', n.'), each.kind,
          CASE each.kind WHEN 'passage' THEN
            ' AND NOT EXISTS (SELECT FROM checkpost.records r JOIN checkpost.corrections k ON k.record = r.number'
            ' WHERE r.passage_id = o.id)'
            ' AND NOT EXISTS (SELECT FROM jsonb_populate_record(NULL::public.vehicle_passages, o.content) p'
            ' WHERE p.matched_passage_id IS NOT NULL'
            ' AND NOT EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = p.matched_passage_id))'
          WHEN 'violation' THEN
            ' AND EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = (o.content ->> ''exit_passage_id'')::uuid)'
          ELSE '' END);
      END LOOP;

      FOR each IN SELECT * FROM checkpost.displaced LOOP
        EXECUTE format('ALTER TABLE public.vehicle_passages %s TRIGGER %I',
          CASE each.enabled WHEN 'D' THEN 'DISABLE' WHEN 'R' THEN 'ENABLE REPLICA' WHEN 'A' THEN 'ENABLE ALWAYS'
            ELSE 'ENABLE' END, each.name);
      END LOOP;
      FOR each IN SELECT substr(name, 7) AS name FROM checkpost.made WHERE starts_with(name, 'index ') LOOP
        EXECUTE format('DROP INDEX IF EXISTS public.%I', each.name);
      END LOOP;
      IF EXISTS (SELECT FROM checkpost.made WHERE name = 'violations') THEN
        -- It shows these columns, and goes with the schema anyway.
        DROP VIEW checkpost.api_violations;
        ALTER TABLE public.violations DROP COLUMN is_retracted, DROP COLUMN finality, DROP COLUMN doubts;
      END IF;
      IF NOT EXISTS (SELECT FROM public.vehicle_passages WHERE ranger_id = nobody) THEN
        DELETE FROM public.user_profiles WHERE id = nobody;
        IF to_regclass('auth.users') IS NOT NULL THEN DELETE FROM auth.users WHERE id = nobody; END IF;
      END IF;
    END $$;
    DROP SCHEMA checkpost CASCADE;
    """#
}
