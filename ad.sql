DO $$ DECLARE p text; i uuid; r record; t0 timestamptz := clock_timestamp(); n bigint := 0; BEGIN
LOOP SELECT * INTO r FROM checkpost.adopt(p, i, 1000); n := n + r.looked_at; p := r.after_plate; i := r.after_id; EXIT WHEN r.looked_at < 1000; END LOOP;
RAISE NOTICE 'adopted % at %/s', n, round(n/extract(epoch FROM clock_timestamp()-t0)); END $$;
