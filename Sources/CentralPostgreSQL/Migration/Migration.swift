public import PostgreSQL

/// Writes the centre's schema into a database, and takes it out again.
///
/// The deployed tables keep their names, columns, constraints and policies; those that are missing are made. Nobody
/// who reads or writes them has to know of the schema `checkpost` behind them.
public enum Migration {
  /// What a database has of it.
  public struct Status: Hashable, Sendable {
    /// The version that is there; nil where there is none.
    public var version: Int64?
    /// The version that this program needs.
    public var needed: Int64
    /// Whether all rows that were there before are taken in.
    public var isAdopted: Bool
    /// Rows of the deployed table of passages, about as many as there are.
    public var rows: Int64
    /// How the tables that grow fastest are kept.
    public var partitions = TablePartitions.none

    /// Whether nothing is left to do.
    public var isComplete: Bool { version == needed && isAdopted }
  }

  /// How far it is.
  public enum Progress: Hashable, Sendable {
    /// Somebody else migrates this database; it is waited for.
    case waiting
    /// A step is done, in words.
    case done(String)
    /// So many of the rows that were there before have been looked at.
    case adopting(Int64, of: Int64)
  }

  /// The rows that are taken in in one transaction; nobody inserts meanwhile.
  static let rowsAtOnce: Int64 = 1_000

  /// What a database has of it.
  ///
  /// - Parameter countsRows: Whether the rows are counted, which takes its time where there are many.
  public static func status(
    _ connection: PostgreSQLConnection, countsRows: Bool = true
  ) throws(PostgreSQLError) -> Status {
    var status = Status(version: nil, needed: MigrationScripts.version, isAdopted: false, rows: 0)
    if countsRows, try exists("public.vehicle_passages", connection) {
      status.rows = try connection.query(
        "SELECT count(*) AS n FROM public.vehicle_passages", isReading: true
      ).firstRow().value("n", .integer)
    }
    guard try exists("checkpost.migrations", connection) else { return status }
    let row = try connection.query(
      "SELECT version, is_adopted FROM checkpost.migrations ORDER BY version DESC LIMIT 1",
      isReading: true
    ).onlyRow()
    status.version = try row?.value("version", .integer)
    status.isAdopted = try row?.value("is_adopted", .bool) ?? false
    // Nobody but the owner reads the settings; a service needs not to know.
    if let version = status.version, version >= 3, countsRows {
      let row = try connection.query(
        "SELECT partitions FROM checkpost.settings", isReading: true
      ).firstRow()
      status.partitions = TablePartitions(rawValue: try row.value(0, .text)) ?? .none
    }
    return status
  }

  /// What would be done, step by step, in words; nothing where nothing is left to do.
  ///
  /// - Parameter partitions: How the tables that grow fastest are to be kept; nil where they stay as they are.
  public static func plan(
    _ connection: PostgreSQLConnection, partitions: TablePartitions? = nil
  ) throws(PostgreSQLError) -> [String] {
    let status = try status(connection)
    var steps: [String] = []
    if status.version == nil {
      let missing = try missingTables(connection)
      if !missing.isEmpty {
        steps.append("make the tables that are missing: \(missing.joined(separator: ", "))")
      }
      steps.append("make the schema checkpost with its tables and functions")
      steps.append("add to public.violations: is_retracted, finality, doubts")
      steps.append("index the columns of the deployed tables that name a passage, where none is")
      steps.append("index public.vehicle_passages by the orders in which it is read")
      steps.append("make a profile for rangers that nobody knows")
      if try connection.query(
        "SELECT EXISTS (SELECT FROM pg_proc WHERE proname = 'fn_auto_match_passage') AS n"
      ).firstRow().value("n", .bool) {
        steps.append("disable the trigger of fn_auto_match_passage")
      }
      steps.append(
        "put triggers on public.vehicle_passages, checkposts, highway_segments, user_profiles")
    }
    if let version = status.version, version < status.needed {
      steps.append(
        "bring the schema checkpost from version \(version) to \(status.needed), and make its functions"
          + " and triggers anew")
    }
    if let partitions, partitions != status.partitions {
      steps.append("\(words(of: partitions)); nobody writes meanwhile")
    }
    if !status.isAdopted, status.rows > 0 {
      steps.append("take in and judge the \(status.rows) passages that are there")
    }
    return steps
  }

