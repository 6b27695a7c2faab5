extension Operations {
  /// Close the database of the node or of central, and open it again when the command that asks has left: another one is
  /// put in its place meanwhile. ``closed`` follows the answer when it is closed and its lock is free. Passages that
  /// are recorded meanwhile wait.
  public struct ReleaseStore: ControlOperation {
    /// That it begins.
    public typealias Answer = NothingToTell

    /// Its name in a request.
    public static let name = "release_store"
    /// What is wrong with a request that lacks something.
    public static let isMissing = "database is what the file is known by"
    /// The line that says that the database is closed.
    public static let closed = #"{"closed":true}"#

    /// What the file is known by.
    public var database: String

    /// A request for that database.
    public init(database: String) {
      self.database = database
    }
  }
}
