extension JudgingSchema {
  /// Judging what changed.
  static let judging = #"""
    -- Judges everything that was touched, and tells what changed.
    CREATE OR REPLACE FUNCTION judge_touched(cause text, moment timestamptz, is_all boolean DEFAULT false)
    RETURNS change[] LANGUAGE plpgsql AS $$
    BEGIN
      IF coalesce(current_setting('checkpost.touched', true), '') = '' THEN RETURN '{}'; END IF;
      RETURN (SELECT judge(array_agg(t.target), array_agg(t.plate),
        array_agg(t.post), array_agg(t.second), cause, moment, is_all) FROM all_touched() AS t);
    END $$;

    -- Judges vehicles at the places of these posts, each at each place once, and shows what came of it. What moved
    -- from one to another is among the records of the vehicle that it is now, and nowhere else.
    CREATE OR REPLACE FUNCTION judge(
      targets bigint[], plates text[], posts text[], seconds bigint[], cause text, moment timestamptz,
      is_all boolean
    ) RETURNS change[] LANGUAGE plpgsql AS $$
    DECLARE
      vehicle record;
      part travels;
      made judgement;
      -- The rows that the records stood under before.
      rows_left CONSTANT bigint[] := ARRAY(
        SELECT DISTINCT r.row_number FROM records r WHERE r.number = ANY (targets));
      told change[] := '{}';
      numbers bigint[] := '{}';
      rows bigint[] := '{}';
      entries bigint[] := '{}';
      exits bigint[] := '{}';
      pair_places integer[] := '{}';
      marks integer[] := '{}';
      waiting bigint[] := '{}';
      opposites text[] := '{}';
      due bigint[] := '{}';
      expires bigint[] := '{}';
      places place[];
    BEGIN
      places := places_of(posts);
      PERFORM lock_reports(ARRAY(SELECT unnest(p.posts) FROM unnest(places) AS p));
      FOR vehicle IN
        WITH known AS MATERIALIZED (
          SELECT l.number, l.it, unnest((l.it).posts) AS post
          FROM unnest(ARRAY(SELECT generate_subscripts(places, 1))) AS g(number),
            LATERAL (SELECT g.number, places[g.number] AS it) AS l)
        SELECT p.plate, k.number AS at, min(p.second) AS low, max(p.second) AS high
        FROM unnest(plates, posts, seconds) AS p(plate, post, second) JOIN known k ON k.post = p.post
        GROUP BY p.plate, k.number ORDER BY p.plate COLLATE "C", k.number
      LOOP
        part := travels_of(vehicle.plate, places[vehicle.at],
          span_of(vehicle.plate, places[vehicle.at], vehicle.low, vehicle.high));
        CONTINUE WHEN part.numbers IS NULL;
        numbers := numbers || part.numbers;
        rows := rows || part.rows;
        IF part.entries IS NOT NULL THEN
          entries := entries || part.entries;
          exits := exits || part.exits;
          pair_places := pair_places || array_fill(vehicle.at, ARRAY[cardinality(part.entries)]);
          marks := marks || part.marks;
        END IF;
        IF part.waiting IS NOT NULL THEN
          waiting := waiting || part.waiting;
          opposites := opposites || part.opposites;
          due := due || part.due;
          expires := expires || part.expires;
        END IF;
        IF cardinality(numbers) >= 1000 THEN
          made := ROW(numbers, rows, entries, exits, pair_places, waiting, opposites, due, expires, places, marks);
          told := told || write_judgement(made, targets, rows_left, cause, moment, is_all, targets, plates, seconds);
          numbers := '{}'; rows := '{}'; entries := '{}'; exits := '{}'; pair_places := '{}'; marks := '{}';
          waiting := '{}'; opposites := '{}'; due := '{}'; expires := '{}';
        END IF;
      END LOOP;
      IF cardinality(numbers) > 0 THEN
        made := ROW(numbers, rows, entries, exits, pair_places, waiting, opposites, due, expires, places, marks);
        told := told || write_judgement(made, targets, rows_left, cause, moment, is_all, targets, plates, seconds);
      END IF;
      RETURN told;
    END $$;

    -- Writes down what is other than it stands.
    CREATE OR REPLACE FUNCTION write_judgement(
      made judgement, changed bigint[], rows_left bigint[], cause text, moment timestamptz, is_all boolean,
      targets bigint[], plates text[], seconds bigint[]
    ) RETURNS change[] LANGUAGE plpgsql AS $$
    DECLARE
      told change[];
      shown bigint[];
    BEGIN
      shown := write_passages(made, rows_to_write(made, changed, rows_left, is_all));
      told := write_pairs(made);
      told := told || write_violations(made, cause, moment, is_all, targets, plates, seconds);
      told := told || write_waiting(made, moment);
      PERFORM project(shown || ARRAY(
        SELECT t.entry FROM unnest(told) AS t UNION
        SELECT t.other FROM unnest(told) AS t WHERE t.kind IN ('parted', 'paired')), moment);
      RETURN told;
    END $$;

    -- Whatever nobody asked for is told later, by whoever does the clock's duties, and whoever listens hears of it from
    -- there: a notification in each row's own transaction would let the whole cluster commit one after the other. Where
    -- nobody ever does them, no more than the last million is kept.
    CREATE OR REPLACE FUNCTION tell_later(told change[]) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      last bigint;
    BEGIN
      IF told IS NULL OR cardinality(told) = 0 THEN RETURN; END IF;
      INSERT INTO changes (kind, entry, other) SELECT t.kind, t.entry, t.other FROM unnest(told) AS t;
      last := currval('changes_number_seq');
      IF last > 1000000 AND last % 1000 < cardinality(told) THEN
        DELETE FROM changes c WHERE c.number IN (
          SELECT o.number FROM changes o WHERE o.number < last - 1000000 ORDER BY o.number LIMIT 10000
          FOR UPDATE SKIP LOCKED);
      END IF;
    END $$;

