/// The five characters by which PostgreSQL names a condition, whatever language its words are in
/// (its documentation, appendix A).
public struct SQLState: Hashable, Sendable, CustomStringConvertible {
  /// The five characters.
  public let code: String

  /// A condition by its code; nil when these are not five capital letters and digits.
  public init?(_ code: String) {
    guard code.utf8.count == 5,
      code.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
    else { return nil }
    self.code = code
  }

  private init(known code: String) {
    self.code = code
  }

  /// The first two characters, which name the class.
  public var category: Substring { code.prefix(2) }

  /// The five characters.
  public var description: String { code }

  /// Another row has the same key.
  public static let uniqueViolation = SQLState(known: "23505")
  /// What a row refers to is not there, or something refers to what is removed.
  public static let foreignKeyViolation = SQLState(known: "23503")
  /// A value is missing that has to be there.
  public static let notNullViolation = SQLState(known: "23502")
  /// A check of a table refused the row.
  public static let checkViolation = SQLState(known: "23514")
  /// Two rows exclude each other.
  public static let exclusionViolation = SQLState(known: "23P01")
  /// Transactions that run at once cannot be put into an order.
  public static let serializationFailure = SQLState(known: "40001")
  /// Two transactions wait for each other.
  public static let deadlockDetected = SQLState(known: "40P01")
  /// A lock was not to be had in time.
  public static let lockNotAvailable = SQLState(known: "55P03")
  /// A statement took too long, or somebody ended it.
  public static let queryCanceled = SQLState(known: "57014")
  /// A change in a transaction or on a server that takes none.
  public static let readOnlyTransaction = SQLState(known: "25006")
  /// The transaction has failed already.
  public static let failedTransaction = SQLState(known: "25P02")
  /// A prepared statement that the server does not know.
  public static let unknownStatement = SQLState(known: "26000")
  /// Something that the server cannot do.
  public static let notSupported = SQLState(known: "0A000")
}
