import EventLoop
import Glibc

/// Who holds a port.
enum PortHolder {
  /// Who keeps the node from being opened: the process that holds the lock on it, which may be this
  /// one; else another that has it open, or that a lock file names.
  static func owner(of node: String) -> String? {
    if let process = LockTable.owner(of: node) {
      return "\(process) \(command(of: process))"
    }
    return find(node) ?? locked(node)
  }

  /// Another process that has the node open: `1234 ModemManager`; nil when none can be seen.
  /// Processes of other users can be looked into by root alone.
  static func find(_ node: String) -> String? {
    let own = getpid()
    guard let directory = opendir("/proc") else { return nil }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      guard let process = Int32(name(of: entry)), process != own,
        holds(process, node)
      else { continue }
      return "\(process) \(command(of: process))"
    }
    return nil
  }

  /// The process that a lock file of the old kind names, when it still runs; nil otherwise.
  static func locked(_ node: String) -> String? {
    guard let name = node.split(separator: "/").last,
      let text = readSmallFile("/var/lock/LCK..\(name)"),
      let process = Int32(text.filter { $0 != " " && $0 != "\n" }), process != getpid(),
      kill(process, 0) == 0 || errno == EPERM
    else { return nil }
    return "\(process) \(command(of: process))"
  }

  private static func holds(_ process: Int32, _ node: String) -> Bool {
    let path = "/proc/\(process)/fd"
    guard let directory = opendir(path) else { return false }
    defer { closedir(directory) }
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    while let entry = readdir(directory) {
      let length = readlink("\(path)/\(name(of: entry))", &target, target.count)
      guard length > 0 else { continue }
      let text = String(decoding: target[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if text == node { return true }
    }
    return false
  }

  private static func command(of process: Int32) -> String {
    let name = (readSmallFile("/proc/\(process)/comm")) ?? ""
    return name.isEmpty ? "of unknown name" : String(name.prefix { $0 != "\n" })
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
    withUnsafePointer(to: &entry.pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
        String(cString: $0)
      }
    }
  }
}
