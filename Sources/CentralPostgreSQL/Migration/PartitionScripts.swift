/// How the tables of the schema that grow fastest are kept.
public enum TablePartitions: String, CaseIterable, Hashable, Sendable {
  /// Each whole.
  case none
  /// In a partition for each month in which vehicles passed.
  case month
}

/// What divides the tables, and what puts them together again. The functions are dropped before it, since they take
/// and return rows of these tables, and made anew behind it.
enum PartitionScripts {
  /// Keeps the tables so; with all that is in them.
  static func keep(_ partitions: TablePartitions) -> String {
    """
    UPDATE settings SET partitions = '\(partitions.rawValue)';
    \(table("observations", column: "record", key: "record, number", partitions))
    \(table("passages", column: "row_number", key: "row_number", partitions))
    \(partitions == .none ? identity : numbers)
    """
  }

  /// Makes a table anew. Its own indexes and constraints are those that the former one had, but for the primary key,
  /// which has to hold what a table is divided by.
  private static func table(
    _ name: String, column: String, key: String, _ partitions: TablePartitions
  ) -> String {
    let isDivided = partitions == .month
    return """
      DO $$
      DECLARE
        scripts text[] := ARRAY(
          SELECT replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') FROM pg_index i
          WHERE i.indrelid = 'checkpost.\(name)'::regclass
            AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid));
        references_named text[] := ARRAY(
          SELECT format('ALTER TABLE \(name) ADD CONSTRAINT %I %s', c.conname, pg_get_constraintdef(c.oid))
          FROM pg_constraint c WHERE c.conrelid = 'checkpost.\(name)'::regclass AND c.contype = 'f');
        each record;
        script text;
      BEGIN
        FOR each IN
          SELECT c.conname AS name FROM pg_constraint c
          WHERE c.conrelid = 'checkpost.\(name)'::regclass AND c.contype IN ('f', 'p')
        LOOP
          EXECUTE format('ALTER TABLE \(name) DROP CONSTRAINT %I', each.name);
        END LOOP;
        FOR each IN
          SELECT i.indexrelid::regclass::text AS name FROM pg_index i
          WHERE i.indrelid = 'checkpost.\(name)'::regclass
        LOOP
          EXECUTE format('DROP INDEX %s', each.name);
        END LOOP;
        ALTER TABLE \(name) RENAME TO \(name)_before;
        \(isDivided ? "" : "IF to_regclass('checkpost.observations_numbers') IS NOT NULL THEN "
          + "ALTER SEQUENCE observations_numbers OWNED BY NONE; END IF;")
        CREATE TABLE \(name) (LIKE \(name)_before INCLUDING CONSTRAINTS INCLUDING DEFAULTS INCLUDING STORAGE)
          \(isDivided ? "PARTITION BY RANGE (\(column))" : fillFactors[name] ?? "");
        ALTER TABLE \(name) ADD CONSTRAINT \(name)_pkey PRIMARY KEY (\(isDivided ? key : plainKeys[name] ?? key));
        \(isDivided ? partitionsOf(name) : "")
        INSERT INTO \(name) SELECT * FROM \(name)_before;
        DROP TABLE \(name)_before;
        FOREACH script IN ARRAY scripts || references_named LOOP
          EXECUTE script;
        END LOOP;
      END $$;
      """
  }

  /// What came before the division, and what passed when nobody knew the time; each of the last twelve months and of
  /// the next two; and all others, for which partitions are made when their time comes.
  private static func partitionsOf(_ name: String) -> String {
    """
    CREATE TABLE \(name)_before_division PARTITION OF \(name) FOR VALUES FROM (MINVALUE) TO (1::bigint << 40)
      WITH (fillfactor = 90);
    CREATE TABLE \(name)_other PARTITION OF \(name) DEFAULT WITH (fillfactor = 90);
    FOR each IN
      SELECT m.at, ((extract(year FROM m.at) - 1970) * 12 + extract(month FROM m.at) - 1)::bigint AS month
      FROM generate_series(date_trunc('month', now() AT TIME ZONE 'UTC') - interval '12 months',
        date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months', interval '1 month') AS m(at)
    LOOP
      EXECUTE format('CREATE TABLE %I PARTITION OF \(name) FOR VALUES FROM (%s) TO (%s) WITH (fillfactor = 90)',
        '\(name)' || to_char(each.at, '_YYYY_MM'), each.month << 40, each.month + 1 << 40);
    END LOOP;
    """
  }

  private static let plainKeys = ["observations": "number"]
  private static let fillFactors = ["passages": "WITH (fillfactor = 90)"]

  /// A divided table has no column of identity, so its numbers come of a sequence.
  private static let numbers = #"""
    DO $$
    BEGIN
      CREATE SEQUENCE IF NOT EXISTS observations_numbers;
      PERFORM setval('observations_numbers', (SELECT coalesce(max(number), 0) + 1 FROM observations), false);
      ALTER TABLE observations ALTER COLUMN number SET DEFAULT nextval('checkpost.observations_numbers');
      ALTER SEQUENCE observations_numbers OWNED BY observations.number;
    END $$;
    """#

  private static let identity = #"""
    DO $$
    BEGIN
      ALTER TABLE observations ALTER COLUMN number DROP DEFAULT;
      DROP SEQUENCE IF EXISTS observations_numbers;
      ALTER TABLE observations ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY;
      PERFORM setval(pg_get_serial_sequence('checkpost.observations', 'number'),
        (SELECT coalesce(max(number), 0) + 1 FROM observations), false);
    END $$;
    """#
}
