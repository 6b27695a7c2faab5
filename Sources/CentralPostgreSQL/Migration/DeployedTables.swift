/// The deployed tables, for a database that does not have them, and who may do what in them.
enum DeployedTables {
  /// A table with what makes it and what comes with it; each is made only where it is missing.
  struct Table {
    var name: String
    var script: String
  }

  /// What the policies stand on: roles, and who is signed in.
  static let roles = #"""
    DO $$
    DECLARE
      role text;
    BEGIN
      FOREACH role IN ARRAY ARRAY['anon', 'authenticated', 'service_role BYPASSRLS'] LOOP
        CONTINUE WHEN EXISTS (SELECT FROM pg_roles WHERE rolname = split_part(role, ' ', 1));
        BEGIN
          EXECUTE 'CREATE ROLE ' || role || ' NOLOGIN';
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
          NULL;  -- Another database of this server was faster.
        END;
      END LOOP;
      IF to_regnamespace('auth') IS NULL THEN
        CREATE SCHEMA auth;
        GRANT USAGE ON SCHEMA auth TO anon, authenticated, service_role;
      END IF;
      IF to_regprocedure('auth.uid()') IS NULL THEN
        CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE AS $body$
          SELECT coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''),
            nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
        $body$;
      END IF;
    END $$;
    """#

  /// What the policies ask, of a database that has none of the tables. It reads past the policies, since a policy
  /// that reads its own table would never end.
  static let questions = #"""
    CREATE OR REPLACE FUNCTION public.checkpost_is_admin() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = public, pg_temp AS $$
      SELECT EXISTS (SELECT FROM user_profiles WHERE id = auth.uid() AND role = 'admin' AND is_active)
    $$;
    CREATE OR REPLACE FUNCTION public.checkpost_my_post() RETURNS uuid LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = public, pg_temp AS $$
      SELECT assigned_checkpost_id FROM user_profiles WHERE id = auth.uid() AND is_active
    $$;
    CREATE OR REPLACE FUNCTION public.checkpost_my_segment() RETURNS uuid LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path = public, pg_temp AS $$
      SELECT segment_id FROM checkposts WHERE id = checkpost_my_post()
    $$;

    """# + furtherQuestions

  /// What the policies ask of a post that may end several segments. Without the schema beside it a post ends one.
  static let furtherQuestions = #"""
    CREATE OR REPLACE FUNCTION public.checkpost_my_segments() RETURNS uuid[] LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path = public, pg_temp AS $$
    BEGIN
      IF to_regclass('checkpost.segment_ends') IS NULL THEN
        RETURN ARRAY(SELECT segment_id FROM checkposts WHERE id = checkpost_my_post());
      END IF;
      RETURN ARRAY(SELECT segment_id FROM checkpost.segment_ends WHERE post_id = checkpost_my_post());
    END $$;
    CREATE OR REPLACE FUNCTION public.checkpost_my_posts() RETURNS uuid[] LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path = public, pg_temp AS $$
    BEGIN
      IF to_regclass('checkpost.segment_ends') IS NULL THEN
        RETURN ARRAY(SELECT id FROM checkposts WHERE segment_id = ANY (checkpost_my_segments()));
      END IF;
      RETURN ARRAY(SELECT DISTINCT post_id FROM checkpost.segment_ends
        WHERE segment_id = ANY (checkpost_my_segments()));
    END $$;
    """#

  /// The tables in the order in which they name each other.
  static let all = [
    Table(
      name: "auth.users",
      script: #"""
        CREATE TABLE auth.users (
          id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
          email text UNIQUE,
          created_at timestamptz NOT NULL DEFAULT now()
        );
        """#),
    Table(
      name: "public.parks",
      script: #"""
        CREATE TABLE public.parks (
          id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
          name text NOT NULL UNIQUE,
          code text NOT NULL UNIQUE CHECK (length(code) <= 10),
          is_active boolean NOT NULL DEFAULT true,
          created_at timestamptz NOT NULL DEFAULT now(),
          updated_at timestamptz NOT NULL DEFAULT now()
        );
        """#),
    Table(
      name: "public.highway_segments",
      script: #"""
        CREATE TABLE public.highway_segments (
          id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
          park_id uuid NOT NULL REFERENCES public.parks ON DELETE CASCADE,
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
        """#),
    Table(
      name: "public.checkposts",
      script: #"""
        CREATE TABLE public.checkposts (
          id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
          segment_id uuid NOT NULL REFERENCES public.highway_segments ON DELETE CASCADE,
          name text NOT NULL,
          code text NOT NULL UNIQUE,
          position_index smallint NOT NULL CHECK (position_index IN (0, 1)),
          latitude numeric(9,6),
          longitude numeric(9,6),
          is_active boolean NOT NULL DEFAULT true,
          created_at timestamptz NOT NULL DEFAULT now(),
          CONSTRAINT uq_checkposts_segment_position UNIQUE (segment_id, position_index)
        );
        """#),
    Table(
      name: "public.user_profiles",
      script: #"""
        CREATE TABLE public.user_profiles (
          id uuid PRIMARY KEY REFERENCES auth.users ON DELETE CASCADE,
          full_name text NOT NULL,
          role text NOT NULL CHECK (role IN ('ranger', 'admin')),
          phone_number text,
          assigned_checkpost_id uuid REFERENCES public.checkposts ON DELETE SET NULL,
          assigned_park_id uuid REFERENCES public.parks ON DELETE SET NULL,
          is_active boolean NOT NULL DEFAULT true,
          created_at timestamptz NOT NULL DEFAULT now(),
          updated_at timestamptz NOT NULL DEFAULT now()
        );
        """#),
    Table(
      name: "public.vehicle_passages",
      script: #"""
        CREATE TABLE public.vehicle_passages (
          id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
          client_id uuid NOT NULL CONSTRAINT vehicle_passages_client_id_key UNIQUE,
          plate_number text NOT NULL,
          plate_number_raw text,
          vehicle_type text NOT NULL CHECK (vehicle_type IN ('car', 'jeep', 'pickup', 'van', 'minibus', 'bus',
            'truck', 'tanker', 'motorcycle', 'other')),
          checkpost_id uuid NOT NULL REFERENCES public.checkposts ON DELETE RESTRICT,
          segment_id uuid NOT NULL REFERENCES public.highway_segments ON DELETE RESTRICT,
          recorded_at timestamptz NOT NULL,
          server_received_at timestamptz NOT NULL DEFAULT now(),
          ranger_id uuid NOT NULL REFERENCES public.user_profiles ON DELETE RESTRICT,
          photo_path text,
          source text NOT NULL DEFAULT 'app' CHECK (source IN ('app', 'sms')),
          matched_passage_id uuid REFERENCES public.vehicle_passages ON DELETE SET NULL,
          is_entry boolean,
          created_at timestamptz NOT NULL DEFAULT now()
        ) WITH (fillfactor = 90);
        CREATE INDEX ON public.vehicle_passages (plate_number, segment_id, recorded_at DESC);
        CREATE INDEX ON public.vehicle_passages (checkpost_id, recorded_at DESC);
        CREATE INDEX ON public.vehicle_passages (matched_passage_id) WHERE matched_passage_id IS NOT NULL;
        """#),
    Table(
      name: "public.violations",
      script: #"""
        CREATE TABLE public.violations (
          id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
          entry_passage_id uuid NOT NULL UNIQUE REFERENCES public.vehicle_passages,
          exit_passage_id uuid NOT NULL REFERENCES public.vehicle_passages,
          segment_id uuid NOT NULL REFERENCES public.highway_segments,
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
        CREATE INDEX ON public.violations (exit_passage_id);
        """#),
    Table(
      name: "public.violation_outcomes",
      script: #"""
        CREATE TABLE public.violation_outcomes (
          id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
          violation_id uuid NOT NULL UNIQUE REFERENCES public.violations ON DELETE CASCADE,
          outcome_type text NOT NULL CHECK (outcome_type IN ('warned', 'fined', 'let_go', 'not_found', 'other')),
          fine_amount numeric(10,2),
          notes text,
          recorded_by uuid NOT NULL REFERENCES public.user_profiles,
          recorded_at timestamptz NOT NULL DEFAULT now()
        );
        """#),
    Table(
      name: "public.proactive_overstay_alerts",
      script: #"""
        CREATE TABLE public.proactive_overstay_alerts (
          id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
          entry_passage_id uuid NOT NULL REFERENCES public.vehicle_passages ON DELETE CASCADE,
          segment_id uuid NOT NULL REFERENCES public.highway_segments,
          plate_number text NOT NULL,
          vehicle_type text NOT NULL,
          entry_time timestamptz NOT NULL,
          expected_exit_by timestamptz NOT NULL,
          resolved boolean NOT NULL DEFAULT false,
          resolved_at timestamptz,
          resolved_by_passage_id uuid REFERENCES public.vehicle_passages ON DELETE SET NULL,
          created_at timestamptz NOT NULL DEFAULT now(),
          CONSTRAINT uq_overstay_alerts_entry_passage_id UNIQUE (entry_passage_id)
        );
        CREATE INDEX ON public.proactive_overstay_alerts (resolved_by_passage_id)
          WHERE resolved_by_passage_id IS NOT NULL;
        """#),
    Table(
      name: "public.sync_metadata",
      script: #"""
        CREATE TABLE public.sync_metadata (
          id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
          user_id uuid NOT NULL REFERENCES public.user_profiles,
          device_id text NOT NULL,
          last_sync_at timestamptz,
          last_pull_at timestamptz,
          pending_count integer NOT NULL DEFAULT 0,
          created_at timestamptz NOT NULL DEFAULT now(),
          updated_at timestamptz NOT NULL DEFAULT now(),
          CONSTRAINT uq_sync_metadata_user_device UNIQUE (user_id, device_id)
        );
        """#),
  ]
}
