/// Posts that end several segments, and passages that were withdrawn.
extension JudgingSchema {
  /// What version 5 has beside version 4, in the order in which it is run.
  static let version5 = [furtherEnds, withdrawals]

  /// The deployed tables have room for one segment of a post; the others stand beside them.
  static let furtherEnds = #"""
    -- The ends of segments at which a post stands beside the one of its own row.
    CREATE TABLE further_ends (
      segment_id uuid NOT NULL REFERENCES public.highway_segments ON DELETE CASCADE,
      position_index smallint NOT NULL CHECK (position_index IN (0, 1)),
      post_id uuid NOT NULL REFERENCES public.checkposts ON DELETE CASCADE,
      PRIMARY KEY (segment_id, position_index)
    );
    CREATE INDEX further_ends_post ON further_ends (post_id);

    CREATE VIEW segment_ends AS
      SELECT c.segment_id, c.position_index::smallint AS position_index, c.id AS post_id, c.code::text AS code
        FROM public.checkposts c
      UNION ALL SELECT f.segment_id, f.position_index, f.post_id, c.code::text
        FROM further_ends f JOIN public.checkposts c ON c.id = f.post_id;

    -- What functions hand each other: where passages are judged together. Each segment has its place in the arrays
    -- `names` to `longests`; `posts` are those at all of their ends.
    DROP TYPE judgement;
    DROP TYPE place;
    CREATE TYPE place AS (
      names text[], firsts text[], seconds text[],
      distances bigint[], fastests bigint[], slowests bigint[], windows bigint[], longests bigint[],
      posts text[], ranger_window bigint, pairing_window bigint
    );
    CREATE TYPE judgement AS (
      numbers bigint[], rows bigint[],
      entries bigint[], exits bigint[], pair_places integer[],
      waiting bigint[], opposites text[], due bigint[], expires bigint[],
      places place[]
    );
    """#
}
