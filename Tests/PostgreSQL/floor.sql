-- What central's tables cost, whoever judges: writes for each row of inserts.sh what central writes for it, into the same
-- tables with the same indexes, by constant statements in place of central's triggers. Nothing is looked up but the entry
-- that an exit belongs to, and nothing is judged: each travel was too fast.
DO $$
DECLARE
  each record;
BEGIN
  FOR each IN
    SELECT t.tgname, t.tgrelid::regclass AS tab FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE p.pronamespace = 'checkpost'::regnamespace AND NOT t.tgisinternal
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', each.tgname, each.tab);
  END LOOP;
END $$;

CREATE FUNCTION floor_before() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  n CONSTANT bigint := nextval('checkpost.records_number_seq');
  second CONSTANT bigint := extract(epoch FROM NEW.recorded_at);
  is_exit CONSTANT boolean := NEW.checkpost_id = '0c000000-0000-4000-8000-00000000000b';
  first record;
  broken checkpost.finding;
BEGIN
  -- Of two rows of one plate and second, as chance may have it, each is a record here.
  INSERT INTO checkpost.records (number, received_post, received_plate, received_second, received_post_id, post, plate,
      second, row_number, passage_id, last_at, client_id, inserted_at)
    OVERRIDING SYSTEM VALUE
    VALUES (n, 'BNP-A', NEW.plate_number, n, NEW.checkpost_id, 'BNP-A', NEW.plate_number, second, n, NEW.id, now(),
      NEW.client_id, now());
  INSERT INTO checkpost.identities (client_id, record) VALUES (NEW.client_id, n);
  INSERT INTO checkpost.observations (record, client_id, post, plate, raw_plate, vehicle_type, recorded_at, ranger,
      channel, is_proven, received_at, inserted_at, own_row)
    VALUES (n, NEW.client_id, 'BNP-A', NEW.plate_number, NEW.plate_number_raw, 'car', NEW.recorded_at,
      '0d000000-0000-4000-8000-00000000000a', 'upload', true, now(), now(), NEW.id);
  INSERT INTO checkpost.heard_changes (post, passages, recorded, last_at) VALUES ('BNP-A', 1, 1, now());
  INSERT INTO checkpost.passages (row_number, members, post, plate, earliest, latest, is_dated, raw_plate, vehicle_type,
      recorded_at, rangers, suffix, channels, is_proven, first_received_at, is_corrected, contradictions)
    VALUES (n, ARRAY[n], 'BNP-A', NEW.plate_number, second, second, true, NEW.plate_number_raw, 'car', NEW.recorded_at,
      '{0d000000-0000-4000-8000-00000000000a}', '0000', '{upload}', true, now(), false, '{}');
  IF NOT is_exit THEN
    INSERT INTO checkpost.unpaired (row_number) VALUES (n);
    INSERT INTO checkpost.waiting (entry, plate, post, second, opposite, due_at, expires_at, look_at)
      VALUES (n, NEW.plate_number, 'BNP-A', second, 'BNP-B', second + 16202, second + 259200, second + 16202);
    RETURN NEW;
  END IF;
  SELECT r.number, r.passage_id INTO first FROM checkpost.records r
    WHERE r.plate = NEW.plate_number AND r.number <> n ORDER BY r.number DESC LIMIT 1;
  broken := ROW('speeding', NEW.plate_number, 'Kohalpur - Chisapani', first.number, 'BNP-A', second - 2700,
    second - 2700, n, 'BNP-B', second, second, 2700, 4050, false, '{}')::checkpost.finding;
  INSERT INTO checkpost.pairs (entry, exit) VALUES (first.number, n);
  DELETE FROM checkpost.unpaired u WHERE u.row_number = first.number;
  DELETE FROM checkpost.waiting w WHERE w.entry = first.number;
  INSERT INTO checkpost.violations (entry, found, since, uuid, entry_needs, exit_needs, unreported_from)
    VALUES (first.number, broken, now(), gen_random_uuid(), second, second + 60, now() + interval '1 day');
  INSERT INTO checkpost.tally_changes (name, n) VALUES ('violations', 1);
  INSERT INTO checkpost.revisions (entry, number, change, cause, at, after, was_final)
    VALUES (first.number, 1, 'made', 'arrival', now(), to_jsonb(broken), 'provisional');
  INSERT INTO checkpost.changes (kind, entry, other)
    VALUES ('paired', first.number, n), ('revised', first.number, 1);
  NEW.matched_passage_id := first.passage_id;
  NEW.is_entry := false;
  RETURN NEW;
END $$;

CREATE FUNCTION floor_after() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE public.vehicle_passages SET matched_passage_id = NEW.id, is_entry = true WHERE id = NEW.matched_passage_id;
  INSERT INTO public.violations (entry_passage_id, exit_passage_id, segment_id, violation_type, plate_number,
      vehicle_type, entry_time, exit_time, travel_time_minutes, threshold_minutes, calculated_speed_kmh,
      speed_limit_kmh, distance_km)
    VALUES (NEW.matched_passage_id, NEW.id, NEW.segment_id, 'speeding', NEW.plate_number, NEW.vehicle_type,
      NEW.recorded_at - interval '45 minutes', NEW.recorded_at, 45, 67.5, 60, 40, 45);
  RETURN NULL;
END $$;

CREATE TRIGGER floor_1 BEFORE INSERT ON public.vehicle_passages FOR EACH ROW EXECUTE FUNCTION floor_before();
CREATE TRIGGER floor_2 AFTER INSERT ON public.vehicle_passages FOR EACH ROW
  WHEN (NEW.matched_passage_id IS NOT NULL) EXECUTE FUNCTION floor_after();
