/// Rows of the deployed tables as they were before anything was judged here, so that they come back with `--down`.
extension JudgingSchema {
  /// Where they are kept.
  static let originalRows = #"""
    CREATE TABLE originals (
      kind text NOT NULL CHECK (kind IN ('passage', 'violation', 'alert')),
      id uuid NOT NULL,
      content jsonb NOT NULL,
      PRIMARY KEY (kind, id)
    );
    """#

  /// Keeps a row before it is changed here for the first time. What others change is theirs, and so is what came since.
  static let keepingOriginals = #"""
    CREATE OR REPLACE FUNCTION keep_original() RETURNS trigger LANGUAGE plpgsql \#(manner) AS $$
    BEGIN
      IF OLD.created_at >= (SELECT min(m.applied_at) FROM migrations m) THEN
        RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
      END IF;
      INSERT INTO originals (kind, id, content) VALUES (TG_ARGV[0], OLD.id, to_jsonb(OLD)) ON CONFLICT DO NOTHING;
      RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    END $$;

    DO $$
    DECLARE
      each record;
    BEGIN
      FOR each IN
        SELECT t.tab, t.kind, e.event, e.condition FROM (VALUES
          ('public.vehicle_passages', 'passage'), ('public.violations', 'violation'),
          ('public.proactive_overstay_alerts', 'alert')) AS t(tab, kind),
        (VALUES ('UPDATE', 'OLD.* IS DISTINCT FROM NEW.*'), ('DELETE', 'true')) AS e(event, condition)
      LOOP
        EXECUTE format('CREATE TRIGGER %I BEFORE %s ON %s FOR EACH ROW WHEN ('
          'coalesce(current_setting(%L, true), %L) <> %L AND %s) EXECUTE FUNCTION keep_original(%L)',
          'checkpost_9_keep_' || lower(each.event), each.event, each.tab, 'checkpost.projecting', '', '',
          each.condition, each.kind);
      END LOOP;
    END $$;
    """#
}
