extension DeployedTables {
  /// That a row is of a segment which somebody's post ends. It is asked once for all rows.
  private static let ofSegments =
    "segment_id = ANY ((SELECT public.checkpost_my_segments())::uuid[])"

  /// Makes the policies of tables that were made by an earlier version as they are now. The policies of others stay.
  static let renewedPolicies = #"""
    DO $$
    DECLARE
      each record;
      own CONSTANT text := '\#(ofSegments)';
      of_violation CONSTANT text := 'EXISTS (SELECT FROM public.violations v WHERE v.id = violation_id AND v.'
        || own || ')';
    BEGIN
      FOR each IN
        SELECT p.tablename, p.policyname, p.cmd FROM pg_policies p
        WHERE p.schemaname = 'public' AND p.policyname IN ('of_segment', 'own_insert')
          AND coalesce(p.qual, p.with_check) LIKE '%checkpost_my_segment()%'
      LOOP
        EXECUTE format('ALTER POLICY %I ON public.%I %s', each.policyname, each.tablename,
          CASE
            WHEN each.cmd = 'INSERT' THEN 'WITH CHECK (recorded_by = auth.uid() AND ' || of_violation || ')'
            WHEN each.tablename = 'violation_outcomes' THEN 'USING (' || of_violation || ')'
            WHEN each.tablename = 'vehicle_passages' THEN 'USING (' || own
              || ' OR checkpost_id = ANY ((SELECT public.checkpost_my_posts())::uuid[]))'
            ELSE 'USING (' || own || ')' END);
      END LOOP;
    END $$;
    """#

  /// Who may do what, table by table, for tables that are made here. What anon may do is nothing.
  static let policies: [String: String] = [
    "public.parks": read(of: "parks"),
    "public.highway_segments": read(of: "highway_segments"),
    "public.checkposts": read(of: "checkposts"),
    "public.user_profiles": #"""
    CREATE POLICY own ON public.user_profiles FOR SELECT TO authenticated USING (id = auth.uid());
    """#,
    "public.vehicle_passages": #"""
    CREATE POLICY of_segment ON public.vehicle_passages FOR SELECT TO authenticated
      USING (\#(ofSegments) OR checkpost_id = ANY ((SELECT public.checkpost_my_posts())::uuid[]));
    CREATE POLICY own_post ON public.vehicle_passages FOR INSERT TO authenticated
      WITH CHECK (checkpost_id = public.checkpost_my_post());
    CREATE POLICY own ON public.vehicle_passages FOR UPDATE TO authenticated USING (ranger_id = auth.uid());
    """#,
    "public.violations": ofSegment("violations"),
    "public.proactive_overstay_alerts": ofSegment("proactive_overstay_alerts"),
    "public.violation_outcomes": #"""
    CREATE POLICY of_segment ON public.violation_outcomes FOR SELECT TO authenticated
      USING (EXISTS (SELECT FROM public.violations v
        WHERE v.id = violation_id AND v.\#(ofSegments)));
    CREATE POLICY own_insert ON public.violation_outcomes FOR INSERT TO authenticated
      WITH CHECK (recorded_by = auth.uid() AND EXISTS (SELECT FROM public.violations v
        WHERE v.id = violation_id AND v.\#(ofSegments)));
    CREATE POLICY own_update ON public.violation_outcomes FOR UPDATE TO authenticated
      USING (recorded_by = auth.uid() AND recorded_at > now() - interval '24 hours');
    """#,
    "public.sync_metadata": #"""
    CREATE POLICY own ON public.sync_metadata TO authenticated USING (user_id = auth.uid());
    """#,
  ]

  /// What holds for each of them. What a database grants to everybody by default is taken back.
  static func protection(of table: String) -> String {
    #"""
    ALTER TABLE \#(table) ENABLE ROW LEVEL SECURITY;
    REVOKE ALL ON \#(table) FROM PUBLIC, anon, authenticated;
    GRANT SELECT, INSERT, UPDATE, DELETE ON \#(table) TO authenticated, service_role;
    CREATE POLICY admins ON \#(table) TO authenticated USING (public.checkpost_is_admin());
    """#
  }

  private static func read(of table: String) -> String {
    "CREATE POLICY everyone ON public.\(table) FOR SELECT TO authenticated USING (true);"
  }

  private static func ofSegment(_ table: String) -> String {
    "CREATE POLICY of_segment ON public.\(table) FOR SELECT TO authenticated "
      + "USING (\(ofSegments));"
  }
}
