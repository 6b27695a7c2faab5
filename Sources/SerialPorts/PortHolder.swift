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
    for name in SystemFile.names(in: "/proc") {
      guard let process = Int32(name), process != own, holds(process, node) else { continue }
      return "\(process) \(command(of: process))"
    }
    return nil
  }

  /// The process that a lock file of the old kind names, when it still runs; nil otherwise.
  static func locked(_ node: String) -> String? {
    guard let name = node.split(separator: "/").last,
      let text = SystemFile.firstLine("/var/lock/LCK..\(name)"),
      let process = Int32(text.filter { $0 != " " && $0 != "\n" }), process != getpid(),
      kill(process, 0) == 0 || errno == EPERM
    else { return nil }
    return "\(process) \(command(of: process))"
  }

  private static func holds(_ process: Int32, _ node: String) -> Bool {
    let path = "/proc/\(process)/fd"
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    for name in SystemFile.names(in: path) {
      let length = readlink("\(path)/\(name)", &target, target.count)
      guard length > 0 else { continue }
      let text = String(decoding: target[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if text == node { return true }
    }
    return false
  }

  private static func command(of process: Int32) -> String {
    let name = SystemFile.firstLine("/proc/\(process)/comm") ?? ""
    return name.isEmpty ? "of unknown name" : name
  }
}
