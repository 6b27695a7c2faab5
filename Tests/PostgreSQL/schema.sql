-- The server's tables as they are deployed, with their constraints, their policies and the trigger that
-- pairs passages; and the pilot's rows. For a PostgreSQL of a test's own, as its superuser.

CREATE ROLE anon NOLOGIN;
CREATE ROLE authenticated NOLOGIN;
CREATE ROLE service_role NOLOGIN BYPASSRLS;

CREATE SCHEMA auth;
CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE AS
  $$ SELECT nullif(current_setting('request.jwt.claim.sub', true), '')::uuid $$;
GRANT USAGE ON SCHEMA auth TO anon, authenticated, service_role;

CREATE TABLE parks (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL UNIQUE,
  code text NOT NULL UNIQUE CHECK (length(code) <= 10),
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE highway_segments (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  park_id uuid NOT NULL REFERENCES parks ON DELETE CASCADE,
  name text NOT NULL,
  distance_km numeric(6,2) NOT NULL CHECK (distance_km > 0),
  max_speed_kmh numeric(5,2) NOT NULL CHECK (max_speed_kmh > 0),
  min_speed_kmh numeric(5,2) NOT NULL CHECK (min_speed_kmh > 0),
  min_travel_time_minutes numeric(8,2) GENERATED ALWAYS AS (distance_km * 60 / max_speed_kmh) STORED,
  max_travel_time_minutes numeric(8,2) GENERATED ALWAYS AS (distance_km * 60 / min_speed_kmh) STORED,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE checkposts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  segment_id uuid NOT NULL REFERENCES highway_segments ON DELETE CASCADE,
  name text NOT NULL,
  code text NOT NULL UNIQUE,
  position_index smallint NOT NULL CHECK (position_index IN (0, 1)),
  latitude numeric(9,6),
  longitude numeric(9,6),
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT uq_checkposts_segment_position UNIQUE (segment_id, position_index)
);

CREATE TABLE user_profiles (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  full_name text NOT NULL,
  role text NOT NULL CHECK (role IN ('ranger', 'admin')),
  phone_number text,
  assigned_checkpost_id uuid REFERENCES checkposts ON DELETE SET NULL,
  assigned_park_id uuid REFERENCES parks ON DELETE SET NULL,
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE vehicle_passages (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  client_id uuid NOT NULL UNIQUE,
  plate_number text NOT NULL,
  plate_number_raw text,
  vehicle_type text NOT NULL CHECK (vehicle_type IN ('car', 'jeep', 'pickup', 'van', 'minibus', 'bus',
    'truck', 'tanker', 'motorcycle', 'other')),
  checkpost_id uuid NOT NULL REFERENCES checkposts ON DELETE RESTRICT,
  segment_id uuid NOT NULL REFERENCES highway_segments ON DELETE RESTRICT,
  recorded_at timestamptz NOT NULL,
  server_received_at timestamptz NOT NULL DEFAULT now(),
  ranger_id uuid NOT NULL REFERENCES user_profiles ON DELETE RESTRICT,
  photo_path text,
  source text NOT NULL DEFAULT 'app' CHECK (source IN ('app', 'sms')),
  matched_passage_id uuid REFERENCES vehicle_passages ON DELETE SET NULL,
  is_entry boolean,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON vehicle_passages (plate_number, segment_id, recorded_at DESC);
CREATE INDEX ON vehicle_passages (checkpost_id, recorded_at DESC);
CREATE INDEX ON vehicle_passages (segment_id, recorded_at) WHERE matched_passage_id IS NULL;

CREATE TABLE violations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  entry_passage_id uuid NOT NULL UNIQUE REFERENCES vehicle_passages,
  exit_passage_id uuid NOT NULL REFERENCES vehicle_passages,
  segment_id uuid NOT NULL REFERENCES highway_segments,
  violation_type text NOT NULL CHECK (violation_type IN ('speeding', 'overstay')),
  plate_number text NOT NULL,
  vehicle_type text NOT NULL,
  entry_time timestamptz NOT NULL,
  exit_time timestamptz NOT NULL,
  travel_time_minutes numeric(8,2) NOT NULL,
  threshold_minutes numeric(8,2) NOT NULL,
  calculated_speed_kmh numeric(6,2) NOT NULL,
  speed_limit_kmh numeric(5,2) NOT NULL,
  distance_km numeric(6,2) NOT NULL,
  alert_delivered_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE proactive_overstay_alerts (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  entry_passage_id uuid NOT NULL REFERENCES vehicle_passages ON DELETE CASCADE,
  segment_id uuid NOT NULL REFERENCES highway_segments,
  plate_number text NOT NULL,
  vehicle_type text NOT NULL,
  entry_time timestamptz NOT NULL,
  expected_exit_by timestamptz NOT NULL,
  resolved boolean NOT NULL DEFAULT false,
  resolved_at timestamptz,
  resolved_by_passage_id uuid REFERENCES vehicle_passages ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT uq_overstay_alerts_entry_passage_id UNIQUE (entry_passage_id)
);

CREATE TABLE sync_metadata (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES user_profiles,
  device_id text NOT NULL,
  last_sync_at timestamptz,
  last_pull_at timestamptz,
  pending_count integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT uq_sync_metadata_user_device UNIQUE (user_id, device_id)
);

-- Who may do what. A ranger's post and segment are those of the profile; the functions read it past the
-- policies, since a policy that reads its own table would never end.

CREATE FUNCTION auth.is_admin() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT EXISTS (SELECT FROM public.user_profiles WHERE id = auth.uid() AND role = 'admin') $$;
CREATE FUNCTION auth.my_post() RETURNS uuid LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT assigned_checkpost_id FROM public.user_profiles WHERE id = auth.uid() $$;
CREATE FUNCTION auth.my_segment() RETURNS uuid LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT segment_id FROM public.checkposts WHERE id = auth.my_post() $$;

GRANT ALL ON ALL TABLES IN SCHEMA public TO anon, authenticated, service_role;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['parks', 'highway_segments', 'checkposts', 'user_profiles',
    'vehicle_passages', 'violations', 'proactive_overstay_alerts', 'sync_metadata']
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY admins ON %I TO authenticated USING (auth.is_admin())', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['parks', 'highway_segments', 'checkposts'] LOOP
    EXECUTE format('CREATE POLICY everyone ON %I FOR SELECT TO authenticated USING (true)', name);
  END LOOP;
END $$;

CREATE POLICY own ON user_profiles FOR SELECT TO authenticated USING (id = auth.uid());
CREATE POLICY of_segment ON vehicle_passages FOR SELECT TO authenticated
  USING (segment_id = auth.my_segment());
CREATE POLICY own_post ON vehicle_passages FOR INSERT TO authenticated
  WITH CHECK (checkpost_id = auth.my_post());
CREATE POLICY own ON vehicle_passages FOR UPDATE TO authenticated USING (ranger_id = auth.uid());
CREATE POLICY of_segment ON violations FOR SELECT TO authenticated
  USING (segment_id = auth.my_segment());
CREATE POLICY of_segment ON proactive_overstay_alerts FOR SELECT TO authenticated
  USING (segment_id = auth.my_segment());
CREATE POLICY own ON sync_metadata TO authenticated USING (user_id = auth.uid());

-- Pairs each passage with the latest one of its plate that has no partner, at another post of the segment.
CREATE FUNCTION fn_auto_match_passage() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  partner public.vehicle_passages;
  first public.vehicle_passages;
  last public.vehicle_passages;
  segment public.highway_segments;
  minutes numeric;
BEGIN
  -- One of the same statement may have taken it.
  PERFORM FROM public.vehicle_passages WHERE id = NEW.id AND matched_passage_id IS NULL;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT * INTO partner FROM public.vehicle_passages
    WHERE plate_number = NEW.plate_number AND segment_id = NEW.segment_id
      AND checkpost_id <> NEW.checkpost_id AND matched_passage_id IS NULL AND id <> NEW.id
    ORDER BY recorded_at DESC LIMIT 1;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF NEW.recorded_at < partner.recorded_at THEN
    first := NEW; last := partner;
  ELSE
    first := partner; last := NEW;
  END IF;
  UPDATE public.vehicle_passages SET matched_passage_id = last.id, is_entry = true
    WHERE id = first.id;
  UPDATE public.vehicle_passages SET matched_passage_id = first.id, is_entry = false
    WHERE id = last.id;
  SELECT * INTO segment FROM public.highway_segments WHERE id = NEW.segment_id;
  minutes := extract(epoch FROM last.recorded_at - first.recorded_at) / 60;
  IF minutes > 0 AND (minutes < segment.min_travel_time_minutes
      OR minutes > segment.max_travel_time_minutes) THEN
    INSERT INTO public.violations (entry_passage_id, exit_passage_id, segment_id, violation_type,
      plate_number, vehicle_type, entry_time, exit_time, travel_time_minutes, threshold_minutes,
      calculated_speed_kmh, speed_limit_kmh, distance_km)
    SELECT first.id, last.id, segment.id,
      CASE WHEN speeding THEN 'speeding' ELSE 'overstay' END, first.plate_number,
      first.vehicle_type, first.recorded_at, last.recorded_at, minutes,
      CASE WHEN speeding THEN segment.min_travel_time_minutes ELSE segment.max_travel_time_minutes END,
      segment.distance_km * 60 / minutes,
      CASE WHEN speeding THEN segment.max_speed_kmh ELSE segment.min_speed_kmh END,
      segment.distance_km
    FROM (SELECT minutes < segment.min_travel_time_minutes AS speeding) AS verdict
    ON CONFLICT DO NOTHING;
  END IF;
  UPDATE public.proactive_overstay_alerts
    SET resolved = true, resolved_at = now(), resolved_by_passage_id = last.id
    WHERE NOT resolved AND plate_number = first.plate_number AND segment_id = first.segment_id;
  RETURN NULL;
END $$;
CREATE TRIGGER trg_auto_match_passage AFTER INSERT ON vehicle_passages
  FOR EACH ROW EXECUTE FUNCTION fn_auto_match_passage();

INSERT INTO parks (id, name, code)
  VALUES ('0a000000-0000-4000-8000-000000000001', 'Banke National Park', 'BNP');
INSERT INTO highway_segments (id, park_id, name, distance_km, max_speed_kmh, min_speed_kmh)
  VALUES ('0b000000-0000-4000-8000-000000000001', '0a000000-0000-4000-8000-000000000001',
    'Kohalpur - Chisapani', 45, 40, 10);
INSERT INTO checkposts (id, segment_id, name, code, position_index) VALUES
  ('0c000000-0000-4000-8000-00000000000a', '0b000000-0000-4000-8000-000000000001', 'East gate', 'BNP-A', 0),
  ('0c000000-0000-4000-8000-00000000000b', '0b000000-0000-4000-8000-000000000001', 'West gate', 'BNP-B', 1);
INSERT INTO user_profiles (id, full_name, role, assigned_checkpost_id) VALUES
  ('0d000000-0000-4000-8000-00000000000a', 'Sita', 'ranger', '0c000000-0000-4000-8000-00000000000a'),
  ('0d000000-0000-4000-8000-00000000000b', 'Ram', 'ranger', '0c000000-0000-4000-8000-00000000000b');
