import Control
import Glibc
import PassageFiles

/// The example that the demo tells: the files of a directory, or those that are built into the program,
/// which are the project's own.
enum DemoExamples {
  case builtIn
  case directory(String)

  /// The names of the files, without `.csv`.
  static let names = ["segments", "posts", "rangers", "passages"]

  /// The files of a directory, or those that are built in when none is named.
  ///
  /// - Throws: ``CommandFailure`` when the directory lacks the passages.
  init(_ directory: String?) throws(CommandFailure) {
    guard let directory else {
      self = .builtIn
      return
    }
    guard access(directory + "/passages.csv", R_OK) == 0 else {
      throw CommandFailure(
        errno == EACCES ? .noPermission : .inputOutput,
        "\(directory): has no passages.csv; name a directory that has, or leave out --examples")
    }
    self = .directory(directory)
  }

  /// What a file is called where it is spoken of.
  func path(_ name: String) -> String {
    switch self {
    case .builtIn: "\(name).csv"
    case .directory(let directory): "\(directory)/\(name).csv"
    }
  }

  /// What stands in a file.
  func bytes(_ name: String) throws -> [UInt8] {
    switch self {
    case .builtIn:
      switch name {
      case "segments": PackageResources.segments_csv
      case "posts": PackageResources.posts_csv
      case "rangers": PackageResources.rangers_csv
      default: PackageResources.passages_csv
      }
    case .directory: try DemoExamples.read(path(name))
    }
  }

  private static func read(_ path: String) throws -> [UInt8] {
    try InputFile(path).all(limit: CentralImport.fileBytes)
  }
}
