extension JudgingSchema {
  /// What the directory says of a post.
  static let places = #"""
    -- Functions that are asked often are PL/pgSQL, which plans what they ask once.

    -- Segments that have both posts and whose numbers make sense, in metres and metres an hour.
    CREATE OR REPLACE VIEW segments AS
      SELECT h.id, h.name, h.distance, h.fastest, h.slowest,
        array_agg(c.code::text ORDER BY c.position_index) AS posts
      FROM known_segments h JOIN public.checkposts c ON c.segment_id = h.id
      GROUP BY h.id, h.name, h.distance, h.fastest, h.slowest
      HAVING count(*) = 2 AND h.fastest > h.slowest AND h.distance >= 1;

    -- Where the passages of a post are judged.
    CREATE OR REPLACE FUNCTION place_of(code text) RETURNS place LANGUAGE plpgsql STABLE AS $$
    DECLARE
      found_place place;
    BEGIN
      SELECT
        s.id, s.name, coalesce(s.posts, ARRAY[code]), s.distance, s.fastest, s.slowest,
        -- Less than a vehicle needs to the other end and back.
        least(r.ranger_window, (s.distance * 3600 - 1) / s.fastest + 1),
        greatest(
          coalesce((SELECT seconds FROM pairing_windows w WHERE w.segment = s.name), r.pairing_window),
          l.longest),
        l.longest
      INTO found_place
      FROM settings r
      LEFT JOIN segments s
        ON s.id = (SELECT c.segment_id FROM public.checkposts c WHERE c.code = $1)
      -- What lies further apart is one travel only where nothing was seen in between.
      CROSS JOIN LATERAL (SELECT greatest(18000, 2 * (s.distance * 3600 / s.slowest)) AS longest) AS l;
      RETURN found_place;
    END $$;

    -- The identifier of what has none of its own: from the SHA-256 of what it is and what it is called, with the
    -- version 8 and the variant of RFC 9562.
    CREATE OR REPLACE FUNCTION derived_id(kind text, name text) RETURNS uuid LANGUAGE plpgsql IMMUTABLE AS $$
    DECLARE
      h CONSTANT bytea := substr(sha256(convert_to('checkpost:' || kind || ':' || name, 'UTF8')), 1, 16);
    BEGIN
      RETURN encode(
        set_byte(set_byte(h, 6, get_byte(h, 6) & 15 | 128), 8, get_byte(h, 8) & 63 | 128), 'hex')::uuid;
    END $$;

    -- The post that a code names.
    CREATE OR REPLACE FUNCTION post_id(code text) RETURNS uuid LANGUAGE plpgsql STABLE AS $$
    BEGIN
      RETURN coalesce(
        (SELECT c.id FROM public.checkposts c WHERE c.code = $1),
        (SELECT a.post_id FROM post_aliases a WHERE a.code = $1));
    END $$;

    -- The code of a post today; of one that nobody knows, what it was called.
    CREATE OR REPLACE FUNCTION post_code(id uuid, called text) RETURNS text
    LANGUAGE plpgsql STABLE AS $$
    BEGIN
      RETURN coalesce(
        (SELECT c.code FROM public.checkposts c WHERE c.id = coalesce($1, post_id(called))), called);
    END $$;
    """#
}
