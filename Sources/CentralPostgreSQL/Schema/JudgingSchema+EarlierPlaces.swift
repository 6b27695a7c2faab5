/// Where posts stood before.
extension JudgingSchema {
  /// What version 12 has beside the ones before, in the order in which it is run.
  static let version12 = [earlierPlaces]

  private static let earlierPlaces = #"""
    -- The ends of segments at which a post stood up to the second `until`: a row each, or one without a segment where it
    -- stood at none. Where it stands from the last of them on stands in the deployed table and in `further_ends`.
    CREATE TABLE earlier_places (
      post_id uuid NOT NULL REFERENCES public.checkposts ON DELETE CASCADE,
      until bigint NOT NULL,
      segment_id uuid REFERENCES public.highway_segments ON DELETE CASCADE,
      position_index smallint CHECK (position_index IN (0, 1)),
      CHECK ((segment_id IS NULL) = (position_index IS NULL))
    );
    CREATE UNIQUE INDEX earlier_places_post
      ON earlier_places (post_id, until, coalesce(segment_id, '00000000-0000-0000-0000-000000000000'));
    CREATE INDEX earlier_places_segment ON earlier_places (segment_id);

    -- The ends of segments at all times: who stood there from which second until which.
    CREATE VIEW held_ends AS
      SELECT e.segment_id, e.position_index, e.post_id, e.code,
        coalesce((SELECT max(o.until) FROM earlier_places o WHERE o.post_id = e.post_id),
          (-9223372036854775808)::bigint) AS since, 9223372036854775807 AS until
      FROM segment_ends e
      UNION ALL SELECT p.segment_id, p.position_index, p.post_id, c.code::text,
        coalesce((SELECT max(o.until) FROM earlier_places o WHERE o.post_id = p.post_id AND o.until < p.until),
          (-9223372036854775808)::bigint), p.until
      FROM earlier_places p JOIN public.checkposts c ON c.id = p.post_id WHERE p.segment_id IS NOT NULL;

    -- A segment is several times in a place, once for each two posts that stood at its ends: `lanes` are the same for
    -- these, and the others say from which second until which each of the two stood there. Where any of it `is_moved`,
    -- `changes` are the seconds from which on others hung together, and `post_roads` and `lane_roads` what did, before
    -- the first of them and from each on: posts and lanes of one number.
    DROP TABLE known_places;
    ALTER TYPE place ADD ATTRIBUTE lanes integer[], ADD ATTRIBUTE is_moved boolean,
      ADD ATTRIBUTE first_since bigint[], ADD ATTRIBUTE first_until bigint[],
      ADD ATTRIBUTE second_since bigint[], ADD ATTRIBUTE second_until bigint[],
      ADD ATTRIBUTE changes bigint[], ADD ATTRIBUTE post_roads integer[], ADD ATTRIBUTE lane_roads integer[];
    CREATE TABLE known_places (post text COLLATE "C" PRIMARY KEY, it place NOT NULL);
    DROP FUNCTION IF EXISTS stretch(place, text, text);
    """#

  /// Who stood where, and what hung together then.
  static let stays = #"""
    -- Segments that have or had posts at both ends and whose numbers make sense, once for each two posts that stood there.
    CREATE OR REPLACE FUNCTION stretches_of(ids uuid[]) RETURNS TABLE (
      id uuid, name text, distance bigint, fastest bigint, slowest bigint, first text, second text,
      first_since bigint, first_until bigint, second_since bigint, second_until bigint
    ) LANGUAGE sql STABLE AS $$
      WITH ends AS (
        SELECT e.*, lag(e.until) OVER whole IS DISTINCT FROM e.since AS is_new
        FROM held_ends e WHERE e.segment_id = ANY (ids)
        WINDOW whole AS (PARTITION BY e.segment_id, e.position_index, e.post_id ORDER BY e.since)),
      runs AS (
        SELECT e.*, count(*) FILTER (WHERE e.is_new)
          OVER (PARTITION BY e.segment_id, e.position_index, e.post_id ORDER BY e.since) AS run
        FROM ends e),
      stays AS MATERIALIZED (
        SELECT r.segment_id, r.position_index, r.code, min(r.since) AS since, max(r.until) AS until
        FROM runs r GROUP BY r.segment_id, r.position_index, r.post_id, r.code, r.run)
      SELECT h.id, h.name::text, h.distance, h.fastest, h.slowest, a.code, b.code, a.since, a.until, b.since, b.until
      FROM known_segments h JOIN stays a ON a.segment_id = h.id
        JOIN stays b ON b.segment_id = h.id AND b.position_index > a.position_index AND b.code <> a.code
      WHERE h.id = ANY (ids) AND h.fastest > h.slowest AND h.slowest >= 1 AND h.distance >= 1
    $$;

