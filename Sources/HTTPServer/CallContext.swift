import Hummingbird

/// What goes with a request through the router. It can be made from anything that has a log, so that
/// tests need no socket.
struct CallContext: RequestContext {
  typealias Source = ApplicationRequestContextSource

  var coreContext: CoreRequestContextStorage

  init(source: some RequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
  }
}