  private static func words(of partitions: TablePartitions) -> String {
    switch partitions {
    case .none: "put the partitions of checkpost.observations and passages together again"
    case .month: "divide checkpost.observations and passages into a partition for each month"
    }
  }

  /// Writes it, as far as it is not there. It may be ended at any time and begun again.
  ///
  /// - Parameters:
  ///   - partitions: How the tables that grow fastest are to be kept; nil where they stay as they are. To change
  ///     that copies them, in the same transaction.
  ///   - isDryRun: All is tried in one transaction that is undone, but for the rows that are there.
  ///   - patience: Seconds to wait for somebody else who migrates.
  ///   - progress: Told how far it is.
  /// - Throws: What the database refuses; what was committed before stands.
  public static func up(
    _ connection: PostgreSQLConnection, partitions: TablePartitions? = nil, isDryRun: Bool = false,
    patience: Int = 600, progress: (Progress) -> Void = { _ in }
  ) throws(PostgreSQLError) {
    try alone(connection, patience: patience, progress) { connection throws(PostgreSQLError) in
      let status = try status(connection)
      let isOlder = status.version.map { $0 < MigrationScripts.version } ?? true
      let isOther = partitions.map { $0 != status.partitions } ?? false
      guard isOlder || isOther else { return }
      try connection.transaction { connection throws(PostgreSQLError) in
        if isDryRun { connection.rollBackAtEnd() }
        if status.version == nil {
          try install(connection, progress)
        } else if let version = status.version, isOlder {
          try renew(connection, from: version, progress)
        }
        if let partitions, isOther { try keep(partitions, connection, progress) }
      }
    } then: { connection throws(PostgreSQLError) in
      if !isDryRun { try adopt(connection, progress) }
    }
  }

  /// Takes it out: the triggers, functions and tables of the schema go, the deployed trigger works again, and rows
  /// that were taken out of the deployed tables or changed are what they were before. What came since stays with its
  /// pairs and violations as it was judged last, and tables that were made stay with what is in them.
  ///
  /// - Parameter isDryRun: It is tried, and undone.
  public static func down(
    _ connection: PostgreSQLConnection, isDryRun: Bool = false, patience: Int = 600,
    progress: (Progress) -> Void = { _ in }
  ) throws(PostgreSQLError) {
    try alone(connection, patience: patience, progress) { connection throws(PostgreSQLError) in
      guard try exists("checkpost.migrations", connection) else { return }
      try connection.transaction { connection throws(PostgreSQLError) in
        if isDryRun { connection.rollBackAtEnd() }
        try connection.run(script: "LOCK TABLE public.vehicle_passages IN ACCESS EXCLUSIVE MODE")
        try connection.run(script: MigrationScripts.down)
        progress(.done("the schema is gone, and the deployed trigger works again"))
      }
    } then: { _ in
    }
  }

