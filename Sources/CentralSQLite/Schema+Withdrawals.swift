import GRDB

extension Schema {
  /// Why a passage never was, where somebody who may do so said that. What is there already stays: a file whose
  /// passages were moved has it.
  static func addWithdrawals(_ database: Database) throws {
    for table in ["corrections", "early_corrections"] {
      try addColumn("withdrawal TEXT", to: table, database)
    }
  }
}
