import EventLoop
import Glibc
import ModemDiscovery

/// Who holds a port.
enum PortHolder {
  /// Who keeps the node from being opened: the process that holds the lock on it, which may be this
  /// one; else another that has it open, or that a lock file names.
  static func owner(of node: String) -> PortOwner? {
    owners(of: [node])[node]
  }

  /// The same for several nodes, with one look at the processes.
  static func owners(of nodes: Set<String>) -> [String: PortOwner] {
    guard !nodes.isEmpty else { return [:] }
    var owners = find(nodes)
    for node in nodes {
      if let process = LockTable.owner(of: node) {
        owners[node] = owner(process)
      } else if owners[node] == nil {
        owners[node] = locked(node)
      }
    }
    return owners
  }

  /// Another process that has the node open: `1234 ModemManager`; nil when none can be seen.
  static func find(_ node: String) -> PortOwner? {
    find([node])[node]
  }

  /// Other processes that have the nodes open. Those of other users can be looked into by root
  /// alone.
  private static func find(_ nodes: Set<String>) -> [String: PortOwner] {
    let own = getpid()
    var owners: [String: PortOwner] = [:]
    for name in SystemFile.names(in: "/proc") {
      guard let process = Int32(name), process != own else { continue }
      for node in open(in: process, of: nodes) where owners[node] == nil {
        owners[node] = owner(process)
      }
    }
    return owners
  }

  /// The process that a lock file of the old kind names, when it still runs; nil otherwise.
  static func locked(_ node: String) -> PortOwner? {
    UUCPLock.holder(of: node).map(owner)
  }

  /// Which of the nodes a process has open.
  private static func open(in process: Int32, of nodes: Set<String>) -> Set<String> {
    let path = "/proc/\(process)/fd"
    return Set(
      SystemFile.names(in: path).compactMap { name in
        Paths.target(of: "\(path)/\(name)").flatMap { nodes.contains($0) ? $0 : nil }
      })
  }

  /// A process as the owner of a port.
  static func owner(_ process: Int32) -> PortOwner {
    PortOwner(
      process: process, command: SystemFile.firstLine("/proc/\(process)/comm") ?? "",
      isThisProcess: process == getpid())
  }
}
