import Glibc

/// A name that one process of this machine has at a time, and only while it lives: nothing stays behind
/// when it is killed.
///
/// It is a socket in Linux's abstract name space, to which nobody connects.
public struct NameClaim: Sendable {
  private let descriptor: Descriptor

  /// Takes a name; nil when a living process has it.
  ///
  /// - Throws: `LinkError.system` when the system gives no socket.
  public init?(_ name: String) throws(LinkError) {
    let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(O_CLOEXEC), 0)
    guard number >= 0 else { throw .system(path: name, operation: "open a socket", errno: errno) }
    descriptor = Descriptor(owning: number)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = [0] + Array("checkpost-\(NameClaim.digest(name))".utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout.size(ofValue: address.sun_family) + bytes.count)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(number, $0, length) }
    }
    guard status == 0 else {
      if errno == EADDRINUSE { return nil }
      throw .system(path: name, operation: "claim the name", errno: errno)
    }
  }

  /// Gives the name back.
  public func release() {
    descriptor.close()
  }

  /// A name of any length in sixteen digits (FNV-1a).
  private static func digest(_ name: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}
