extension JudgingSchema {
  /// Why a passage never was, where somebody who may do so said that.
  static let withdrawals = #"""
    ALTER TABLE corrections ADD COLUMN withdrawal text COLLATE "C";
    CREATE INDEX corrections_withdrawn ON corrections (record) WHERE withdrawal IS NOT NULL;
    """#
}