    -- Everything of these posts is judged again: at once where that is little, as a person at psql expects it, and
    -- otherwise, and for whoever says so, in steps that `rejudge` takes.
    CREATE OR REPLACE FUNCTION judge_posts(named text[], why text) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      moment CONSTANT timestamptz := clock_timestamp();
    BEGIN
      IF coalesce(current_setting('checkpost.judge_later', true), '') = 'on'
        OR (SELECT count(*) FROM (SELECT FROM records WHERE post = ANY (named) LIMIT 1001) AS r) > 1000
      THEN
        UPDATE rejudging SET after_plate = '', cause = coalesce(cause, why),
          posts = CASE WHEN cause IS NULL THEN named
            WHEN posts IS NOT NULL THEN ARRAY(SELECT unnest(posts || named) AS p GROUP BY p ORDER BY p) END
          WHERE cardinality(named) > 0;
        PERFORM pg_notify('checkpost', '');
        RETURN;
      END IF;
      PERFORM touch(NULL, t.plate, t.post, t.first), touch(NULL, t.plate, t.post, t.last)
        FROM (SELECT plate, post, min(second) AS first, max(second) AS last FROM records
          WHERE post = ANY (named) GROUP BY plate, post) AS t;
      PERFORM tell_later(judge_touched(why, moment, true));
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

    -- Taken by whoever receives, when what keeps the directory as it is is held: the vehicles in one order. There are
    -- 1,024 locks for all vehicles, so that a statement with very many does not run out of them. Where it is known
    -- that there are `few`, these are shared, and each vehicle has a lock of its own.
    CREATE OR REPLACE FUNCTION lock_vehicles(plates text[], few boolean DEFAULT true) RETURNS void
    LANGUAGE plpgsql AS $$
    BEGIN
      IF few AND cardinality(plates) <= 512 THEN
        PERFORM pg_advisory_xact_lock_shared(7061, l.stripe)
          FROM (SELECT DISTINCT (hashtextextended(p, 7061) & 1023)::integer AS stripe
            FROM unnest(plates) AS p WHERE p IS NOT NULL ORDER BY 1) AS l;
        PERFORM pg_advisory_xact_lock(7067, l.own)
          FROM (SELECT DISTINCT hashtext(p) AS own FROM unnest(plates) AS p WHERE p IS NOT NULL ORDER BY 1) AS l;
        RETURN;
      END IF;
      PERFORM pg_advisory_xact_lock(7061, l.stripe)
        FROM (SELECT DISTINCT (hashtextextended(p, 7061) & 1023)::integer AS stripe
          FROM unnest(plates) AS p WHERE p IS NOT NULL ORDER BY 1) AS l;
    END $$;

    -- Locks vehicles, and those that these identities may concern. While one waits somebody else may have moved a
    -- passage to another vehicle: then what was locked is given back and locked anew, as otherwise it would be in
    -- another order than everybody's.
    CREATE OR REPLACE FUNCTION lock_for(plates text[], identities_named uuid[], few boolean DEFAULT true) RETURNS void
    LANGUAGE plpgsql AS $$
    DECLARE
      wanted text[] := ARRAY(SELECT DISTINCT unnest(plates || plates_of(identities_named)));
      others text[];
    BEGIN
      LOOP
        BEGIN
          PERFORM lock_vehicles(wanted, few);
          others := plates_of(identities_named);
          IF others IS NULL OR others <@ wanted THEN RETURN; END IF;
          RAISE EXCEPTION USING ERRCODE = 'CP001';
        EXCEPTION WHEN SQLSTATE 'CP001' THEN
          wanted := wanted || others;
        END;
      END LOOP;
    END $$;

    -- Taken by whoever judges or settles, before it writes: a post's word that comes at this moment is waited for, or
    -- waits. Who takes one holds that of its post alone.
    CREATE OR REPLACE FUNCTION lock_reports(named text[]) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      is_held boolean;
    BEGIN
      IF cardinality(named) = 2 AND named[1] IS NOT NULL AND named[2] IS NOT NULL THEN
        -- As of nearly all places.
        is_held := pg_advisory_xact_lock_shared(7066, least(hashtext(named[1]), hashtext(named[2]))) IS NOT NULL
          AND pg_advisory_xact_lock_shared(7066, greatest(hashtext(named[1]), hashtext(named[2]))) IS NOT NULL;
        RETURN;
      END IF;
      PERFORM pg_advisory_xact_lock_shared(7066, l.post)
        FROM (SELECT DISTINCT hashtext(p) AS post FROM unnest(named) AS p WHERE p IS NOT NULL ORDER BY 1) AS l;
    END $$;

    -- The vehicles that reports under these identities may concern beside their own: those that they were known
    -- for, and those that corrections name.
    CREATE OR REPLACE FUNCTION plates_of(identities_named uuid[]) RETURNS text[] LANGUAGE plpgsql STABLE AS $$
    BEGIN
      RETURN (SELECT array_agg(p.plate) FROM (
        SELECT r.plate FROM identities i JOIN records r ON r.number = i.record
          WHERE i.client_id = ANY (identities_named)
        UNION SELECT r.received_plate FROM identities i JOIN records r ON r.number = i.record
          WHERE i.client_id = ANY (identities_named)
        UNION SELECT c.plate FROM corrections c
          WHERE c.client_id = ANY (identities_named) AND c.record IS NULL AND c.plate IS NOT NULL) AS p);
    END $$;
    """#
}
