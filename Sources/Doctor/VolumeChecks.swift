import EventLoop
import Glibc

/// Whether what lies on a volume is encrypted there, as the kernel tells.
public struct VolumeChecks {
  private let root: String

  /// Checks of a machine whose system files lie below `root`.
  public init(root: String = "") {
    self.root = root
  }

  /// What is found of the volume under the node's database.
  ///
  /// The database itself is not encrypted (SQLCipher): its key would have to lie on the same card, for the
  /// post starts without anybody, and whoever takes the one takes the other. A volume covers the
  /// photographs, the log and what the system swaps out as well, and may be unlocked over the network.
  public func finding(for database: String) -> Finding {
    let place = PathOf.directory(database)
    var about = stat()
    guard stat(place, &about) == 0 else {
      return Finding(
        "volume", .skipped, "\(place): not there, so nobody knows on which volume it lies")
    }
    switch isEncrypted(VolumeChecks.number(of: UInt64(about.st_dev)), depth: 0) {
    case true?:
      return Finding("volume", .good, "\(place): lies on an encrypted volume (dm-crypt)")
    case false?:
      return Finding(
        "volume", .warning,
        "\(place): does not lie on an encrypted volume, so anybody who takes the disk reads the plates",
        remedy:
          "put that directory on a LUKS volume (cryptsetup), and swap too; the database is not"
          + " encrypted by itself, for its key would lie beside it")
    case nil:
      return Finding("volume", .skipped, "\(place): the kernel does not tell what lies under it")
    }
  }

  /// A device as the kernel writes it, of its two numbers (makedev(3)).
  public static func number(of device: UInt64) -> String {
    let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
    let minor = device & 0xFF | (device >> 12) & ~0xFF & 0xFFFF_FFFF
    return "\(major):\(minor)"
  }

  /// Whether a block device, or one that it is made of, is encrypted; nil where the kernel does not know it.
  func isEncrypted(_ device: String, depth: Int) -> Bool? {
    let path = "\(root)/sys/dev/block/\(device)"
    guard depth < 8, SmallFile.exists(path) else { return nil }
    if SystemFile.firstLine("\(path)/dm/uuid")?.hasPrefix("CRYPT-") == true { return true }
    let below = SystemFile.names(in: "\(path)/slaves", limit: 64)
    let found = below.compactMap { name in
      SystemFile.firstLine("\(path)/slaves/\(name)/dev").flatMap {
        isEncrypted($0, depth: depth + 1)
      }
    }
    // Of a volume over several disks every one has to be.
    return !below.isEmpty && found.count == below.count && found.allSatisfy { $0 }
  }
}

private enum PathOf {
  static func directory(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
