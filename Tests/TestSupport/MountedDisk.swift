import Foundation
import Glibc

/// A small file system of a test's own, which can be full or read-only.
public final class MountedDisk: Sendable {
  /// Where it is mounted.
  public let path: String

  /// Nil where this user may not mount one; the superuser of a container may not always.
  public init?(kilobytes: Int) {
    path = NSTemporaryDirectory() + "checkpost-disk-" + UUID().uuidString
    guard mkdir(path, 0o700) == 0 else { return nil }
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
      rmdir(path)
      return nil
    }
  }

  deinit {
    umount2(path, Int32(MNT_DETACH))
    rmdir(path)
  }

  /// Whether this user may mount one.
  public static let isAllowed = MountedDisk(kilobytes: 64) != nil

  /// The path of a file on it.
  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Leaves no room.
  public func fill() {
    // A process that another test starts meanwhile would keep the space.
    let number = open(file("ballast"), O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    var block = [UInt8](repeating: 1, count: 4_096)
    while write(number, &block, block.count) > 0 {}
    close(number)
  }

  /// Leaves so much room, as something else does that is on the same disk.
  public func fill(leaving kilobytes: Int) {
    var room = statvfs()
    guard statvfs(path, &room) == 0 else { return }
    let free = Int(room.f_bavail) * Int(room.f_frsize) >> 10
    let number = open(file("ballast"), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0o600)
    let block = [UInt8](repeating: 1, count: 1_024)
    for _ in 0..<max(0, free - kilobytes) where write(number, block, block.count) <= 0 { break }
    close(number)
  }

  /// Makes room again.
  public func empty() { unlink(file("ballast")) }

  /// Mounts it anew; whether that could be done.
  public func remount(readOnly: Bool) -> Bool {
    let flags = UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0)
    return mount("tmpfs", path, "tmpfs", flags, nil) == 0
  }
}
