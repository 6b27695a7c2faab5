extension Schema {
  /// Why a passage never was, where somebody who may do so said that.
  static let withdrawals = """
    ALTER TABLE corrections ADD COLUMN withdrawal TEXT;
    ALTER TABLE early_corrections ADD COLUMN withdrawal TEXT;
    """
}
