import CentralCore
import CentralPostgreSQL
import Foundation
import PostgreSQL
import TestSupport
import Time

/// A database with the centre's schema, and the directory that the stories use.
struct JudgedDatabase: Sendable {
  let database: TestDatabase

  /// An empty database, migrated.
  static func make() async throws -> JudgedDatabase {
    let judged = JudgedDatabase(database: try await TestDatabase.make())
    try await judged.database.with { connection in
      try Migration.up(connection)
      try connection.run(script: directory)
      // The stories' time may be ahead of the database's.
      try connection.run(script: "UPDATE checkpost.settings SET ahead = 3000000000")
    }
    return judged
  }

  /// A version of the schema as it was released, in a database with the deployed tables.
  ///
  /// - Parameter more: What is run there before.
  static func version(_ number: Int, with more: String = "") async throws -> JudgedDatabase {
    let judged = JudgedDatabase(database: try await TestDatabase.make())
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../PostgreSQL/version-\(number).sql").path
    let script = try String(contentsOfFile: path, encoding: .utf8)
    try await judged.with { connection in
      // What that leaves are the deployed tables alone.
      try Migration.up(connection)
      try Migration.down(connection)
      try connection.run(script: more + script)
      try connection.run(script: directory)
    }
    return judged
  }

  /// The segment of `sampleRoute`, its posts, a ranger at each and an admin.
  static let directory = """
    INSERT INTO auth.users (id) VALUES
      ('0d000000-0000-4000-8000-00000000000a'), ('0d000000-0000-4000-8000-00000000000b'),
      ('0d000000-0000-4000-8000-00000000000c') ON CONFLICT DO NOTHING;
    INSERT INTO public.parks (id, name, code)
      VALUES ('0a000000-0000-4000-8000-000000000001', 'Park', 'P');
    INSERT INTO public.highway_segments (id, park_id, name, distance_km, max_speed_kmh, min_speed_kmh)
      VALUES ('0b000000-0000-4000-8000-000000000001', '0a000000-0000-4000-8000-000000000001', 'Banepa',
        30, 60, 20);
    INSERT INTO public.checkposts (id, segment_id, name, code, position_index) VALUES
      ('0c000000-0000-4000-8000-00000000000a', '0b000000-0000-4000-8000-000000000001', 'East', 'BNP-A', 0),
      ('0c000000-0000-4000-8000-00000000000b', '0b000000-0000-4000-8000-000000000001', 'West', 'BNP-B', 1);
    INSERT INTO public.user_profiles (id, full_name, role, assigned_checkpost_id, phone_number) VALUES
      ('0d000000-0000-4000-8000-00000000000a', 'Sita', 'ranger', '0c000000-0000-4000-8000-00000000000a',
        '+9779800004567'),
      ('0d000000-0000-4000-8000-00000000000b', 'Ram', 'ranger', '0c000000-0000-4000-8000-00000000000b',
        '+9779800009801'),
      ('0d000000-0000-4000-8000-00000000000c', 'Gita', 'admin', NULL, NULL);
    """

  /// Does something with a connection, on a thread of its own.
  func with<Value: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
  ) async throws -> Value {
    try await database.with(body)
  }

  /// Hands arrivals in, in batches, over several connections at once.
  func take(
    _ batches: [[JudgingWorld.Arrival]], connections: Int, at now: WallTime
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for part in 0..<connections {
        let own = batches.indices.filter { $0 % connections == part }.map { batches[$0] }
        group.addTask {
          try await database.with { connection in
            let judging = JudgingDatabase(connection)
            for batch in own {
              try judging.take(batch.map(\.arrived), at: now)
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

extension JudgingDatabase {
  /// Does all that the clock asks for.
  @discardableResult
  func tick(at now: WallTime) throws(PostgreSQLError) -> ClockDuties {
    var duties = try clock(at: now)
    while let next = duties.next, next <= now {
      let more = try clock(at: now)
      duties.changes.append(more.changes)
      duties.next = more.next
    }
    return duties
  }

  /// Judges again what has to be.
  @discardableResult
  func rejudgeAll(
    _ rules: JudgingRules = JudgingRules(), everything: Bool = false, limit: Int = 50,
    at now: WallTime
  ) throws(PostgreSQLError) -> JudgedChanges {
    var step = try rejudge(rules: rules, everything: everything, limit: limit, at: now)
    var changes = step.changes
    while !step.isDone {
      step = try rejudge(rules: rules, limit: limit, at: now)
      changes.append(step.changes)
    }
    return changes
  }
}

extension JudgingWorld.Arrival {
  /// The same as a store takes it.
  var arrived: PassageArrival {
    switch self {
    case .observation(let observation): PassageArrival(observation)
    case .correction(let correction): PassageArrival(correction)
    }
  }
}
