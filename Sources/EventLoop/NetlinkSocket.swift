import CLinux
import Glibc

/// The kernel's news of this machine's links, addresses and routes (rtnetlink), so that a change is known
/// in the moment it comes, and nobody has to ask every few seconds.
///
/// What the news say is not read: whoever waits looks at the link itself, which is right even where some
/// of them were lost.
public final class NetlinkSocket: Sendable {
  /// What came of looking for news.
  public enum News: Hashable, Sendable {
    /// There was none.
    case none
    /// Something changed, or news were lost.
    case some
    /// The socket will tell nothing any more.
    case broken
  }

  private let held: Descriptor

  /// A socket that is told of every change from now on.
  ///
  /// - Throws: ``LinkError/system`` where the system does not allow it: a container, a service without
  ///   `AF_NETLINK`.
  public init() throws(LinkError) {
    let number = clinux_watch_network()
    guard number >= 0 else {
      throw .system(path: "rtnetlink", operation: "watch the network", errno: errno)
    }
    held = Descriptor(owning: number)
  }

  /// What `poll` waits on.
  public var descriptor: Int32 { held.value }

  /// Takes all that was told so far.
  public func drain() -> News {
    var news = News.none
    var buffer = [UInt8](repeating: 0, count: 8 << 10)
    // Bounded, so that a network that never rests holds nobody up; what is left is readable again.
    for _ in 0..<64 {
      let count = recv(held.value, &buffer, buffer.count, 0)
      if count > 0 {
        news = .some
        continue
      }
      switch errno {
      case EINTR where count < 0: continue
      // Too much came at once, and some of it is lost: something changed.
      case ENOBUFS where count < 0: news = .some
      case EAGAIN where count < 0: return news
      default: return .broken
      }
    }
    return news
  }

  /// Gives the socket back.
  public func close() {
    held.close()
  }
}