    -- Says of a place whether any of it was elsewhere before, and what hung together then.
    CREATE OR REPLACE FUNCTION with_roads(it place) RETURNS place LANGUAGE plpgsql STABLE AS $$
    DECLARE
      posts_count CONSTANT integer := cardinality(it.posts);
      lanes_count CONSTANT integer := coalesce((SELECT max(l) FROM unnest(it.lanes) AS l), 0);
      at bigint;
      roads integer[];
      lane_roads integer[];
      post integer;
      road integer;
      is_other boolean;
    BEGIN
      it.changes := ARRAY(
        SELECT DISTINCT b.second FROM unnest(it.first_since || it.first_until || it.second_since || it.second_until)
          AS b(second)
        WHERE b.second NOT IN ((-9223372036854775808)::bigint, 9223372036854775807) ORDER BY 1);
      it.is_moved := cardinality(it.changes) > 0;
      it.post_roads := '{}';
      it.lane_roads := '{}';
      IF NOT it.is_moved THEN RETURN it; END IF;
      FOR e IN 0..cardinality(it.changes) LOOP
        at := CASE e WHEN 0 THEN (-9223372036854775808)::bigint ELSE it.changes[e] END;
        roads := array_fill(0, ARRAY[posts_count]);
        lane_roads := ARRAY(SELECT generate_series(1, lanes_count));
        -- Those that a post joins have one number, the lowest.
        LOOP
          is_other := false;
          FOR s IN 1..cardinality(it.names) LOOP
            FOR side IN 1..2 LOOP
              IF side = 1 THEN
                CONTINUE WHEN at < it.first_since[s] OR at >= it.first_until[s];
                post := array_position(it.posts, it.firsts[s]);
              ELSE
                CONTINUE WHEN at < it.second_since[s] OR at >= it.second_until[s];
                post := array_position(it.posts, it.seconds[s]);
              END IF;
              road := least(lane_roads[it.lanes[s]], nullif(roads[post], 0));
              IF roads[post] <> road OR lane_roads[it.lanes[s]] <> road THEN
                roads[post] := road;
                lane_roads[it.lanes[s]] := road;
                is_other := true;
              END IF;
            END LOOP;
          END LOOP;
          EXIT WHEN NOT is_other;
        END LOOP;
        it.post_roads := it.post_roads || roads;
        it.lane_roads := it.lane_roads || lane_roads;
      END LOOP;
      RETURN it;
    END $$;

    -- Whether a post stood at an end of a segment of a place at a second.
    CREATE OR REPLACE FUNCTION stands(it place, s integer, post text, second bigint) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE AS $$
    BEGIN
      RETURN it.firsts[s] = post AND second >= it.first_since[s] AND second < it.first_until[s]
        OR it.seconds[s] = post AND second >= it.second_since[s] AND second < it.second_until[s];
    END $$;

    -- Whether a post hung together with a segment of a place at a second.
    CREATE OR REPLACE FUNCTION is_joined(it place, s integer, post text, second bigint) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE
      e integer := 0;
    BEGIN
      WHILE e < cardinality(it.changes) AND it.changes[e + 1] <= second LOOP e := e + 1; END LOOP;
      RETURN it.post_roads[e * cardinality(it.posts) + array_position(it.posts, post)]
        = it.lane_roads[e * (cardinality(it.lane_roads) / (cardinality(it.changes) + 1)) + it.lanes[s]];
    END $$;

    -- The posts that hung together with a segment at some time of these seconds.
    CREATE OR REPLACE FUNCTION posts_during(it place, called text, low bigint, high bigint) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE
      s CONSTANT integer := array_position(it.names, called);
    BEGIN
      IF NOT it.is_moved THEN RETURN it.posts; END IF;
      RETURN ARRAY(
        SELECT p.post FROM unnest(it.posts) AS p(post)
        WHERE EXISTS (SELECT FROM unnest(low || it.changes) AS c(second)
          WHERE c.second BETWEEN low AND high AND is_joined(it, s, p.post, c.second)));
    END $$;

    -- The next passage in a layer that says something of one of these segments: its place there, 0 where there is none.
    CREATE OR REPLACE FUNCTION next_on(
      it place, ways integer[], at text[], earliest bigint[], layer integer[], i integer
    ) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE
      s integer;
    BEGIN
      FOR j IN i + 1..cardinality(layer) LOOP
        FOREACH s IN ARRAY ways LOOP
          IF is_joined(it, s, at[layer[j]], earliest[layer[j]]) THEN RETURN j; END IF;
        END LOOP;
      END LOOP;
      RETURN 0;
    END $$;

