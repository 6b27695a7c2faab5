public import JSON

/// What a service tells line by line, for as long as whoever asked stays.
///
/// The server takes lines only when the last ones are on their way, so that what waits for a slow reader
/// waits where the lines come from, within that bound.
public struct ControlStream: Sendable {
  /// What there is to tell now.
  public struct Batch: Sendable {
    /// Lines of JSON, each without its end, oldest first.
    public var lines: [String]
    /// Why nothing comes after them; nil while the stream goes on.
    public var end: ControlRefusal?

    /// Lines, and after them more or an end.
    public init(lines: [String], end: ControlRefusal? = nil) {
      self.lines = lines
      self.end = end
    }
  }

  /// Takes so many lines at most; does not wait.
  let take: @Sendable (Int) -> Batch
  /// Called once when nobody reads any more.
  let end: @Sendable () -> Void

  /// A stream of the lines that `take` returns, which is asked for so many at most and must not block.
  public init(
    take: @escaping @Sendable (Int) -> Batch, whenLeft end: @escaping @Sendable () -> Void
  ) {
    self.take = take
    self.end = end
  }
}

/// A line of a stream, as whoever asked reads it.
public enum ControlLine: Hashable, Sendable {
  /// What is told.
  case told([String: JSONValue])
  /// Nothing more comes, for this reason.
  case ended(ControlRefusal)
}
