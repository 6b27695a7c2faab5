extension JudgingSchema {
  /// What came in, as it came, and what became of it.
  static let inbox = #"""
    CREATE SEQUENCE inbox_numbers;
    CREATE TABLE inbox (
      id bigint PRIMARY KEY DEFAULT nextval('inbox_numbers'),
      provider text COLLATE "C" NOT NULL,
      provider_id text COLLATE "C" NOT NULL,
      -- An identifier may be longer than what an index takes.
      digest bytea NOT NULL,
      sender text,
      recipient text,
      kind text NOT NULL CHECK (kind IN ('text', 'pdu')),
      body text NOT NULL,
      received_at timestamptz NOT NULL,
      times_received bigint NOT NULL DEFAULT 1,
      state text COLLATE "C" NOT NULL DEFAULT 'received' CHECK (state IN
        ('received', 'part', 'report', 'heartbeat', 'decoded', 'duplicate', 'undecodable')),
      reason text COLLATE "C",
      words text,
      client_id uuid,
      warnings text,
      part_key text COLLATE "C",
      part integer,
      parts integer,
      CONSTRAINT inbox_message UNIQUE (provider, digest),
      CONSTRAINT inbox_reason CHECK ((state = 'undecodable') = (reason IS NOT NULL)),
      CONSTRAINT inbox_passage CHECK ((state IN ('decoded', 'duplicate')) = (client_id IS NOT NULL))
    );
    ALTER SEQUENCE inbox_numbers OWNED BY inbox.id;
    CREATE INDEX inbox_open ON inbox (id) WHERE state = 'received';
    CREATE INDEX inbox_waiting ON inbox (id) WHERE state = 'part';
    CREATE INDEX inbox_undecodable ON inbox (id) WHERE state = 'undecodable';
    CREATE INDEX inbox_parts ON inbox USING hash (part_key)
      WHERE state IN ('received', 'part', 'undecodable');

    -- Counts that would otherwise need a walk over every row. What changes them is added as rows of its own, so that
    -- nobody waits for anybody; now and then it is gathered.
    CREATE TABLE tally (
      name text COLLATE "C" PRIMARY KEY,
      n bigint NOT NULL
    ) WITH (fillfactor = 50);
    CREATE TABLE tally_changes (
      name text COLLATE "C" NOT NULL,
      n bigint NOT NULL
    );

    -- Into this something is written to see whether anything can be.
    CREATE TABLE proofs (content bytea);
    ALTER TABLE proofs ALTER COLUMN content SET STORAGE EXTERNAL;

    -- When each post was heard of, how many passages of it are there, and what it told of itself last.
    CREATE TABLE heard (
      post text COLLATE "C" PRIMARY KEY,
      last_at timestamptz,
      passages bigint NOT NULL DEFAULT 0,
      -- As the post counts them: whoever wrote a passage down is a passage there.
      recorded bigint NOT NULL DEFAULT 0,
      heartbeat_at timestamptz,
      last_number bigint,
      through_epoch bigint,
      waiting bigint,
      texted bigint,
      baseline bigint,
      CONSTRAINT heard_heartbeat CHECK (
        num_nulls(heartbeat_at, last_number, waiting, texted, baseline) IN (0, 5))
    ) WITH (fillfactor = 70);
    CREATE TABLE heard_changes (
      post text COLLATE "C" NOT NULL,
      last_at timestamptz,
      passages bigint NOT NULL DEFAULT 0,
      recorded bigint NOT NULL DEFAULT 0
    );
    """#

  /// What is counted of what was there before.
  static let inboxFilled = #"""
    INSERT INTO heard (post, last_at, passages)
      SELECT p.post, max(r.inserted_at), count(*) FROM passages p JOIN records r ON r.number = p.row_number
      GROUP BY p.post;
    INSERT INTO heard_changes (post, recorded)
      SELECT post_code(r.received_post_id, r.received_post), count(*)
      FROM (SELECT DISTINCT o.record, o.suffix FROM observations o) AS o JOIN records r ON r.number = o.record
      GROUP BY 1;
    INSERT INTO tally_changes SELECT 'violations', count(*) FROM violations v WHERE NOT v.is_retracted;
    """#

  /// How messages are kept.
  static let keeping = #"""
    -- Keeps messages as they came, all or none; of one that is there already it is counted that it came again. Returns
    -- of each, in their order, its number and whether it is new.
    CREATE OR REPLACE FUNCTION keep(
      providers text[], names text[], senders text[], recipients text[], kinds text[], bodies text[],
      times timestamptz[]
    ) RETURNS TABLE (id bigint, is_new boolean) LANGUAGE plpgsql
      SET search_path = checkpost, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
      SET jit = off AS $$
    #variable_conflict use_column
    DECLARE
      digests bytea[];
      made bigint[];
    BEGIN
      SELECT array_agg(sha256(convert_to(u.name, 'UTF8')) ORDER BY u.place) INTO digests
        FROM unnest(names) WITH ORDINALITY AS u(name, place);
      -- Numbers are in the order of the messages, and those that are there already use none. They are written in the
      -- order of their keys, so that two who keep the same messages do not wait for each other.
      WITH given AS (
        SELECT DISTINCT ON (g.provider, g.digest) g.*
        FROM unnest(providers, digests, names, senders, recipients, kinds, bodies, times) WITH ORDINALITY
          AS g(provider, digest, name, sender, recipient, kind, body, at, place)
        ORDER BY g.provider, g.digest, g.place
      ),
      fresh AS (
        SELECT g.* FROM given g
        WHERE NOT EXISTS (SELECT FROM inbox i WHERE i.provider = g.provider AND i.digest = g.digest)
        ORDER BY g.place
      ),
      numbered AS MATERIALIZED (SELECT nextval('inbox_numbers') AS number, f.* FROM fresh f),
      kept AS (
        INSERT INTO inbox (id, provider, provider_id, digest, sender, recipient, kind, body, received_at)
          SELECT n.number, n.provider, n.name, n.digest, n.sender, n.recipient, n.kind, n.body, n.at
          FROM numbered n ORDER BY n.provider, n.digest
          ON CONFLICT DO NOTHING RETURNING inbox.id)
      SELECT coalesce(array_agg(k.id), '{}') INTO made FROM kept k;

      IF cardinality(made) < cardinality(names) THEN
        WITH given AS (
          SELECT g.provider, g.digest, count(*) AS times
          FROM unnest(providers, digests) AS g(provider, digest) GROUP BY g.provider, g.digest
        ),
        again AS MATERIALIZED (
          SELECT i.id, g.times - (i.id = ANY (made))::integer AS more
          FROM given g JOIN inbox i ON i.provider = g.provider AND i.digest = g.digest
          WHERE g.times > (i.id = ANY (made))::integer
          ORDER BY i.id FOR NO KEY UPDATE OF i)
        UPDATE inbox SET times_received = inbox.times_received + a.more FROM again a WHERE inbox.id = a.id;
      END IF;
      RETURN QUERY
        SELECT i.id, i.id = ANY (made) AND row_number() OVER (PARTITION BY i.id ORDER BY g.place) = 1
        FROM unnest(providers, digests) WITH ORDINALITY AS g(provider, digest, place)
        JOIN inbox i ON i.provider = g.provider AND i.digest = g.digest
        ORDER BY g.place;
    END $$;

    -- What was received is not changed: it is the evidence.
    CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'a received message is not changed' USING ERRCODE = 'check_violation';
    END $$;
    CREATE OR REPLACE TRIGGER inbox_frozen
      BEFORE UPDATE OF id, provider, provider_id, digest, kind, body, received_at ON inbox
      FOR EACH ROW EXECUTE FUNCTION refuse_change();
    """#

  /// What a service may do that does not own the schema.
  static let inboxRights = #"""
    GRANT INSERT, UPDATE, DELETE ON checkpost.inbox, checkpost.tally, checkpost.tally_changes, checkpost.proofs,
      checkpost.heard, checkpost.heard_changes TO service_role;
    GRANT USAGE ON SEQUENCE checkpost.inbox_numbers TO service_role;
    GRANT EXECUTE ON FUNCTION checkpost.keep, checkpost.gather_counts, checkpost.leave_place, checkpost.put_segment,
      checkpost.put_earlier, checkpost.put_earlier_places, checkpost.put_post, checkpost.segment_at, checkpost.put_ranger, checkpost.put_number TO service_role;
    """#

  /// How all is counted that is told in numbers.
  static let counting = #"""
    CREATE OR REPLACE FUNCTION count_messages() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = checkpost, pg_temp AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO tally_changes
          SELECT s.name, count(*) FROM came c, LATERAL (VALUES ('inbox'), (c.state)) AS s(name)
          WHERE s.name IN ('inbox', 'undecodable', 'duplicate') GROUP BY s.name;
      ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO tally_changes
          SELECT s.name, -count(*) FROM gone g,
            LATERAL (VALUES ('inbox'), (CASE WHEN g.dismissed_at IS NULL THEN g.state END)) AS s(name)
          WHERE s.name IN ('inbox', 'undecodable', 'duplicate') GROUP BY s.name;
      ELSE
        INSERT INTO tally_changes
          SELECT s.state, sum(s.n)::bigint FROM (
            SELECT g.state, -1 AS n FROM gone g WHERE g.dismissed_at IS NULL
            UNION ALL SELECT c.state, 1 FROM came c WHERE c.dismissed_at IS NULL) AS s
          WHERE s.state IN ('undecodable', 'duplicate') GROUP BY s.state HAVING sum(s.n) <> 0;
      END IF;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER count_1_kept AFTER INSERT ON inbox REFERENCING NEW TABLE AS came
      FOR EACH STATEMENT EXECUTE FUNCTION count_messages();
    CREATE OR REPLACE TRIGGER count_2_changed AFTER UPDATE ON inbox
      REFERENCING OLD TABLE AS gone NEW TABLE AS came FOR EACH STATEMENT EXECUTE FUNCTION count_messages();
    CREATE OR REPLACE TRIGGER count_3_gone AFTER DELETE ON inbox REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION count_messages();

    -- What comes is counted by what writes it, and not by a trigger, which takes longer than the row itself.
    CREATE OR REPLACE FUNCTION count_passages(came bigint[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      IF came IS NULL OR cardinality(came) = 0 THEN RETURN; END IF;
      INSERT INTO heard_changes (post, passages, last_at)
        SELECT p.post, count(*), max(r.inserted_at) FROM passages p JOIN records r ON r.number = p.row_number
        WHERE p.row_number = ANY (came) GROUP BY p.post;
      INSERT INTO unpaired SELECT c.number FROM unnest(came) AS c(number)
        WHERE NOT EXISTS (SELECT FROM pairs x WHERE x.entry = c.number)
          AND NOT EXISTS (SELECT FROM pairs e WHERE e.exit = c.number)
        ON CONFLICT DO NOTHING;
    END $$;
    CREATE OR REPLACE FUNCTION count_gone() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = checkpost, pg_temp AS $$
    BEGIN
      INSERT INTO heard_changes (post, passages) SELECT g.post, -count(*) FROM gone g GROUP BY g.post;
      DELETE FROM unpaired u WHERE u.row_number IN (SELECT g.row_number FROM gone g);
      RETURN NULL;
    END $$;
    CREATE OR REPLACE FUNCTION keep_unpaired() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = checkpost, pg_temp AS $$
    BEGIN
      INSERT INTO unpaired SELECT p.row_number FROM passages p
        WHERE p.row_number IN (SELECT g.entry FROM gone g UNION ALL SELECT g.exit FROM gone g)
          AND NOT EXISTS (SELECT FROM pairs x WHERE x.entry = p.row_number)
          AND NOT EXISTS (SELECT FROM pairs e WHERE e.exit = p.row_number)
        ON CONFLICT DO NOTHING;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER unpaired_2_parted AFTER DELETE ON pairs REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION keep_unpaired();
    CREATE OR REPLACE TRIGGER count_3_gone AFTER DELETE ON passages REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION count_gone();
    CREATE OR REPLACE FUNCTION count_moved() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = checkpost, pg_temp AS $$
    BEGIN
      INSERT INTO heard_changes (post, passages) VALUES (OLD.post, -1), (NEW.post, 1);
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER count_2_moved AFTER UPDATE OF post ON passages
      FOR EACH ROW WHEN (NEW.post <> OLD.post) EXECUTE FUNCTION count_moved();

    -- Of each record and ranger the first report counts.
    CREATE OR REPLACE FUNCTION count_reports(came bigint[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO heard_changes (post, recorded)
        SELECT q.code, sum(q.n)::bigint FROM (
          SELECT post_code(f.id, f.post) AS code, f.n FROM (
            SELECT r.received_post_id AS id, r.received_post AS post, count(*) AS n
            FROM (SELECT o.record, o.suffix, min(o.number) AS number FROM unnest(came) AS u(number)
              JOIN observations o ON o.number = u.number GROUP BY o.record, o.suffix) AS c
            JOIN records r ON r.number = c.record
            WHERE NOT EXISTS (
              SELECT FROM observations o
              WHERE o.record = c.record AND o.suffix = c.suffix AND o.number < c.number)
            GROUP BY r.received_post_id, r.received_post) AS f) AS q
        GROUP BY q.code;
    END $$;

    CREATE OR REPLACE FUNCTION count_violation() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = checkpost, pg_temp AS $$
    BEGIN
      INSERT INTO tally_changes SELECT 'violations', -count(*) FROM gone g WHERE NOT g.is_retracted
        HAVING count(*) > 0;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER count_3_gone AFTER DELETE ON violations REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION count_violation();
    CREATE OR REPLACE FUNCTION count_retracted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = checkpost, pg_temp AS $$
    BEGIN
      INSERT INTO tally_changes VALUES ('violations', CASE WHEN NEW.is_retracted THEN -1 ELSE 1 END);
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER count_2_retracted AFTER UPDATE OF is_retracted ON violations
      FOR EACH ROW WHEN (NEW.is_retracted <> OLD.is_retracted) EXECUTE FUNCTION count_retracted();

    -- A number that fits into a column: counting goes on where another program wrote the largest one.
    CREATE OR REPLACE FUNCTION whole(number numeric) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
      SELECT least(greatest(number, -4611686018427387904), 4611686018427387903)::bigint
    $$;

    -- The counts with what was not gathered yet.
    CREATE OR REPLACE VIEW tally_now AS
      SELECT a.name, whole(sum(a.n)) AS n
      FROM (SELECT name, n FROM tally UNION ALL SELECT name, n FROM tally_changes) AS a GROUP BY a.name;
    CREATE OR REPLACE VIEW heard_now AS
      SELECT coalesce(h.post, d.post) AS post, greatest(h.last_at, d.last_at) AS last_at,
        whole(coalesce(h.passages, 0) + coalesce(d.passages, 0::numeric)) AS passages,
        whole(coalesce(h.recorded, 0) + coalesce(d.recorded, 0::numeric)) AS recorded,
        h.heartbeat_at, h.last_number, h.through_epoch, h.waiting, h.texted, h.baseline
      FROM heard h FULL JOIN (
        SELECT c.post, max(c.last_at) AS last_at, sum(c.passages) AS passages, sum(c.recorded) AS recorded
        FROM heard_changes c GROUP BY c.post) AS d ON d.post = h.post;

    -- What is known of a post goes with its code. Its passages are counted anew where they stand.
    CREATE OR REPLACE FUNCTION post_renamed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = checkpost, pg_temp AS $$
    DECLARE
      known heard_now;
    BEGIN
      SELECT * INTO known FROM heard_now h WHERE h.post = OLD.code;
      IF NOT FOUND THEN RETURN NULL; END IF;
      INSERT INTO heard_changes (post, last_at, recorded)
        VALUES (NEW.code, known.last_at, known.recorded), (OLD.code, NULL, -known.recorded);
      IF known.heartbeat_at IS NOT NULL THEN
        UPDATE heard SET heartbeat_at = NULL, last_number = NULL, through_epoch = NULL, waiting = NULL, texted = NULL,
          baseline = NULL WHERE post = OLD.code;
        INSERT INTO heard (post, heartbeat_at, last_number, through_epoch, waiting, texted, baseline)
          VALUES (NEW.code, known.heartbeat_at, known.last_number, known.through_epoch, known.waiting, known.texted,
            known.baseline)
          ON CONFLICT (post) DO UPDATE SET heartbeat_at = excluded.heartbeat_at, last_number = excluded.last_number,
            through_epoch = excluded.through_epoch, waiting = excluded.waiting, texted = excluded.texted,
            baseline = excluded.baseline;
      END IF;
      RETURN NULL;
    END $$;
    CREATE OR REPLACE TRIGGER checkpost_4_heard AFTER UPDATE OF code ON public.checkposts
      FOR EACH ROW WHEN (NEW.code <> OLD.code) EXECUTE FUNCTION post_renamed();

    -- Gathers what changed the counts. Whoever calls it is in one of the transactions that come one after the other.
    CREATE OR REPLACE FUNCTION gather_counts() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = checkpost, pg_temp AS $$
    BEGIN
      WITH gone AS (DELETE FROM tally_changes RETURNING name, n)
      INSERT INTO tally AS t SELECT g.name, whole(sum(g.n)) FROM gone g
        -- What no index holds is the name of nothing.
        WHERE octet_length(g.name) <= 200 GROUP BY g.name
        ON CONFLICT (name) DO UPDATE SET n = whole(t.n::numeric + excluded.n);
      WITH gone AS (DELETE FROM heard_changes c RETURNING c.post, c.last_at, c.passages, c.recorded)
      INSERT INTO heard AS h (post, last_at, passages, recorded)
        SELECT g.post, max(g.last_at), whole(sum(g.passages)), whole(sum(g.recorded)) FROM gone g
        WHERE octet_length(g.post) <= 200 GROUP BY g.post
        ON CONFLICT (post) DO UPDATE SET last_at = greatest(h.last_at, excluded.last_at),
          passages = whole(h.passages::numeric + excluded.passages),
          recorded = whole(h.recorded::numeric + excluded.recorded);
    END $$;
    """#
}
