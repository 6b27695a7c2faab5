/// The bounds of what a request may ask for, in one place.
public enum RestLimits {
  /// Characters of why a passage is withdrawn that are kept.
  static let reasonCharacters = 500

  /// Characters of what people call something or somebody.
  static let nameCharacters = 200
  /// Vehicles that are judged at most to tell what a change of the directory does, while nobody else writes.
  public static let triedVehicles = 1_000

  /// Devices of an account that are remembered: those that told something last.
  public static let devices = 1_000

  /// Rows of one answer at most, whatever is asked for.
  public static let rows = 1_000
  /// Bytes of the rows of one answer at most: what a caller asks for is held in memory several times over while it is
  /// put together.
  public static let answerBytes = 4 << 20
  /// Rows that are changed in one transaction; what comes in meanwhile is kept between two of them.
  static let changedAtOnce = 50
  /// How often one column, or one relation, may stand in a level of a selection: by its own name, and by one that the
  /// request gives it.
  static let sameColumns = 2
  /// Bytes of a body at most.
  public static let bodyBytes = 1 << 20
  /// Rows of one body at most.
  public static let bodyRows = 1_000
  /// Bytes of one text in a body or a filter.
  public static let textBytes = 4_096
  /// Levels of lists and objects in a body.
  public static let nesting = 16
  /// Values in a body, over all its rows.
  static let bodyValues = 65_536

  /// Bytes of the query of an address.
  public static let queryBytes = 65_536
  /// Parameters of a query.
  static let queryItems = 64
  /// Conditions of a query, over all its groups.
  static let conditions = 128
  /// Levels of groups of conditions.
  static let groups = 8
  /// Values of one list of a condition.
  static let listed = 1_000
  /// Wildcards of a pattern: each multiplies what a search costs.
  static let wildcards = 6
  /// Bytes of a pattern.
  static let patternBytes = 200

  /// Steps that a regular expression has at most. PostgreSQL reads one before it searches: 500 steps in up to half a
  /// second, 2,000 in more than ten.
  static let patternSteps = 500

  /// Columns and relations of one level of a selection; functions of SQL take no more arguments.
  static let items = 48
  /// Relations of a selection, over all its levels.
  static let relations = 16
  /// Levels of relations in a selection.
  static let relationLevels = 5
  /// Seconds that a post's clock may be ahead at most, however the office is set up.
  public static let aheadSeconds: Int64 = 86_400
  /// Seconds that the clock of whoever notes what came of a violation may be ahead.
  static let outcomeAheadSeconds: Int64 = 120
  /// Characters of a name that a selection gives.
  static let aliasCharacters = 63
  /// Columns that an answer is sorted by.
  static let orders = 8
  /// How far down an answer may begin.
  static let offset = 1_000_000_000
}
