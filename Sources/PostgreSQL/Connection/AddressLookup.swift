import EventLoop
import Glibc
import Synchronization
import Time

/// Finds the addresses of a name within a time: the system's call cannot be ended, so that it has a thread of
/// its own, which is left behind when it takes too long.
enum AddressLookup {
  private struct Found {
    var addresses: [String] = []
    var status: Int32 = 0
    var isDone = false
  }

  private final class Answer: Sendable {
    let found = Mutex(Found())
    let wakeup: Wakeup

    init() throws(LinkError) {
      wakeup = try Wakeup()
    }
  }

  /// The addresses of `host`, as the system orders them; itself, when it is one.
  static func addresses(
    of host: String, until deadline: BootInstant, _ patience: DatabasePatience
  ) throws(PostgreSQLError) -> [String] {
    if isAddress(host) { return [host] }
    let answer: Answer
    do throws(LinkError) {
      answer = try Answer()
      try WorkerThread().start(name: "pg-name") { [answer] in
        let (addresses, status) = look(host)
        answer.found.withLock { found in
          found = Found(addresses: addresses, status: status, isDone: true)
        }
        answer.wakeup.signal()
      }
    } catch {
      throw .notConnected(.name, reason: error.description)
    }
    try patience.wait(
      for: Interest(descriptor: answer.wakeup.descriptor), until: deadline, .name)
    let found = answer.found.withLock { $0 }
    guard !found.addresses.isEmpty else {
      let words =
        found.status == 0 ? "it has no address" : String(cString: gai_strerror(found.status))
      throw .notConnected(.name, reason: "\(host): \(words)")
    }
    return found.addresses
  }

  static func isAddress(_ host: String) -> Bool {
    var space = in6_addr()
    return inet_pton(AF_INET, host, &space) == 1 || inet_pton(AF_INET6, host, &space) == 1
  }

  private static func look(_ host: String) -> ([String], Int32) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_ADDRCONFIG
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, nil, &hints, &list)
    guard status == 0 else { return ([], status) }
    defer { freeaddrinfo(list) }
    var addresses: [String] = []
    var next = list
    while let entry = next, addresses.count < Limits.addresses {
      var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      let isNamed = getnameinfo(
        entry.pointee.ai_addr, entry.pointee.ai_addrlen, &name, socklen_t(name.count), nil, 0,
        NI_NUMERICHOST)
      if isNamed == 0 {
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        addresses.append(String(decoding: bytes, as: UTF8.self))
      }
      next = entry.pointee.ai_next
    }
    return (addresses, 0)
  }
}
