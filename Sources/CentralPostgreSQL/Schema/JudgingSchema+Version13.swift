/// What version 13 has beside the ones before, in the order in which it is run: less to be done for each row.
extension JudgingSchema {
  static let version13 = [lighter]

  private static let lighter = #"""
    -- A reference to a record was looked up, and the record locked, for each row. All who write these tables write the
    -- record before, and what drops one drops these with it.
    ALTER TABLE identities DROP CONSTRAINT IF EXISTS identities_record_fkey;
    ALTER TABLE observations DROP CONSTRAINT IF EXISTS observations_record_fkey;
    -- `records_content` begins with it.
    DROP INDEX IF EXISTS records_received_plate;
    """#
}
