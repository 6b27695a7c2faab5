import Hummingbird

/// What goes with a request through the router. It can be made from anything that has a log, so that
/// tests need no socket.
struct CallContext: RequestContext {
  typealias Source = ApplicationRequestContextSource

  var coreContext: CoreRequestContextStorage
  /// The address at the other end of the connection; nil without a connection.
  var peer: String?

  init(source: some RequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    peer = (source as? ApplicationRequestContextSource)?.channel.remoteAddress?.host
  }
}
