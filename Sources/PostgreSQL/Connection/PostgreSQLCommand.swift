/// A statement with what its parameters are to be.
public struct PostgreSQLCommand: Hashable, Sendable {
  /// The statement: one, with `$1` and so on for its parameters. It is prepared under its text, so that it is
  /// best a constant.
  public var text: String
  /// The values of the parameters.
  public var values: [PostgreSQLValue]

  /// A statement.
  public init(_ text: String, _ values: [PostgreSQLValue] = []) {
    self.text = text
    self.values = values
  }
}
