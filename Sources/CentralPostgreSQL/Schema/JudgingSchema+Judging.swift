extension JudgingSchema {
  /// Judging what changed.
  static let judging = #"""
    -- Judges everything that was touched, each vehicle at each place once, and shows what came of it. Vehicles are
    -- judged one after the other; what moved from one to another is parted before it is paired anew, as a record
    -- is only ever among those of the vehicle that it is now.
    CREATE OR REPLACE FUNCTION judge_touched(cause text, moment timestamptz) RETURNS void
    LANGUAGE plpgsql AS $$
    DECLARE
      touched CONSTANT text := current_setting('checkpost.touched', true);
      vehicle record;
      it place;
      made travels;
      numbers bigint[] := '{}';
    BEGIN
      IF coalesce(touched, '') = '' THEN RETURN; END IF;
      PERFORM set_config('checkpost.touched', '', true);
      FOR vehicle IN
        WITH points AS (
          SELECT e ->> 0 AS plate, e ->> 1 AS post, (e ->> 2)::bigint AS second
          FROM (SELECT line::jsonb AS e FROM string_to_table(rtrim(touched, chr(10)), chr(10)) AS line) AS l
        ),
        places AS MATERIALIZED (
          SELECT p.post, place_of(p.post) AS place FROM (SELECT DISTINCT post FROM points) AS p
        )
        SELECT p.plate, l.place, min(p.second) AS low, max(p.second) AS high
        FROM points p JOIN places l ON l.post = p.post
        GROUP BY p.plate, l.place ORDER BY p.plate COLLATE "C", (l.place).posts
      LOOP
        it := vehicle.place;
        made := travels_of(vehicle.plate, it, span_of(vehicle.plate, it, vehicle.low, vehicle.high));
        CONTINUE WHEN made.numbers IS NULL;
        PERFORM write_passages(made);
        PERFORM write_pairs(made);
        PERFORM write_violations(it, made, cause, moment);
        PERFORM write_waiting(made);
        PERFORM end_alerts(made.numbers, true, moment);
        PERFORM raise_alerts(made.numbers, moment);
        numbers := numbers || made.numbers;
      END LOOP;
      PERFORM project(numbers, moment);
    END $$;

    -- Everything of these posts is judged again.
    CREATE OR REPLACE FUNCTION judge_posts(posts text[], cause text) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM touch(t.plate, t.post, t.first), touch(t.plate, t.post, t.last)
        FROM (SELECT plate, post, min(second) AS first, max(second) AS last FROM records
          WHERE post = ANY (posts) GROUP BY plate, post) AS t;
      PERFORM judge_touched(cause, clock_timestamp());
    END $$;
    """#

  /// Who comes at the same time waits: for a vehicle, or for what concerns them all.
  static let locks = #"""
    -- Judging needs to see what was committed while it waited for its turn, which other levels do not show.
    CREATE OR REPLACE FUNCTION check_isolation() RETURNS void LANGUAGE plpgsql STABLE AS $$
    BEGIN
      IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
        RAISE EXCEPTION 'passages are written in transactions that are READ COMMITTED'
          USING ERRCODE = 'feature_not_supported';
      END IF;
    END $$;

    -- Taken by whoever changes what concerns all vehicles, or a row first and its vehicle then: the directory,
    -- corrections by hand. Nobody receives meanwhile.
    CREATE OR REPLACE FUNCTION lock_all() RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM check_isolation();
      PERFORM pg_advisory_xact_lock(7060, 0);
    END $$;

    -- Taken by whoever receives: first what keeps the directory as it is, then the vehicles in one order. There are
    -- 1,024 locks for all vehicles, so that a statement with very many does not run out of them.
    CREATE OR REPLACE FUNCTION lock_vehicles(plates text[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock(7061, l.stripe)
        FROM (SELECT DISTINCT (hashtextextended(p, 7061) & 1023)::integer AS stripe
          FROM unnest(plates) AS p WHERE p IS NOT NULL ORDER BY 1) AS l;
    END $$;

    -- Locks vehicles, and those that these identities may concern. While one waits somebody else may have moved a
    -- passage to another vehicle: then what was locked is given back and locked anew, as otherwise it would be in
    -- another order than everybody's.
    CREATE OR REPLACE FUNCTION lock_for(plates text[], identities_named uuid[]) RETURNS void
    LANGUAGE plpgsql AS $$
    DECLARE
      wanted text[] := plates || plates_of(identities_named);
      others text[];
    BEGIN
      LOOP
        BEGIN
          PERFORM lock_vehicles(wanted);
          others := plates_of(identities_named);
          IF others IS NULL OR others <@ wanted THEN RETURN; END IF;
          RAISE EXCEPTION USING ERRCODE = 'CP001';
        EXCEPTION WHEN SQLSTATE 'CP001' THEN
          wanted := wanted || others;
        END;
      END LOOP;
    END $$;

    -- The vehicles that reports under these identities may concern beside their own: those that they were known
    -- for, and those that corrections name.
    CREATE OR REPLACE FUNCTION plates_of(identities_named uuid[]) RETURNS text[] LANGUAGE sql STABLE AS $$
      SELECT array_agg(plate) FROM (
        SELECT r.plate FROM identities i JOIN records r ON r.number = i.record
          WHERE i.client_id = ANY (identities_named)
        UNION SELECT r.received_plate FROM identities i JOIN records r ON r.number = i.record
          WHERE i.client_id = ANY (identities_named)
        UNION SELECT c.plate FROM corrections c
          WHERE c.client_id = ANY (identities_named) AND c.record IS NULL AND c.plate IS NOT NULL) AS p
    $$;
    """#
}