  /// What ``down(_:isDryRun:patience:progress:)`` would do, in words.
  public static func planDown(
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [String] {
    guard try exists("checkpost.migrations", connection) else { return [] }
    let removed = try connection.query(
      "SELECT count(*) AS n FROM checkpost.removed WHERE kind = 'passage'", isReading: true
    ).firstRow().value("n", .integer)
    var steps = [
      "drop the triggers on the deployed tables, and enable the deployed one again",
      "put back the \(removed) rows of public.vehicle_passages that were taken out because another row"
        + " told of the same passage",
    ]
    steps += try stepsBack(connection)
    if let outcomes = try count("public.violation_outcomes", connection) {
      steps.append("leave the table public.violation_outcomes with its \(outcomes) rows as it is")
    }
    var held: [String] = []
    for (table, name) in [
      ("inbox", "messages of the inbox"), ("observations", "reports of passages"),
      ("violations", "violations"), ("violation_revisions", "revisions of these"),
      ("accounts", "accounts"), ("sessions", "sessions"), ("api_keys", "keys"),
      ("audit", "entries of the audit log"),
    ] {
      if let count = try count("checkpost.\(table)", connection) { held.append("\(name) \(count)") }
    }
    steps.append(
      "drop the schema checkpost with all that is in it: \(held.joined(separator: ", "))")
    return steps
  }

  /// What becomes of rows that were changed, and what stays changed.
  private static func stepsBack(
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [String] {
    guard try exists("checkpost.originals", connection) else {
      return [
        "leave the rows of the deployed tables as they were judged last: what they were before was not kept by"
          + " this version; bring the schema to the newest one first to be told how many"
      ]
    }
    func number(_ text: String) throws(PostgreSQLError) -> Int64 {
      try connection.query("SELECT count(*) AS n FROM \(text)", isReading: true).firstRow()
        .value("n", .integer)
    }
    let began = "(SELECT min(applied_at) FROM checkpost.migrations)"
    var steps: [String] = []
    for (kind, table) in [
      ("passage", "vehicle_passages"), ("violation", "violations"),
      ("alert", "proactive_overstay_alerts"),
    ] {
      let changed = try number("checkpost.originals WHERE kind = '\(kind)'")
      steps.append("make the \(changed) rows of public.\(table) that were changed what they were")
    }
    let corrected = try number(
      """
      checkpost.originals o WHERE o.kind = 'passage' AND EXISTS (SELECT FROM checkpost.records r
        JOIN checkpost.corrections k ON k.record = r.number WHERE r.passage_id = o.id)
      """)
    if corrected > 0 {
      steps.append("leave the \(corrected) of these passages as they are that a person corrected")
    }
    let old = """
      public.violations v JOIN public.vehicle_passages a ON a.id = v.entry_passage_id
        JOIN public.vehicle_passages b ON b.id = v.exit_passage_id
        WHERE v.created_at >= \(began) AND a.created_at < \(began) AND b.created_at < \(began)
          AND NOT EXISTS (SELECT FROM checkpost.originals o WHERE o.kind = 'violation' AND o.id = v.id)
      """
    let isClosed = "EXISTS (SELECT FROM public.violation_outcomes o WHERE o.violation_id = v.id)"
    let found = try number("\(old) AND NOT \(isClosed)")
    steps.append("delete the \(found) violations that were found here of passages from before")
    let closed = try number("\(old) AND \(isClosed)")
    if closed > 0 {
      steps.append("leave \(closed) more of these, as it is recorded what came of them")
    }
    let later = try number("public.vehicle_passages v WHERE v.created_at >= \(began)")
    steps.append(
      "leave the \(later) passages that came since, with their pairs, violations and alerts as they were"
        + " judged last")
    let version = try connection.query(
      "SELECT min(version) AS n FROM checkpost.migrations", isReading: true
    ).firstRow().value("n", .integer)
    if version < 9 {
      steps.append(
        "leave what versions before 9 changed as it is, as they did not keep what it was before")
    }
    return steps
  }

  /// How many rows a table of our own has; nil where there is none.
  private static func count(
    _ table: String, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Int64? {
    guard try exists(table, connection) else { return nil }
    return try connection.query("SELECT count(*) AS n FROM \(table)", isReading: true).firstRow()
      .value("n", .integer)
  }

  private static func install(
    _ connection: PostgreSQLConnection, _ progress: (Progress) -> Void
  ) throws(PostgreSQLError) {
    let missing = try missingTables(connection)
    try connection.run(script: DeployedTables.roles)
    for table in DeployedTables.all where missing.contains(table.name) {
      try connection.run(script: table.script)
    }
    try protect(missing, connection)
    if !missing.isEmpty { progress(.done("made \(missing.joined(separator: ", "))")) }

    // Whoever inserts waits, and is judged then.
    try connection.run(
      script: "LOCK TABLE public.vehicle_passages IN SHARE ROW EXCLUSIVE MODE")
    try connection.run(script: MigrationScripts.begin)
    for script in JudgingSchema.tables + JudgingSchema.newer(than: 1) {
      try connection.run(script: script)
    }
    let hasColumns = try connection.query(
      "SELECT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'public.violations'::regclass"
        + " AND attname = 'is_retracted' AND NOT attisdropped) AS n"
    ).firstRow().value("n", .bool)
    try connection.run(script: MigrationScripts.columns)
    if !hasColumns { try connection.run(script: "INSERT INTO made VALUES ('violations')") }
    try connection.run(script: MigrationScripts.indexes)
    for script in JudgingSchema.functions { try connection.run(script: script) }
    progress(.done("made the schema checkpost"))
    try connection.run(script: MigrationScripts.unknownRanger)
    try connection.run(script: MigrationScripts.unknownIndex)
    try connection.run(script: MigrationScripts.orderIndexes)
    try connection.run(script: MigrationScripts.displace)
    for script in JudgingSchema.triggers { try connection.run(script: script) }
    for script in MigrationScripts.allRights { try connection.run(script: script) }
    try connection.query(
      "INSERT INTO migrations (version) VALUES ($1)", [.integer(MigrationScripts.version)])
    progress(.done("put triggers on the deployed tables"))
  }

  /// Gives tables that were made here the policies of the deployed ones.
  private static func protect(
    _ tables: [String], _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    guard tables.contains(where: { DeployedTables.policies[$0] != nil }) else { return }
    try connection.run(script: DeployedTables.questions)
    for table in tables {
      guard let policies = DeployedTables.policies[table] else { continue }
      try connection.run(script: DeployedTables.protection(of: table) + policies)
    }
  }

  /// Brings an older version to this one, with all that is in it.
  private static func renew(
    _ connection: PostgreSQLConnection, from version: Int64, _ progress: (Progress) -> Void
  ) throws(PostgreSQLError) {
    let isFirst = version < 2
    try remake(
      connection, tables: JudgingSchema.newer(than: version),
      filled: (isFirst ? JudgingSchema.filled : [])
        + (version < 8 ? [JudgingSchema.unreadableFilled, JudgingSchema.marksFilled] : []))
    try connection.run(script: MigrationScripts.unknownIndex)
    try connection.run(script: MigrationScripts.orderIndexes)
    // Earlier versions gave the tables that they made policies for one segment of a post.
    let isAsked = try connection.query(
      "SELECT to_regprocedure('public.checkpost_my_segment()') IS NOT NULL AS n"
    ).firstRow().value("n", .bool)
    if isAsked, version < 6 {
      try connection.run(
        script: DeployedTables.furtherQuestions + DeployedTables.renewedPolicies)
    }
    // Earlier versions made the table of outcomes without policies where the other tables were there.
    let outcomes = "public.violation_outcomes"
    let isOpen = try connection.query(
      """
      SELECT NOT c.relrowsecurity AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid) AS n
      FROM pg_class c WHERE c.oid = $1::text::regclass
      """, [.text(outcomes)]
    ).firstRow().value("n", .bool)
    if isOpen {
      try protect([outcomes], connection)
      progress(.done("gave \(outcomes) the policies that it was made without"))
    }
    try connection.query(
      "INSERT INTO migrations (version, is_adopted)"
        + " SELECT $1, is_adopted FROM migrations ORDER BY version DESC LIMIT 1",
      [.integer(MigrationScripts.version)])
    progress(
      .done(
        "brought the schema checkpost to version \(MigrationScripts.version), with its functions and triggers"
      ))
  }

  /// Divides the tables that grow fastest, or puts them together again.
  private static func keep(
    _ partitions: TablePartitions, _ connection: PostgreSQLConnection,
    _ progress: (Progress) -> Void
  ) throws(PostgreSQLError) {
    try remake(connection, tables: [PartitionScripts.keep(partitions)], filled: [])
    progress(.done(words(of: partitions)))
  }

  /// Changes tables while nobody is at work, with functions and triggers that are made anew behind that.
  private static func remake(
    _ connection: PostgreSQLConnection, tables: [String], filled: [String]
  ) throws(PostgreSQLError) {
    try connection.run(script: "LOCK TABLE public.vehicle_passages IN ACCESS EXCLUSIVE MODE")
    try connection.run(script: "SET LOCAL search_path = checkpost, pg_temp")
    try connection.run(script: MigrationScripts.dropFunctions)
    try connection.run(script: MigrationScripts.indexes)
    for script in tables + JudgingSchema.functions + filled { try connection.run(script: script) }
    for script in JudgingSchema.triggers { try connection.run(script: script) }
    for script in MigrationScripts.allRights { try connection.run(script: script) }
  }

  private static func adopt(
    _ connection: PostgreSQLConnection, _ progress: (Progress) -> Void
  ) throws(PostgreSQLError) {
    let status = try status(connection)
    guard !status.isAdopted else { return }
    var plate: String?
    var id: String?
    var lookedAt: Int64 = 0
    while true {
      let (last, count) = try connection.transaction(attempts: 5) {
        connection throws(PostgreSQLError) in
        let row = try connection.query(
          "SELECT after_plate, after_id::text AS after_id, looked_at"
            + " FROM checkpost.adopt($1, $2::uuid, $3)",
          [.text(plate), .text(id), .integer(rowsAtOnce)]
        ).firstRow()
        let last = (
          try row.optional("after_plate", .text), try row.optional("after_id", .text)
        )
        return (last, try row.value("looked_at", .integer))
      }
      (plate, id) = last
      lookedAt += count
      if count > 0 { progress(.adopting(lookedAt, of: max(lookedAt, status.rows))) }
      guard count == rowsAtOnce else { break }
    }
    try connection.query("UPDATE checkpost.migrations SET is_adopted = true")
    try connection.run(script: "ANALYZE checkpost.records, checkpost.identities")
    progress(.done("took in \(lookedAt) passages"))
  }

  /// One at a time migrates a database.
  private static func alone(
    _ connection: PostgreSQLConnection, patience: Int, _ progress: (Progress) -> Void,
    _ first: (PostgreSQLConnection) throws(PostgreSQLError) -> Void,
    then second: (PostgreSQLConnection) throws(PostgreSQLError) -> Void
  ) throws(PostgreSQLError) {
    var waited = 0
    while try !connection.query("SELECT pg_try_advisory_lock(7063, 0) AS n").firstRow()
      .value("n", .bool)
    {
      progress(.waiting)
      waited += 1
      if waited > patience {
        // The server's own words for a lock that does not come.
        try connection.query("SELECT pg_advisory_lock(7063, 0)")
        break
      }
      try connection.query("SELECT pg_sleep(1)")
    }
    do throws(PostgreSQLError) {
      try first(connection)
      try second(connection)
    } catch {
      // With the connection goes the lock too.
      if connection.isIdle, connection.isOpen { _ = try? unlock(connection) }
      throw error
    }
    try unlock(connection)
  }

  private static func unlock(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    try connection.query("SELECT pg_advisory_unlock(7063, 0)")
  }

  private static func exists(
    _ table: String, _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Bool {
    try connection.query(
      "SELECT to_regclass($1::text) IS NOT NULL AS n", [.text(table)], isReading: true
    ).firstRow().value("n", .bool)
  }

  private static func missingTables(
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [String] {
    var missing: [String] = []
    for table in DeployedTables.all where try !exists(table.name, connection) {
      missing.append(table.name)
    }
    // Profiles that are there already say for themselves whom they belong to.
    if !missing.contains("public.user_profiles") { missing.removeAll { $0 == "auth.users" } }
    return missing
  }
}
