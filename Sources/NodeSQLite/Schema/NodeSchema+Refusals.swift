extension NodeSchema {
  /// Attempts belong to what they were made for: since when the server has not taken it, and why it is given
  /// up. What was given up for now has its next moment too, and is found by it.
  static let refusals = """
    -- When the server was first handed it and did not take it, by the node's clock.
    ALTER TABLE uploads ADD COLUMN missed_t INTEGER;
    -- Why it was given up for good; NULL where it was not, or by an older version.
    ALTER TABLE uploads ADD COLUMN refusal TEXT CHECK (\(isOne("refusal", "value", "policy", "attempts")));

    -- What an older version gave up for now is tried again as soon as there is a line.
    UPDATE uploads SET missed_t = (SELECT since_t FROM passages WHERE passages.id = passage_id)
    WHERE status = 'failed';

    -- What was refused for good has no next moment unless its refusal gives it one.
    UPDATE uploads SET next_t = NULL WHERE status = 'failed' AND last_error_class = 'permanent';

    CREATE INDEX uploads_again ON uploads (next_t)
      WHERE status = 'failed' AND next_t IS NOT NULL;
    CREATE INDEX uploads_missed ON uploads (missed_t)
      WHERE missed_t IS NOT NULL AND \(ofPassage) AND \(isUntaken);
    """

  /// The condition that an upload waits, or was given up.
  static let isUntaken = isOne("status", "pending", "failed")
  /// The same where other tables have a status, too.
  static let isUntakenUpload = isOne("uploads.status", "pending", "failed")
}
