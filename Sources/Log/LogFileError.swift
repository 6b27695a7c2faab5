/// Why a log file cannot be written or read.
public enum LogFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no log file, and none is being written.
  case missing(path: String)
  /// The directory of the file does not exist.
  case missingDirectory(path: String)
  /// The path names a directory.
  case isDirectory(path: String)
  /// The path names a pipe or a socket, which holds up whoever writes.
  case isPipe(path: String)
  /// This user may not use the file.
  case noPermission(path: String)
  /// The disk is full or read-only for now.
  case noStorage(path: String, reason: String)
  /// Another service writes it.
  case inUse(path: String)
  /// Anything else the system answered.
  case system(path: String, reason: String)

  /// What is wrong and what to do, in one line.
  public var description: String {
    switch self {
    case .missing(let path):
      "\(path): no log file yet; start the service, or correct log.file in the configuration"
    case .missingDirectory(let path):
      "\(path): the directory of the log file does not exist; make it, or correct log.file"
    case .isDirectory(let path):
      "\(path): is a directory; set log.file to a file in it"
    case .isPipe(let path):
      "\(path): is a pipe or a socket, which is no log file; set log.file to a file"
    case .noPermission(let path):
      "\(path): no permission; run as the service's user, or as one of its group"
    case .noStorage(let path, let reason):
      "\(path): the log file cannot be written (\(reason)); make room on that disk, or mount it"
        + " read-write"
    case .inUse(let path):
      "\(path): another service writes this log; stop it, or give each service a log.file of its own"
    case .system(let path, let reason):
      "\(path): the log file cannot be used (\(reason)); check its file system"
    }
  }
}
