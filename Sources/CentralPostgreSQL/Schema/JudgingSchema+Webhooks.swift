/// What was refused to providers.
extension JudgingSchema {
  /// A problem that lasts is known after a restart too.
  static let webhookRefusals = #"""
    CREATE TABLE webhook_refusals (
      path text COLLATE "C" NOT NULL,
      kind text COLLATE "C" NOT NULL,
      words text NOT NULL,
      n bigint NOT NULL CHECK (n > 0),
      since timestamptz NOT NULL,
      last_at timestamptz NOT NULL,
      PRIMARY KEY (path, kind)
    );
    """#

  /// What a service may do that does not own the schema.
  static let webhookRights = #"""
    GRANT INSERT, UPDATE, DELETE ON checkpost.webhook_refusals TO service_role;
    """#
}
