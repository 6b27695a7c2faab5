import Glibc

/// Why the server cannot listen.
public enum HTTPServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another program listens there, or another service.
  case inUse(address: String, port: Int)
  /// No interface of this machine has the address, or no name leads to it.
  case notLocal(address: String, port: Int)
  /// This user may not listen at the port.
  case noPermission(address: String, port: Int)
  /// The system refused otherwise.
  case system(address: String, port: Int, errno: Int32)
  /// Another service listens at the socket.
  case socketInUse(path: String)
  /// What stands at the socket's path is something else.
  case notASocket(path: String)
  /// There is no such group.
  case noGroup(path: String, group: String)
  /// This user is not in the group that the socket is for.
  case notInGroup(path: String, group: String)
  /// The system gives no socket there.
  case socket(path: String, errno: Int32)

  init(_ number: Int32, address: String, port: Int) {
    switch number {
    case EADDRINUSE: self = .inUse(address: address, port: port)
    case EADDRNOTAVAIL: self = .notLocal(address: address, port: port)
    case EACCES, EPERM: self = .noPermission(address: address, port: port)
    default: self = .system(address: address, port: port, errno: number)
    }
  }

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .inUse(let address, let port):
      "\(Self.place(address, port)): another program listens there; end that one, or name another"
        + " port in central.http.port"
    case .notLocal(let address, let port):
      "\(Self.place(address, port)): this machine has no such address; correct central.http.address:"
        + " 127.0.0.1 behind a proxy on this machine"
    case .noPermission(let address, let port):
      "\(Self.place(address, port)): this user may not listen there; name a port from 1024 on in"
        + " central.http.port"
    case .system(let address, let port, let number):
      "\(Self.place(address, port)): cannot listen there (\(String(cString: strerror(number)))); look"
        + " at central.http.address and central.http.port"
    case .socketInUse(let path):
      "\(path): another service listens there; end that one, or name another path in"
        + " central.http.socket"
    case .notASocket(let path):
      "\(path): this is no socket; remove it, or name another path in central.http.socket"
    case .noGroup(let path, let group):
      "\(path): there is no group \(group); correct central.http.socket_group, the group of the proxy"
    case .notInGroup(let path, let group):
      "\(path): this user is not in the group \(group) and cannot give it the socket; have systemd add"
        + " it (SupplementaryGroups=\(group)), or correct central.http.socket_group"
    case .socket(let path, let number):
      "\(path): cannot listen there (\(String(cString: strerror(number)))); look at"
        + " central.http.socket and its directory"
    }
  }

  /// An IPv6 address stands in brackets before its port.
  private static func place(_ address: String, _ port: Int) -> String {
    address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
  }
}
