/// Fines for what could still be wrong.
extension JudgingSchema {
  /// What holds for outcomes, whoever records them: `ViolationOutcome` of the core says the same in Swift.
  static let fines = #"""
    -- Why a fine needs a reason.
    CREATE OR REPLACE FUNCTION fine_doubts(finality text, doubts text[]) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
      SELECT array_remove(ARRAY[CASE WHEN finality = 'provisional' THEN 'provisional' END,
        CASE WHEN 'by_text_alone' = ANY (doubts) THEN 'by_text_alone' END], NULL)
    $$;

    -- What a fine was recorded for all the same, and why, for the audit log; null of any other outcome.
    CREATE OR REPLACE FUNCTION fine_reason(outcome uuid) RETURNS text LANGUAGE sql STABLE \#(manner) AS $$
      SELECT 'although ' || array_to_string(d.doubts, ' ') || ': ' || btrim(o.notes)
      FROM public.violation_outcomes o JOIN public.violations v ON v.id = o.violation_id
      CROSS JOIN LATERAL (SELECT fine_doubts(v.finality, v.doubts) AS doubts) AS d
      WHERE o.id = outcome AND o.outcome_type = 'fined' AND d.doubts <> '{}'
    $$;

    -- Over the API the notes say why.
    CREATE OR REPLACE FUNCTION check_fine() RETURNS trigger LANGUAGE plpgsql \#(manner) AS $$
    BEGIN
      IF NEW.outcome_type = 'fined' AND btrim(coalesce(NEW.notes, '')) = '' AND EXISTS (
        SELECT FROM public.violations v
        WHERE v.id = NEW.violation_id AND checkpost.fine_doubts(v.finality, v.doubts) <> '{}')
      THEN
        RAISE EXCEPTION 'a fine for a violation that is provisional or rests on texts alone needs a reason in notes'
          USING ERRCODE = 'check_violation', CONSTRAINT = 'violation_outcomes_reason',
            TABLE = 'violation_outcomes', HINT = 'Say in notes why there is a fine all the same, or wait until it is final.';
      END IF;
      RETURN NEW;
    END $$;
    DROP TRIGGER IF EXISTS outcome_1_reason ON public.violation_outcomes;
    CREATE TRIGGER outcome_1_reason BEFORE INSERT OR UPDATE OF outcome_type, notes ON public.violation_outcomes
      FOR EACH ROW EXECUTE FUNCTION check_fine();

    -- For a day after that moment whoever recorded it may change it: so it is never one that is to come, and stays.
    CREATE OR REPLACE FUNCTION keep_outcome_time() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF row_security_active(TG_RELID) THEN
        NEW.recorded_at := CASE TG_OP WHEN 'UPDATE' THEN OLD.recorded_at
          ELSE least(NEW.recorded_at, clock_timestamp()) END;
      END IF;
      RETURN NEW;
    END $$;
    DROP TRIGGER IF EXISTS outcome_0_time ON public.violation_outcomes;
    CREATE TRIGGER outcome_0_time BEFORE INSERT OR UPDATE ON public.violation_outcomes
      FOR EACH ROW EXECUTE FUNCTION keep_outcome_time();
    """#

  /// What a service may do that does not own the schema.
  static let fineRights = #"""
    GRANT EXECUTE ON FUNCTION checkpost.fine_reason TO service_role;
    """#
}
