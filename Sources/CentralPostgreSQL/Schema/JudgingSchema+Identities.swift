/// Passages under every identity that they came under, for programs that read and write by SQL or PostgREST.
extension JudgingSchema {
  /// One that became part of another row has none of its own in the deployed table: here it is found, and corrected, by
  /// the identity that it came under. Who may do so, the policies of the table say.
  static let byIdentity = #"""
    CREATE OR REPLACE FUNCTION sees_passage(passage uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
    BEGIN
      RETURN EXISTS (SELECT FROM public.vehicle_passages v WHERE v.id = passage);
    END $$;

    CREATE VIEW public.passages_by_identity WITH (security_barrier) AS
      SELECT v.id, i.client_id, v.plate_number, v.plate_number_raw, v.vehicle_type, v.checkpost_id, v.segment_id,
        v.recorded_at, v.server_received_at, v.ranger_id, v.photo_path, v.source, v.matched_passage_id, v.is_entry,
        v.created_at
      FROM checkpost.identities i JOIN checkpost.records r ON r.number = i.record
        JOIN checkpost.records s ON s.number = r.row_number
        JOIN public.vehicle_passages v ON v.id = s.passage_id
      WHERE checkpost.sees_passage(v.id);

    -- What is changed there is changed of the record that came under that identity, and of no other that is the same
    -- passage.
    CREATE OR REPLACE FUNCTION correct_identity() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      is_done boolean;
    BEGIN
      IF (NEW.id, NEW.client_id, NEW.source, NEW.segment_id) IS DISTINCT FROM
        (OLD.id, OLD.client_id, OLD.source, OLD.segment_id)
      THEN
        RAISE EXCEPTION 'of a passage under an identity its names, source and segment are not changed'
          USING ERRCODE = 'feature_not_supported';
      END IF;
      PERFORM set_config('checkpost.corrected', OLD.client_id::text, true);
      UPDATE public.vehicle_passages v SET plate_number = NEW.plate_number, plate_number_raw = NEW.plate_number_raw,
          vehicle_type = NEW.vehicle_type, checkpost_id = NEW.checkpost_id, recorded_at = NEW.recorded_at,
          ranger_id = NEW.ranger_id, photo_path = NEW.photo_path, matched_passage_id = NEW.matched_passage_id
        WHERE v.id = OLD.id;
      is_done := FOUND;
      PERFORM set_config('checkpost.corrected', '', true);
      IF NOT is_done THEN RETURN NULL; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER checkpost_1_correct INSTEAD OF UPDATE ON public.passages_by_identity
      FOR EACH ROW EXECUTE FUNCTION correct_identity();
    """#

  /// Who may look there.
  static let identityRights = #"""
    REVOKE ALL ON public.passages_by_identity FROM PUBLIC, anon;
    GRANT SELECT, UPDATE ON public.passages_by_identity TO authenticated, service_role;
    GRANT EXECUTE ON FUNCTION checkpost.sees_passage TO authenticated, service_role;
    """#
}
