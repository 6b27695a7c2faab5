import EventLoop

/// Where the password comes from. However it is printed, it does not show.
public enum PostgreSQLPassword: Hashable, Sendable {
  /// There is none, or the user's own `.pgpass` has it.
  case none
  /// This one.
  case text(String)
  /// What stands in this file, read anew for each connection, so that another one needs no restart.
  case file(String)

  /// The password itself; nil for none.
  func read() throws(PostgreSQLError) -> String? {
    switch self {
    case .none: return nil
    case .text(let text): return text
    case .file(let path):
      let bytes: [UInt8]
      do throws(SmallFile.Failure) {
        bytes = try SmallFile.read(path, limit: Limits.passwordBytes).bytes
      } catch {
        throw .unusableSettings(
          reason: "the password in \(path): \(PostgreSQLPassword.words(error))")
      }
      let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
      guard !line.isEmpty, !line.contains(0) else {
        throw .unusableSettings(reason: "\(path) has no password in its first line")
      }
      return String(decoding: line, as: UTF8.self)
    }
  }

  private static func words(_ failure: SmallFile.Failure) -> String {
    switch failure {
    case .missing: "there is no such file"
    case .isDirectory: "it is a directory"
    case .tooLarge: "the file is larger than \(Limits.passwordBytes) bytes"
    case .silentPipe: "nobody writes into this pipe"
    case .system(let reason, _): reason
    }
  }
}

extension PostgreSQLPassword: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// Where it comes from.
  public var description: String {
    switch self {
    case .none: "no password"
    case .text: "a password"
    case .file(let path): "the password in \(path)"
    }
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// Nothing of what it holds.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
