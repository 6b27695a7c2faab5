/// Where rangers served, and when.
extension JudgingSchema {
  /// What version 4 has beside version 3, in the order in which it is run.
  static let version4 = [assignments]

  /// Rangers at posts. `RangerAssignment` of the core says the same in Swift, for stores without triggers.
  static let assignments = #"""
    CREATE TABLE ranger_assignments (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      ranger uuid NOT NULL REFERENCES public.user_profiles ON DELETE CASCADE,
      post_id uuid NOT NULL REFERENCES public.checkposts ON DELETE CASCADE,
      -- How texts named the ranger then.
      suffix text COLLATE "C" NOT NULL CHECK (suffix <> '0000'),
      -- Null where nobody knows of a time before, and while it lasts.
      since timestamptz,
      until timestamptz,
      -- In which transaction the ranger was known first.
      known_at timestamptz NOT NULL DEFAULT now()
    );
    CREATE INDEX ranger_assignments_suffix ON ranger_assignments (post_id, suffix);
    CREATE INDEX ranger_assignments_ranger ON ranger_assignments (ranger);
    CREATE UNIQUE INDEX ranger_assignments_now ON ranger_assignments (ranger) WHERE until IS NULL;
    -- Of what was before nobody wrote down more than what is now.
    INSERT INTO ranger_assignments (ranger, post_id, suffix)
      SELECT * FROM (
        SELECT u.id, u.assigned_checkpost_id,
          right('0000' || regexp_replace(coalesce(u.phone_number, ''), '[^0-9]', '', 'g'), 4) AS suffix
        FROM public.user_profiles u WHERE u.assigned_checkpost_id IS NOT NULL ORDER BY u.id) AS n
      WHERE n.suffix <> '0000';
    -- Passages of which nobody named who wrote them down.
    CREATE INDEX passages_unnamed ON passages (post, suffix) WHERE rangers = '{}';
    """#

  /// Who goes where, and whom a text means.
  static let assigning = #"""
    -- A ranger serves at a post, or at none. Where nobody says since when: those who were elsewhere from now on, and
    -- those of whom nothing was known since whoever had the same digits there left, or, where somebody still has them,
    -- from now on. Those who are put in together take nothing from each other.
    CREATE OR REPLACE FUNCTION assign_ranger(who uuid, at_post uuid, digits text, from_when timestamptz) RETURNS void
    LANGUAGE plpgsql AS $$
    DECLARE
      moment CONSTANT timestamptz := clock_timestamp();
      known CONSTANT timestamptz := (SELECT min(a.known_at) FROM ranger_assignments a WHERE a.ranger = who);
      present ranger_assignments;
      start timestamptz;
    BEGIN
      SELECT * INTO present FROM ranger_assignments a WHERE a.ranger = who AND a.until IS NULL;
      IF at_post IS NULL OR digits = '0000' THEN
        UPDATE ranger_assignments SET until = moment WHERE number = present.number;
        RETURN;
      END IF;
      IF (present.post_id, present.suffix) = (at_post, digits) THEN
        IF from_when IS NULL THEN RETURN; END IF;
        start := from_when;
        DELETE FROM ranger_assignments WHERE number = present.number;
      ELSIF known IS NULL THEN
        start := coalesce(from_when, (
          SELECT max(least(a.until, moment)) FROM ranger_assignments a
          WHERE a.post_id = at_post AND a.suffix = digits AND a.known_at < now()));
      ELSE
        start := coalesce(from_when, moment);
      END IF;
      -- What began before ends then, and what began later is not so.
      DELETE FROM ranger_assignments WHERE ranger = who AND since >= start;
      UPDATE ranger_assignments SET until = start WHERE ranger = who AND coalesce(until > start, true);
      INSERT INTO ranger_assignments (ranger, post_id, suffix, since, known_at)
        VALUES (who, at_post, digits, start, coalesce(known, now()));
    END $$;

    -- Whom a text of a post means by these digits, where nobody knows who sent it: the one who served there at that
    -- moment; else, where nobody did, the only one who ever did, or who came first, where that was later. Null when it
    -- may have been several.
    CREATE OR REPLACE FUNCTION ranger_meant(post uuid, digits text, moment timestamptz) RETURNS uuid
    LANGUAGE sql STABLE AS $$
      SELECT m.rangers[1] FROM (
        SELECT CASE WHEN bool_or(a.was) THEN array_agg(DISTINCT a.ranger) FILTER (WHERE a.was)
          WHEN bool_and(coalesce(a.since > moment, false)) THEN
            array_agg(DISTINCT a.ranger) FILTER (WHERE a.since = a.first)
          ELSE array_agg(DISTINCT a.ranger) END AS rangers
        FROM (
          SELECT b.ranger, b.since, min(b.since) OVER () AS first,
            coalesce(b.since <= moment, true) AND coalesce(moment < b.until, true) AS was
          FROM checkpost.ranger_assignments b WHERE b.post_id = post AND b.suffix = digits) AS a) AS m
      WHERE cardinality(m.rangers) = 1
    $$;
    """#

  /// What a service may do that does not own the schema.
  static let assigningRights = #"""
    GRANT EXECUTE ON FUNCTION checkpost.ranger_meant TO service_role;
    """#
}
