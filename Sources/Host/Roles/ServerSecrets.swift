// Where a C structure lies is told by what the compiler happens to read first.
import CDispatch
import Dispatch
import Glibc
import Settings

/// What the node shows its server: the key, the token, the password.
struct ServerSecrets: Hashable, Sendable {
  /// The settings that name their files.
  static let keys = ["server.api_key_file", "server.token_file", "server.password_file"]

  var apiKey: Secret?
  var token: Secret?
  var password: Secret?

  /// None.
  init() {}

  /// Reads their files.
  ///
  /// - Throws: `SettingsError.secret` when one cannot be used.
  init(_ loaded: LoadedSettings) throws(SettingsError) {
    apiKey = try loaded.serverAPIKey()
    token = try loaded.serverToken()
    password = try loaded.serverPassword()
  }

  /// The settings whose files hold something else now.
  func changes(since old: ServerSecrets) -> [String] {
    let isOther = [apiKey != old.apiKey, token != old.token, password != old.password]
    return zip(ServerSecrets.keys, isOther).filter { $0.1 }.map { $0.0 }
  }
}

/// What the file system says of files. It changes with whatever is done to one of them.
struct FileStamps: Hashable, Sendable {
  private struct Stamp: Hashable, Sendable {
    var device: UInt
    var inode: UInt
    var size: Int
    var seconds: Int
    var nanoseconds: Int
  }

  private let stamps: [Stamp?]

  /// Looks at them; none is opened. A pipe never changes: what it had to say was said when it was read.
  init(_ paths: [String]) {
    stamps = paths.map { path in
      var about = stat()
      guard stat(path, &about) == 0 else { return nil }
      guard about.st_mode & S_IFMT == S_IFREG || about.st_mode & S_IFMT == S_IFDIR else {
        return Stamp(device: 0, inode: 0, size: 0, seconds: 0, nanoseconds: 0)
      }
      return Stamp(
        device: UInt(about.st_dev), inode: UInt(about.st_ino), size: Int(about.st_size),
        seconds: about.st_ctim.tv_sec, nanoseconds: about.st_ctim.tv_nsec)
    }
  }
}
