import EventLoop

extension SystemLinkState {
  /// The link to a server. One whose address is a number of this machine or of a private network is
  /// reached without a default route, so its link counts as up: what tells is whether it answers. Of a
  /// name nothing is known but `localhost`; it is reached by way of a resolver and a route as a rule.
  ///
  /// - Parameters:
  ///   - url: the server's URL; nil when there is none.
  ///   - isMetered: whether the way is paid by volume; nil to judge by the kind of its interface.
  ///   - root: below which the machine's link is read, as in ``init(root:)``.
  public init(server url: String?, isMetered: Bool? = nil, root: String = "") {
    let isNear = url.flatMap(ServerHost.init(url:)).map { $0.reach != .elsewhere } ?? false
    self.init(isAlwaysUp: isNear, root: root, isMetered: isMetered)
  }
}
