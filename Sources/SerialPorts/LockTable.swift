import EventLoop
import Glibc

/// The kernel's list of file locks, `/proc/locks`: who holds the lock on a node, this process
/// included, and whoever's process it is.
enum LockTable {
  /// The process that holds the lock (`flock`) on `node`; nil when nobody does, or when it lives
  /// outside what this process may see.
  static func owner(of node: String) -> Int32? {
    var information = stat()
    guard stat(node, &information) == 0 else { return nil }
    let wanted = name(device: UInt64(information.st_dev), inode: UInt64(information.st_ino))
    for line in lines() {
      // 1: FLOCK  ADVISORY  WRITE 1234 00:18:5 0 EOF; one who waits for a lock has an arrow first.
      let fields = line.split(separator: " ")
      guard fields.count >= 6, fields[1] == "FLOCK", fields[5] == wanted,
        let process = Int32(fields[4]), process > 0
      else { continue }
      return process
    }
    return nil
  }

  /// Device and inode as the list has them: two hexadecimal numbers and a decimal one. The numbers
  /// of a device are spread over its bits as glibc's `gnu_dev_major` and `gnu_dev_minor` say.
  private static func name(device: UInt64, inode: UInt64) -> String {
    let major = (device >> 8 & 0xFFF) | (device >> 32 & ~0xFFF)
    let minor = (device & 0xFF) | (device >> 12 & ~0xFF)
    func hexadecimal(_ number: UInt64) -> String {
      let digits = String(number, radix: 16)
      return digits.utf8.count < 2 ? "0" + digits : digits
    }
    return "\(hexadecimal(major)):\(hexadecimal(minor)):\(inode)"
  }

  private static func lines() -> [Substring] {
    let bytes = SystemFile.bytes("/proc/locks", limit: Limits.lockTableBytes) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}
