import EventLoop
import Glibc
public import Settings

/// Writes the configuration that a post begins with, beside it the files of its SIMs' PINs: whole or
/// not at all, readable by the service, and never over anything that somebody wrote.
public struct StarterWriter {
  /// The group of the service's user, where a package made one.
  public static let serviceGroup = "checkpost"
  /// The configuration file.
  public let path: String
  /// Whether a file stands there that sets nothing; it is kept under ``keptPath``.
  private let isReplacing: Bool

  /// Prepares to write a file.
  ///
  /// - Throws: ``StarterError``, before anybody is asked anything.
  public init(path: String) throws(StarterError) {
    self.path = path
    var isReplacing = false
    do {
      let content = try SmallFile.read(path, limit: StarterWriter.largestBytes)
      guard StarterFile.setsNothing(String(decoding: content.bytes, as: UTF8.self)),
        access(StarterWriter.keptPath(of: path), F_OK) != 0
      else { throw StarterError.exists(path: path) }
      isReplacing = true
    } catch let error as StarterError {
      throw error
    } catch SmallFile.Failure.missing {
      // As it should be.
    } catch SmallFile.Failure.system(_, isPermission: true) {
      throw .noPermission(directory: path)
    } catch {
      throw .exists(path: path)
    }
    self.isReplacing = isReplacing
    let directory = StarterWriter.directory(of: path)
    guard access(directory, F_OK) == 0 else {
      guard mkdir(directory, 0o755) == 0 else {
        throw errno == EACCES
          ? .noPermission(directory: directory)
          : .system(path: directory, reason: systemMessage(errno))
      }
      return
    }
    guard access(directory, W_OK) == 0 else { throw .noPermission(directory: directory) }
  }

  /// The file of a SIM's PIN beside the configuration: `modem.pin`, `central-modem.pin`.
  public func pinPath(of name: String) -> String {
    "\(StarterWriter.directory(of: path))/\(name).pin"
  }

  /// Where a file that set nothing is kept.
  public static func keptPath(of path: String) -> String { path + ".orig" }

  /// Writes the PINs and the configuration.
  ///
  /// - Parameter pins: Each with its file.
  /// - Returns: Where the file went that set nothing; nil when there was none.
  /// - Throws: ``StarterError``; then nothing of it is there.
  public func write(
    _ starter: StarterFile, pins: [(path: String, pin: Secret)]
  ) throws(StarterError) -> String? {
    var made: [String] = []
    do throws(StarterError) {
      for (path, pin) in pins {
        try make(path, pin.value + "\n", isSecret: true)
        made.append(path)
      }
      return try put(starter)
    } catch {
      for path in made { unlink(path) }
      throw error
    }
  }

  private func put(_ starter: StarterFile) throws(StarterError) -> String? {
    let draft = "\(path).new-\(getpid())"
    try make(draft, starter.yaml, isSecret: false)
    defer { unlink(draft) }
    do throws(SettingsError) {
      let loaded = try LoadedSettings.load(path: draft, environment: [:])
      if let problem = loaded.secretProblems().first { throw SettingsError.secret(problem) }
    } catch {
      throw .wrong(error)
    }
    let kept = StarterWriter.keptPath(of: path)
    if isReplacing, rename(path, kept) != 0 {
      throw .system(path: kept, reason: systemMessage(errno))
    }
    // A link, and no renaming: that would take the place of what came meanwhile.
    guard link(draft, path) == 0 else {
      throw errno == EEXIST
        ? .exists(path: path) : .system(path: path, reason: systemMessage(errno))
    }
    StarterWriter.sync(StarterWriter.directory(of: path))
    return isReplacing ? kept : nil
  }

  /// Makes a file that was not there, for its owner and the service's group.
  private func make(_ path: String, _ text: String, isSecret: Bool) throws(StarterError) {
    let number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else {
      switch errno {
      case EEXIST: throw .taken(path: path)
      case EACCES, EPERM: throw .noPermission(directory: StarterWriter.directory(of: path))
      default: throw .system(path: path, reason: systemMessage(errno))
      }
    }
    let descriptor = Descriptor(owning: number)
    defer { descriptor.close() }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let reason = systemMessage(errno)
        unlink(path)
        throw .system(path: path, reason: reason)
      }
      rest = rest.dropFirst(count)
    }
    share(number, isSecret: isSecret)
    _ = fsync(number)
  }

  /// Lets everybody read the configuration, in which no secret stands, and the service's group a secret
  /// that root wrote.
  private func share(_ number: Int32, isSecret: Bool) {
    guard isSecret else {
      _ = fchmod(number, 0o644)
      return
    }
    guard geteuid() == 0, let group = getgrnam(StarterWriter.serviceGroup),
      fchown(number, uid_t.max, group.pointee.gr_gid) == 0
    else { return }
    _ = fchmod(number, 0o640)
  }

  private static func sync(_ directory: String) {
    let opened = Descriptor(owning: open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    if opened.value >= 0 { _ = fsync(opened.value) }
  }

  private static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// A configuration is smaller.
  private static let largestBytes = 1 << 20
}
