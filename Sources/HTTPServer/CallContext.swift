import Hummingbird
import NIOCore

/// What goes with a request through the router. It can be made from anything that has a log, so that
/// tests need no socket; the caller is then one of this machine.
struct CallContext: RequestContext {
  typealias Source = ApplicationRequestContextSource

  var coreContext: CoreRequestContextStorage
  /// Who calls: by the connection alone until the request has passed the ``Door``, and by what our
  /// proxies tell from then on.
  var caller: Caller
  /// What the request is for, as the ``Door`` found out.
  var kind = RequestClass.read
  /// Whether it is for photographs, which are refused in their own form.
  var isOfStorage = false
  /// Waits until what was handed over of the answer so far was written, or waits for room at the connection.
  let onceWritten: @Sendable () async throws -> Void

  init(source: some RequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    let channel = (source as? ApplicationRequestContextSource)?.channel
    let loop = channel?.eventLoop
    onceWritten = { _ = try await loop?.submit {}.get() }
    caller = Caller(peer: channel?.remoteAddress.flatMap { IPAddress($0) })
  }
}

extension IPAddress {
  /// The address of a socket; nil for one in the file system.
  init?(_ socket: SocketAddress) {
    guard let text = socket.ipAddress else { return nil }
    // A zone names an interface of this machine and no other caller.
    self.init(text.prefix { $0 != "%" })
  }
}
