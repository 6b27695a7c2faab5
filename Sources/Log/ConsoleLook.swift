/// How the place that a service's log is shown at looks.
public struct ConsoleLook: Sendable {
  /// Whether it shows colours.
  public var isColoured: Bool
  /// Its width, asked for each line since a window may change; nil where lines are not broken: a file, a
  /// pipe.
  public var columns: @Sendable () -> Int?

  /// A look; by default that of a file.
  public init(isColoured: Bool = false, columns: @escaping @Sendable () -> Int? = { nil }) {
    self.isColoured = isColoured
    self.columns = columns
  }
}
