extension DeployedTables {
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
      USING (segment_id = public.checkpost_my_segment());
    CREATE POLICY own_post ON public.vehicle_passages FOR INSERT TO authenticated
      WITH CHECK (checkpost_id = public.checkpost_my_post());
    CREATE POLICY own ON public.vehicle_passages FOR UPDATE TO authenticated USING (ranger_id = auth.uid());
    """#,
    "public.violations": ofSegment("violations"),
    "public.proactive_overstay_alerts": ofSegment("proactive_overstay_alerts"),
    "public.violation_outcomes": #"""
    CREATE POLICY of_segment ON public.violation_outcomes FOR SELECT TO authenticated
      USING (EXISTS (SELECT FROM public.violations v
        WHERE v.id = violation_id AND v.segment_id = public.checkpost_my_segment()));
    CREATE POLICY own_insert ON public.violation_outcomes FOR INSERT TO authenticated
      WITH CHECK (recorded_by = auth.uid() AND EXISTS (SELECT FROM public.violations v
        WHERE v.id = violation_id AND v.segment_id = public.checkpost_my_segment()));
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
      + "USING (segment_id = public.checkpost_my_segment());"
  }
}