    -- The segment over which a passage in a layer is followed by the next one of its road, by what hung together when
    -- each was recorded; of several roads the nearest. 0 where none is.
    CREATE OR REPLACE FUNCTION way_from(
      it place, at text[], earliest bigint[], layer integer[], i integer, OUT s integer, OUT next integer
    ) LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE
      a CONSTANT integer := layer[i];
      j integer;
    BEGIN
      s := 0;
      next := 0;
      FOR t IN 1..cardinality(it.names) LOOP
        CONTINUE WHEN NOT stands(it, t, at[a], earliest[a]);
        j := next_on(it, ARRAY[t], at, earliest, layer, i);
        CONTINUE WHEN j = 0 OR next > 0 AND j >= next;
        CONTINUE WHEN at[layer[j]] = at[a] OR NOT stands(it, t, at[layer[j]], earliest[layer[j]]);
        s := t;
        next := j;
      END LOOP;
    END $$;

    -- The segment under which a passage of a post is told: the first by name of those that it ended at a second. Where it
    -- stood at none then, that of now.
    CREATE OR REPLACE FUNCTION segment_at(post uuid, now uuid, second bigint) RETURNS uuid
    LANGUAGE plpgsql STABLE AS $$
    BEGIN
      IF NOT EXISTS (SELECT FROM checkpost.earlier_places) THEN RETURN now; END IF;
      RETURN coalesce((SELECT e.segment_id FROM checkpost.earlier_places e
          JOIN checkpost.known_segments k ON k.id = e.segment_id
        WHERE e.post_id = post AND e.until = (
          SELECT min(o.until) FROM checkpost.earlier_places o WHERE o.post_id = post AND o.until > second)
        ORDER BY k.name COLLATE "C", k.id LIMIT 1), now);
    END $$;

    -- The segment between two posts, each at a second at which it stood there.
    CREATE OR REPLACE FUNCTION segment_held(one text, first bigint, other text, second bigint) RETURNS uuid
    LANGUAGE plpgsql STABLE AS $$
    BEGIN
      RETURN (SELECT k.id FROM held_ends a JOIN held_ends b ON b.segment_id = a.segment_id
          JOIN known_segments k ON k.id = a.segment_id
        WHERE a.code = one AND b.code = other AND one <> other AND first >= a.since AND first < a.until
          AND second >= b.since AND second < b.until
        ORDER BY k.name COLLATE "C", k.id LIMIT 1);
    END $$;
    """#

  /// How it is written.
  static let puttingPlaces = #"""
    -- Where a post stood before, in the place of what is there: of each end its name, its index and the second from
    -- which the post stood there no more. One without a name says that it stood at none.
    CREATE OR REPLACE FUNCTION put_earlier_places(
      called text, untils bigint[], segment_names text[], at_ends bigint[]
    ) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp AS $$
    DECLARE
      own CONSTANT uuid := (SELECT c.id FROM public.checkposts c WHERE c.code = called);
      posts text[];
      made text[];
      known text[];
    BEGIN
      made := ARRAY(
        SELECT concat_ws(' ', u.until, (SELECT k.id FROM known_segments k WHERE k.name = u.name
          ORDER BY k.is_active DESC, k.created_at, k.id LIMIT 1), u.at_end)
        FROM unnest(untils, segment_names, at_ends) AS u(until, name, at_end) ORDER BY 1);
      known := ARRAY(SELECT concat_ws(' ', e.until, e.segment_id, e.position_index) FROM earlier_places e
        WHERE e.post_id = own ORDER BY 1);
      IF made = known THEN RETURN; END IF;
      PERFORM lock_all();
      posts := posts_with(ARRAY[called]);
      DELETE FROM earlier_places e WHERE e.post_id = own;
      INSERT INTO earlier_places (post_id, until, segment_id, position_index)
        SELECT own, u.until, (SELECT k.id FROM known_segments k WHERE k.name = u.name
            ORDER BY k.is_active DESC, k.created_at, k.id LIMIT 1), u.at_end::smallint
        FROM unnest(untils, segment_names, at_ends) AS u(until, name, at_end);
      PERFORM judge_posts(ARRAY(SELECT DISTINCT unnest(posts || posts_with(ARRAY[called]))), 'directory');
    END $$;
    """#
}
