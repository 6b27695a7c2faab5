public import Settings

/// Why no configuration was begun. What stands already is never written over.
public enum StarterError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A configuration stands there already.
  case exists(path: String)
  /// Another file that would be made stands there already.
  case taken(path: String)
  /// This user may not write there.
  case noPermission(directory: String)
  /// What would stand in the file is no configuration.
  case wrong(SettingsError)
  /// What the system says.
  case system(path: String, reason: String)

  /// What is wrong and what to do, in one line.
  public var description: String {
    switch self {
    case .exists(let path):
      "\(path): is there already and is not written over; edit it and run checkpost config check, or"
        + " name another file by --config"
    case .taken(let path): "\(path): is there already and is not written over; move it away"
    case .noPermission(let directory):
      "\(directory): this user may not write there; run sudo checkpost config init, or name a file"
        + " elsewhere by --config"
    case .wrong(let error): "\(error)"
    case .system(let path, let reason): "\(path): cannot be written (\(reason))"
    }
  }
}
