import Glibc

/// The system's own files and directories (`/proc`, `/sys`, `/dev`): small, never waited for, and
/// gone at any moment, so that one which cannot be read is no error here but says nothing.
public enum SystemFile {
  /// The first `limit` bytes of a file; nil when it cannot be read.
  public static func bytes(_ path: String, limit: Int) -> [UInt8]? {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { return nil }
    defer { close(number) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: min(max(limit, 1), 4_096))
    while bytes.count < limit {
      let count = Glibc.read(number, &block, min(block.count, limit - bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      bytes += block[..<count]
    }
    return bytes
  }

  /// The first line of a file, up to a line end or a NUL; nil when it cannot be read. At most 4,096
  /// bytes are looked at.
  public static func firstLine(_ path: String) -> String? {
    bytes(path, limit: 4_096).map { bytes in
      String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0 }, as: UTF8.self)
    }
  }

  /// The names in a directory that `isWanted` takes, as the system gives them and at most `limit`
  /// of them; `.` and `..` are none. Empty when the directory cannot be read.
  public static func names(
    in directory: String, limit: Int = .max, where isWanted: (String) -> Bool = { _ in true }
  ) -> [String] {
    guard let handle = opendir(directory) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while names.count < limit, let entry = readdir(handle) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != "..", isWanted(name) { names.append(name) }
    }
    return names
  }
}
