extension JudgingSchema {
  /// The tables of the API, as every store of the central tells them. Most are the deployed ones.
  static let wire = #"""
    -- Locks what rows that are handed in concern, as whoever receives them does, until the transaction's end.
    CREATE OR REPLACE FUNCTION lock_rows(plates text[], identities_named uuid[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = checkpost, pg_temp AS $$
    BEGIN
      PERFORM check_isolation();
      PERFORM pg_advisory_xact_lock_shared(7060, 0);
      PERFORM lock_for(plates, identities_named, true);
    END $$;

    DROP VIEW IF EXISTS public.passages_by_identity;
    DROP VIEW IF EXISTS api_parks, api_highway_segments, api_checkposts, api_user_profiles, api_vehicle_passages,
      api_vehicle_passages_by_identity, api_violations, api_violation_outcomes, api_proactive_overstay_alerts,
      api_sync_metadata;

    CREATE VIEW api_parks AS SELECT id, name, code, is_active, created_at, updated_at FROM public.parks;

    CREATE VIEW api_highway_segments AS SELECT id, park_id, name, distance_km, max_speed_kmh, min_speed_kmh,
      min_travel_time_minutes, max_travel_time_minutes, is_active, created_at, updated_at,
      to_json(ARRAY(SELECT e.post_id FROM segment_ends e WHERE e.segment_id = h.id
        ORDER BY e.position_index))::text AS checkpost_ids
      FROM public.highway_segments h
      WHERE NOT EXISTS (SELECT FROM loose_segments l WHERE l.segment_id = h.id);

    CREATE VIEW api_checkposts AS SELECT c.id, CASE WHEN l.segment_id IS NULL THEN c.segment_id END AS segment_id,
      c.name, c.code, CASE WHEN l.segment_id IS NULL THEN c.position_index END AS position_index, c.latitude,
      c.longitude, c.is_active, c.created_at,
      to_json(ARRAY(SELECT e.segment_id FROM segment_ends e JOIN known_segments k ON k.id = e.segment_id
        WHERE e.post_id = c.id ORDER BY k.name COLLATE "C"))::text AS segment_ids
      FROM public.checkposts c LEFT JOIN loose_segments l ON l.segment_id = c.segment_id;

    -- Who has an account, and who is known by the directory alone; not the one under whom passages stand whose ranger
    -- nobody knows.
    CREATE VIEW api_user_profiles AS SELECT a.id, a.full_name,
      CASE a.role WHEN 'ranger' THEN 'ranger' ELSE 'admin' END AS role, a.phone AS phone_number,
      c.id AS assigned_checkpost_id, coalesce(u.assigned_park_id, h.park_id, k.id) AS assigned_park_id,
      a.active AS is_active, a.created_at, a.updated_at
      FROM accounts a LEFT JOIN public.user_profiles u ON u.id = a.id
        LEFT JOIN api_checkposts c ON c.code = a.checkpost
        LEFT JOIN public.highway_segments h ON h.id = c.segment_id
        LEFT JOIN (SELECT min(id::text)::uuid AS id FROM public.parks HAVING count(*) = 1) k ON true
    UNION ALL SELECT u.id, u.full_name, u.role, u.phone_number, u.assigned_checkpost_id,
      coalesce(u.assigned_park_id, h.park_id, k.id) AS assigned_park_id, u.is_active, u.created_at, u.updated_at
      FROM public.user_profiles u
        LEFT JOIN api_checkposts c ON c.id = u.assigned_checkpost_id
        LEFT JOIN public.highway_segments h ON h.id = c.segment_id
        LEFT JOIN (SELECT min(id::text)::uuid AS id FROM public.parks HAVING count(*) = 1) k ON true
      WHERE u.id IS DISTINCT FROM (SELECT unknown_ranger FROM settings)
        AND NOT EXISTS (SELECT FROM accounts a WHERE a.id = u.id)
        AND NOT EXISTS (SELECT FROM accounts a WHERE a.phone = u.phone_number);

    CREATE VIEW api_vehicle_passages AS SELECT v.id, v.client_id, v.plate_number, v.plate_number_raw,
      v.vehicle_type, v.checkpost_id, v.segment_id, v.recorded_at, v.server_received_at,
      nullif(v.ranger_id, (SELECT unknown_ranger FROM settings)) AS ranger_id, v.photo_path, v.source,
      v.matched_passage_id, v.is_entry, v.created_at
      FROM public.vehicle_passages v
      WHERE v.segment_id <> ALL (ARRAY(SELECT l.segment_id FROM loose_segments l));

    -- A passage under each of its identities, as it came under that one; and one that was not taken in.
    CREATE VIEW api_vehicle_passages_by_identity AS SELECT v.id, i.client_id,
      CASE WHEN compact(v.plate_number) = r.plate THEN v.plate_number ELSE r.plate END AS plate_number,
      coalesce(k.raw_plate, CASE WHEN r.plate = r.received_plate THEN coalesce(o.raw_plate, v.plate_number_raw)
        ELSE v.plate_number_raw END) AS plate_number_raw,
      v.vehicle_type, c.id AS checkpost_id, v.segment_id,
      coalesce(k.recorded_at, CASE WHEN r.second = r.received_second THEN coalesce(o.recorded_at, v.recorded_at)
        ELSE moment_of(r.second) END) AS recorded_at,
      v.server_received_at,
      ranger_of(array_remove(ARRAY[o.ranger] || ARRAY(SELECT unnest(p.rangers)), NULL), c.id, p.suffix,
        CASE WHEN p.is_dated THEN p.recorded_at ELSE p.first_received_at END) AS ranger_id, v.photo_path,
      v.source, v.matched_passage_id, v.is_entry, v.created_at
      FROM identities i JOIN records r ON r.number = i.record JOIN records s ON s.number = r.row_number
        JOIN passages p ON p.row_number = s.number
        JOIN public.vehicle_passages v ON v.id = s.passage_id
        JOIN public.checkposts c ON c.code = r.post
        LEFT JOIN LATERAL (
          SELECT b.raw_plate, b.recorded_at, b.ranger FROM observations b WHERE b.record = r.number
          ORDER BY b.client_id = i.client_id DESC, b.client_id = i.client_id AND b.channel = 'upload' DESC,
            b.number LIMIT 1) o ON true
        -- What the last corrections of it say.
        LEFT JOIN LATERAL (
          SELECT (array_agg(c.raw_plate ORDER BY c.made_at DESC, c.client_id DESC, c.number DESC)
              FILTER (WHERE c.raw_plate IS NOT NULL))[1] AS raw_plate,
            (array_agg(c.recorded_at ORDER BY c.made_at DESC, c.client_id DESC, c.number DESC)
              FILTER (WHERE c.recorded_at IS NOT NULL))[1] AS recorded_at
          FROM corrections c WHERE c.record = r.number) k ON true
      WHERE NOT EXISTS (SELECT FROM loose_segments l WHERE l.segment_id = v.segment_id)
    UNION ALL SELECT v.* FROM api_vehicle_passages v
      WHERE NOT EXISTS (SELECT FROM identities i WHERE i.client_id = v.client_id);

    CREATE VIEW api_violations AS SELECT id, entry_passage_id, exit_passage_id, segment_id, violation_type,
      plate_number, vehicle_type, entry_time, exit_time, travel_time_minutes, threshold_minutes,
      calculated_speed_kmh, speed_limit_kmh, distance_km, alert_delivered_at, created_at, is_retracted, finality,
      to_json(doubts)::text AS doubts
      FROM public.violations;

    CREATE VIEW api_violation_outcomes AS SELECT id, violation_id, outcome_type, fine_amount, notes, recorded_by,
      recorded_at
      FROM public.violation_outcomes;

    CREATE VIEW api_proactive_overstay_alerts AS SELECT id, entry_passage_id, segment_id, plate_number,
      vehicle_type, entry_time, expected_exit_by, resolved, resolved_at, resolved_by_passage_id, created_at
      FROM public.proactive_overstay_alerts;

    CREATE VIEW api_sync_metadata AS SELECT id, user_id, device_id, last_sync_at, last_pull_at, pending_count,
      created_at, updated_at
      FROM public.sync_metadata;
    """#
}
