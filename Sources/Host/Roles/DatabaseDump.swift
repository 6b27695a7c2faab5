import EventLoop
import Glibc
import PostgreSQL
public import Settings
public import Storage
import Text

/// A PostgreSQL database of central as one file, by the programs that come with PostgreSQL: `pg_dump` writes its
/// custom format, which `pg_restore` reads.
public struct DatabaseDump {
  private let settings: PostgreSQLSettings

  /// The database that central's settings name.
  ///
  /// - Throws: `StorageError` when they name none.
  public init(_ settings: Settings.Central) throws(StorageError) {
    var database = try CentralStores.database(settings.postgresql)
    database.applicationName = "checkpost-backup"
    self.settings = database
  }

  /// How long a database may take; those of years are large.
  private static let longest: Duration = .seconds(24 * 3_600)

  /// Saves all that the database holds, as it is at one moment, while centrals go on.
  ///
  /// - Parameter path: the file; it is written beside it first, and has the name once it is whole and on disk.
  /// - Throws: `StorageError`, with what the program said; then nothing is left at `path` that was not there.
  public func write(to path: String) throws(StorageError) {
    let draft = "\(path).\(getpid()).new"
    let descriptor = Glibc.open(draft, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw StorageError(
        .denied, of: path, problem: "\(path) cannot be written (\(systemMessage(errno)))",
        remedy: "Name a file in a directory where this user may write")
    }
    defer { close(descriptor) }
    defer { unlink(draft) }
    try run("pg_dump", ["--format=custom", "--file=\(draft)"], of: path)
    guard fsync(descriptor) == 0, rename(draft, path) == 0 else {
      throw StorageError(
        .failed, of: path, problem: "\(path) cannot be written (\(systemMessage(errno)))",
        remedy: "See whether the disk is full")
    }
  }

  /// Puts what a file holds in the place of what the database has: all of it, or nothing where something fails.
  ///
  /// - Throws: `StorageError`, with what the program said.
  public func restore(from path: String) throws(StorageError) {
    try run(
      "pg_restore", ["--clean", "--if-exists", "--single-transaction", "--exit-on-error"], of: path,
      file: path)
  }

  /// Whether a file is one of `pg_dump` in its custom format.
  public static func isDump(_ path: String) -> Bool {
    let descriptor = Descriptor(owning: open(path, O_RDONLY | O_CLOEXEC))
    defer { descriptor.close() }
    guard descriptor.value >= 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 5)
    let count = bytes.withUnsafeMutableBytes { read(descriptor.value, $0.baseAddress, $0.count) }
    return count == 5 && bytes == Array("PGDMP".utf8)
  }

  private func run(
    _ program: String, _ arguments: [String], of path: String, file: String? = nil
  ) throws(StorageError) {
    guard let place = Self.place(of: program) else {
      throw StorageError(
        .missing, of: program, problem: "\(program) is not installed",
        remedy: "apt-get install postgresql-client, of the server's version or a newer one")
    }
    let connection: String
    let environment: [String: String]
    do {
      (connection, environment) = try settings.forPrograms()
    } catch {
      throw StorageError(
        .missing, of: "central.postgresql", problem: error.problem,
        remedy: "Correct central.postgresql")
    }
    let said = try Self.temporaryFile()
    defer { unlink(said) }
    var command = ChildCommand(
      [place] + arguments + ["--no-password", "--dbname=\(connection)"] + (file.map { [$0] } ?? []),
      timeout: Self.longest)
    command.environment = environment
    command.errors = said
    let outcome = command.run(clocks: SystemClocks())
    guard outcome != .ended(code: 0) else { return }
    let words = (try? SmallFile.read(said, limit: 1 << 20)).map {
      String(decoding: $0.bytes, as: UTF8.self).split(separator: "\n").prefix(2)
        .joined(separator: " ")
    }
    throw StorageError(
      .refused, of: path, problem: "\(program): \(words ?? "\(outcome)")",
      remedy: "Correct that, and try again; nothing was changed")
  }

  /// A file for what a program says, which nobody else could have put there.
  private static func temporaryFile() throws(StorageError) -> String {
    var path = Array("/tmp/checkpost-XXXXXX".utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else {
      throw StorageError(
        .full, of: "/tmp", problem: "/tmp takes no file (\(systemMessage(errno)))",
        remedy: "Make room there")
    }
    close(descriptor)
    return path.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  /// Where a program lies: as the shell finds it, or where Debian has those of each version of the server.
  private static func place(of program: String) -> String? {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    let versions = (10...40).reversed().map { "/usr/lib/postgresql/\($0)/bin" }
    return (path.split(separator: ":").map(String.init) + ["/usr/bin"] + versions)
      .map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }
}
