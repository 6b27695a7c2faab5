extension NodeSchema {
  /// What an upload must be for its turn: the condition of the indexes that find it. One that waits for
  /// something else (a photograph for its passage, a passage for its time) has no next moment.
  static let uploadable = "status = 'pending' AND next_t IS NOT NULL"

  /// What makes an upload the one of the passage itself.
  static let ofPassage = "kind = 'passage'"

  /// The condition that a text for a row of the view `queue` is with a modem.
  static let hasOpenText = """
    EXISTS (SELECT 1 FROM texts
      WHERE texts.delivery_id = queue.delivery_id AND texts.outcome = 'intent')
    """

  /// The condition on a row of `queue` that the network may still report what became of a text for it:
  /// what no sweep has given up yet.
  static let isReportOpen = """
    (queue.sms_sent = 1 AND queue.undelivered = 0 AND EXISTS (
      SELECT 1 FROM texts WHERE texts.delivery_id = queue.delivery_id
        AND texts.outcome = 'accepted' AND \(openReport)))
    """

  /// The condition on a text that a report on one of its parts is still to come.
  static let openReport = """
    texts.id > coalesce((SELECT value FROM meta WHERE key = 'reports_settled_text'), 0)
      AND EXISTS (SELECT 1 FROM text_parts WHERE text_id = texts.id
        AND (delivery IS NULL OR delivery = 'trying'))
    """

  /// The condition that the network has reported of every accepted text of a delivery that it did not
  /// arrive. That no report came says nothing: such a text may have arrived.
  ///
  /// - Parameter delivery: what stands for the delivery in the statement.
  static func isLost(_ delivery: String) -> String {
    """
    (EXISTS (SELECT 1 FROM texts WHERE delivery_id = \(delivery) AND outcome = 'accepted')
      AND NOT EXISTS (SELECT 1 FROM texts
        WHERE delivery_id = \(delivery) AND outcome = 'accepted' AND NOT EXISTS (
          SELECT 1 FROM text_parts WHERE text_id = texts.id AND (delivery = 'failed'
            OR (delivery = 'expired' AND delivery_status IS NOT NULL)))))
    """
  }

  /// The condition that something of a passage may have left this machine: the server was asked to take
  /// it and did not refuse it for good, or a text of it is or may be on air.
  static func hasLeft(_ passage: String) -> String {
    """
    (EXISTS (SELECT 1 FROM uploads WHERE passage_id = \(passage) AND \(ofPassage)
        AND NOT (status = 'pending' AND last_attempt_at_ms IS NULL)
        AND NOT (status = 'failed' AND last_error_class = 'permanent'))
      OR EXISTS (SELECT 1 FROM text_deliveries
        JOIN texts ON texts.delivery_id = text_deliveries.id
        WHERE passage_id = \(passage)
          AND (outcome = 'accepted' OR outcome = 'unknown' OR outcome = 'intent')))
    """
  }
}
