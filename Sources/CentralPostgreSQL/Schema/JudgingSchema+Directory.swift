extension JudgingSchema {
  /// What the deployed tables have no column for.
  static let directory = #"""
    -- The number of a post's modem.
    CREATE TABLE post_phones (
      post_id uuid PRIMARY KEY REFERENCES public.checkposts ON DELETE CASCADE,
      phone text COLLATE "C" NOT NULL
    );

    -- Further numbers that may speak for a post, with their dates.
    CREATE TABLE numbers (
      phone text COLLATE "C" NOT NULL,
      post_id uuid NOT NULL REFERENCES public.checkposts ON DELETE CASCADE,
      valid_from timestamptz,
      valid_until timestamptz,
      PRIMARY KEY (phone, post_id)
    );
    CREATE INDEX numbers_post ON numbers (post_id);

    -- Segments of which the deployed columns round a number, in metres and metres an hour.
    CREATE TABLE exact_segments (
      segment_id uuid PRIMARY KEY REFERENCES public.highway_segments ON DELETE CASCADE,
      distance bigint NOT NULL,
      slowest bigint NOT NULL,
      fastest bigint NOT NULL
    );

    -- Segments that are none: a post that stands nowhere has a row of the deployed table all the same, so that
    -- profiles and passages can name it, and every such row needs a segment. Each takes one post.
    CREATE TABLE loose_segments (
      segment_id uuid PRIMARY KEY REFERENCES public.highway_segments ON DELETE CASCADE
    );
    """#

  /// What is told of a segment.
  static let knownSegments = #"""
    -- A number that somebody changed in the deployed table counts as it stands there.
    CREATE OR REPLACE VIEW known_segments AS
      SELECT h.id, h.name, h.is_active, h.created_at,
        -- What is no number is none that anybody could be judged by.
        CASE WHEN h.distance_km = 'NaN' THEN 0 WHEN round(e.distance / 1000.0, 2) = h.distance_km THEN e.distance
          ELSE round(h.distance_km * 1000)::bigint END AS distance,
        CASE WHEN h.max_speed_kmh = 'NaN' THEN 0 WHEN round(e.fastest / 1000.0, 2) = h.max_speed_kmh THEN e.fastest
          ELSE round(h.max_speed_kmh * 1000)::bigint END AS fastest,
        CASE WHEN h.min_speed_kmh = 'NaN' THEN 0 WHEN round(e.slowest / 1000.0, 2) = h.min_speed_kmh THEN e.slowest
          ELSE round(h.min_speed_kmh * 1000)::bigint END AS slowest
      FROM public.highway_segments h LEFT JOIN exact_segments e ON e.segment_id = h.id
      WHERE NOT EXISTS (SELECT FROM loose_segments l WHERE l.segment_id = h.id);
    """#

  /// How it is written. Whoever calls is in one of the transactions that come one after the other.
  static let putting = #"""
    -- The park to which a new segment belongs.
    CREATE OR REPLACE FUNCTION own_park() RETURNS uuid LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = checkpost, pg_temp AS $$
    DECLARE
      own uuid;
    BEGIN
      SELECT id INTO own FROM public.parks ORDER BY is_active DESC, created_at, id LIMIT 1;
      IF own IS NULL THEN
        own := derived_id('park', 'Park');
        INSERT INTO public.parks (id, name, code) VALUES (own, 'Park', 'PARK');
      END IF;
      RETURN own;
    END $$;

    -- A segment that is none, and at which no post stands.
    CREATE OR REPLACE FUNCTION loose_segment() RETURNS uuid LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = checkpost, pg_temp AS $$
    DECLARE
      free uuid;
    BEGIN
      SELECT l.segment_id INTO free FROM loose_segments l
        WHERE NOT EXISTS (SELECT FROM public.checkposts c WHERE c.segment_id = l.segment_id)
        ORDER BY l.segment_id LIMIT 1;
      IF free IS NULL THEN
        -- Nothing is ever overdue on it.
        INSERT INTO public.highway_segments (park_id, name, distance_km, max_speed_kmh, min_speed_kmh, is_active)
          SELECT own_park(), 'no segment ' || count(*) + 1, 9999, 2, 1, false FROM loose_segments
          RETURNING id INTO free;
        INSERT INTO loose_segments VALUES (free);
      END IF;
      RETURN free;
    END $$;

    CREATE OR REPLACE FUNCTION put_segment(called text, metres bigint, slow bigint, fast bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp AS $$
    DECLARE
      own uuid;
      is_rounded boolean;
      kilometres CONSTANT numeric(6,2) := metres / 1000.0;
      slowest_kmh CONSTANT numeric(5,2) := slow / 1000.0;
      fastest_kmh CONSTANT numeric(5,2) := fast / 1000.0;
    BEGIN
      SELECT id INTO own FROM known_segments WHERE name = called ORDER BY is_active DESC, created_at, id LIMIT 1;
      IF own IS NULL THEN
        own := derived_id('segment', called);
        IF EXISTS (SELECT FROM public.highway_segments WHERE id = own) THEN own := gen_random_uuid(); END IF;
        INSERT INTO public.highway_segments (id, park_id, name, distance_km, max_speed_kmh, min_speed_kmh)
          VALUES (own, own_park(), called, kilometres, fastest_kmh, slowest_kmh);
      ELSE
        UPDATE public.highway_segments SET distance_km = kilometres, max_speed_kmh = fastest_kmh,
            min_speed_kmh = slowest_kmh, updated_at = now()
          WHERE id = own AND (distance_km, max_speed_kmh, min_speed_kmh) <> (kilometres, fastest_kmh, slowest_kmh);
      END IF;
      is_rounded := (kilometres, slowest_kmh, fastest_kmh) <> (metres / 1000.0, slow / 1000.0, fast / 1000.0);
      IF is_rounded THEN
        INSERT INTO exact_segments AS e (segment_id, distance, slowest, fastest) VALUES (own, metres, slow, fast)
          ON CONFLICT (segment_id) DO UPDATE SET distance = metres, slowest = slow, fastest = fast
          WHERE (e.distance, e.slowest, e.fastest) <> (metres, slow, fast);
      ELSE
        DELETE FROM exact_segments WHERE segment_id = own;
      END IF;
    END $$;

    -- What held of a segment before, in the place of what is there.
    CREATE OR REPLACE FUNCTION put_earlier(
      called text, untils bigint[], distances bigint[], slowests bigint[], fastests bigint[]
    ) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp AS $$
    DECLARE
      own uuid;
    BEGIN
      SELECT id INTO own FROM known_segments WHERE name = called ORDER BY is_active DESC, created_at, id LIMIT 1;
      IF (SELECT array_agg(ARRAY[e.until, e.distance, e.slowest, e.fastest] ORDER BY e.until) FROM earlier_limits e
          WHERE e.segment_id = own)
        IS NOT DISTINCT FROM (SELECT array_agg(ARRAY[u.until, u.distance, u.slowest, u.fastest] ORDER BY u.until)
          FROM unnest(untils, distances, slowests, fastests) AS u(until, distance, slowest, fastest))
      THEN RETURN; END IF;
      PERFORM lock_all();
      DELETE FROM earlier_limits e WHERE e.segment_id = own;
      INSERT INTO earlier_limits (segment_id, until, distance, slowest, fastest)
        SELECT own, u.* FROM unnest(untils, distances, slowests, fastests) AS u;
      PERFORM judge_posts(
        posts_with(ARRAY(SELECT e.code FROM segment_ends e WHERE e.segment_id = own)), 'directory');
    END $$;

    -- A number that is not rounded any more, or otherwise, is judged by.
    CREATE OR REPLACE FUNCTION exact_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = checkpost, pg_temp AS $$
    DECLARE
      codes CONSTANT text[] := ARRAY(
        SELECT e.code FROM segment_ends e WHERE e.segment_id = coalesce(NEW.segment_id, OLD.segment_id));
    BEGIN
      IF cardinality(codes) > 0 THEN
        PERFORM lock_all();
        PERFORM judge_posts(posts_with(codes), 'directory');
      END IF;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER exact_1_judge AFTER INSERT OR UPDATE OR DELETE ON exact_segments
      FOR EACH ROW EXECUTE FUNCTION exact_changed();

    -- A post stands at a further end, or does not any more.
    CREATE OR REPLACE FUNCTION end_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = checkpost, pg_temp AS $$
    DECLARE
      codes text[] := '{}';
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        codes := codes || ARRAY(SELECT e.code FROM segment_ends e WHERE e.segment_id = OLD.segment_id)
          || ARRAY(SELECT c.code::text FROM public.checkposts c WHERE c.id = OLD.post_id);
      END IF;
      IF TG_OP <> 'DELETE' THEN
        codes := codes || ARRAY(SELECT e.code FROM segment_ends e WHERE e.segment_id = NEW.segment_id);
      END IF;
      PERFORM lock_all();
      PERFORM judge_posts(posts_with(codes), 'directory');
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER end_1_judge AFTER INSERT OR UPDATE OR DELETE ON further_ends
      FOR EACH ROW EXECUTE FUNCTION end_changed();

    -- A post stands nowhere for the time being, so that another one can stand there.
    CREATE OR REPLACE FUNCTION leave_place(called text) RETURNS void LANGUAGE sql SECURITY DEFINER
    SET search_path = checkpost, pg_temp AS $$
      DELETE FROM further_ends f USING public.checkposts c WHERE c.id = f.post_id AND c.code = called;
      UPDATE public.checkposts SET segment_id = loose_segment(), position_index = 0 WHERE code = called
    $$;

    -- Puts a post in, or changes it: its places, of which the deployed row has room for the first, and the number of
    -- its modem as far as they are known.
    CREATE OR REPLACE FUNCTION put_post(
      called text, full_name text, knows_place boolean, segment_names text[], at_ends bigint[], knows_phone boolean,
      number text
    ) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp AS $$
    DECLARE
      own public.checkposts;
      target uuid;
      further uuid;
      segment_name CONSTANT text := segment_names[1];
      at_end smallint := at_ends[1];
      kept uuid[] := '{}';
    BEGIN
      SELECT * INTO own FROM public.checkposts WHERE code = called;
      IF knows_place AND segment_name IS NOT NULL THEN
        SELECT id INTO target FROM known_segments WHERE name = segment_name
          ORDER BY id IS NOT DISTINCT FROM own.segment_id DESC, is_active DESC, created_at, id LIMIT 1;
        IF target IS NULL THEN
          RAISE EXCEPTION 'there is no such segment' USING ERRCODE = 'foreign_key_violation';
        END IF;
      ELSIF own.id IS NOT NULL
        AND (NOT knows_place OR EXISTS (SELECT FROM loose_segments WHERE segment_id = own.segment_id))
      THEN
        target := own.segment_id;
        at_end := own.position_index;
      ELSE
        target := loose_segment();
        at_end := 0;
      END IF;
      IF own.id IS NULL THEN
        own.id := derived_id('post', called);
        IF EXISTS (SELECT FROM public.checkposts WHERE id = own.id) THEN own.id := gen_random_uuid(); END IF;
        INSERT INTO public.checkposts (id, segment_id, name, code, position_index)
          VALUES (own.id, target, full_name, called, at_end);
      ELSIF (own.name, own.segment_id, own.position_index) <> (full_name, target, at_end) THEN
        UPDATE public.checkposts SET name = full_name, segment_id = target, position_index = at_end
          WHERE id = own.id;
      END IF;
      IF knows_place THEN
        FOR i IN 2..cardinality(segment_names) LOOP
          SELECT id INTO further FROM known_segments WHERE name = segment_names[i]
            ORDER BY is_active DESC, created_at, id LIMIT 1;
          IF further IS NULL THEN
            RAISE EXCEPTION 'there is no such segment' USING ERRCODE = 'foreign_key_violation';
          END IF;
          IF EXISTS (SELECT FROM segment_ends e WHERE e.segment_id = further AND e.position_index = at_ends[i]
            AND e.post_id <> own.id)
          THEN
            RAISE EXCEPTION 'another post stands at that end' USING ERRCODE = 'unique_violation';
          END IF;
          kept := kept || further;
          DELETE FROM further_ends f
            WHERE f.post_id = own.id AND f.segment_id = further AND f.position_index <> at_ends[i];
          INSERT INTO further_ends (segment_id, position_index, post_id) VALUES (further, at_ends[i], own.id)
            ON CONFLICT DO NOTHING;
        END LOOP;
        DELETE FROM further_ends f WHERE f.post_id = own.id AND f.segment_id <> ALL (kept);
      END IF;
      IF NOT knows_phone THEN RETURN; END IF;
      IF number IS NULL THEN
        DELETE FROM post_phones WHERE post_id = own.id;
      ELSE
        INSERT INTO post_phones (post_id, phone) VALUES (own.id, number)
          ON CONFLICT (post_id) DO UPDATE SET phone = number;
      END IF;
    END $$;

    -- Puts a ranger in, or changes the profile that has the number. One that is made can be signed in with once
    -- somebody gives it a password. Returns the profile.
    CREATE OR REPLACE FUNCTION put_ranger(
      profile uuid, called text, number text, digits text, post_name text, since timestamptz
    ) RETURNS uuid LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp AS $$
    DECLARE
      post CONSTANT uuid := (SELECT c.id FROM public.checkposts c WHERE c.code = post_name);
    BEGIN
      IF post IS NULL THEN
        RAISE EXCEPTION 'there is no such post' USING ERRCODE = 'foreign_key_violation';
      END IF;
      IF profile IS NULL THEN
        profile := derived_id('profile', digits);
        IF EXISTS (SELECT FROM public.user_profiles WHERE id = profile) THEN profile := gen_random_uuid(); END IF;
        IF to_regclass('auth.users') IS NOT NULL THEN
          INSERT INTO auth.users (id) VALUES (profile) ON CONFLICT DO NOTHING;
        END IF;
        INSERT INTO public.user_profiles (id, full_name, role, phone_number, assigned_checkpost_id)
          VALUES (profile, called, 'ranger', number, post)
          -- Where a trigger of the users makes profiles, there is one by now.
          ON CONFLICT (id) DO UPDATE SET full_name = excluded.full_name, phone_number = excluded.phone_number,
            assigned_checkpost_id = excluded.assigned_checkpost_id;
      ELSE
        IF NOT (SELECT is_active FROM public.user_profiles WHERE id = profile) THEN
          RAISE EXCEPTION 'the profile with that number is not active' USING ERRCODE = 'check_violation';
        END IF;
        UPDATE public.user_profiles SET full_name = called, assigned_checkpost_id = post, updated_at = now()
          WHERE id = profile
            AND (full_name, assigned_checkpost_id) IS DISTINCT FROM (called, post);
      END IF;
      IF since IS NOT NULL THEN
        PERFORM assign_ranger(profile, post, suffix_of(number), since);
        -- Also of whom somebody else was thought to have written down.
        PERFORM project(ARRAY(
          SELECT p.row_number FROM passages p
          JOIN public.checkposts c ON c.code = p.post COLLATE "default"
          JOIN ranger_assignments a ON a.post_id = c.id AND a.suffix = p.suffix
          WHERE a.ranger = profile AND p.rangers = '{}'), clock_timestamp());
      END IF;
      RETURN profile;
    END $$;

    CREATE OR REPLACE FUNCTION put_number(number text, post_name text, since timestamptz, until timestamptz)
    RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp AS $$
    DECLARE
      post CONSTANT uuid := (SELECT c.id FROM public.checkposts c WHERE c.code = post_name);
    BEGIN
      IF post IS NULL THEN
        RAISE EXCEPTION 'there is no such post' USING ERRCODE = 'foreign_key_violation';
      END IF;
      INSERT INTO numbers (phone, post_id, valid_from, valid_until) VALUES (number, post, since, until)
        ON CONFLICT (phone, post_id) DO UPDATE SET valid_from = since, valid_until = until;
    END $$;
    """#
}
