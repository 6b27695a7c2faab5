import EventLoop
import NodeCore
import Time

/// When the network link is looked at: at once when the kernel tells of a change, and rarely otherwise;
/// every few seconds where it tells nothing.
struct LinkWatch {
  private var news: NetlinkSocket?
  private var last: LinkState?
  private var lastLook: BootInstant?
  /// When it is looked at next; nil while nobody wants to know.
  private(set) var nextLook: BootInstant?
  private var isPressing = false

  init(news: NetlinkSocket?) {
    self.news = news
  }

  /// Notes whether anybody wants to know of the link.
  mutating func isWanted(_ isWanted: Bool, at now: BootInstant) {
    nextLook = isWanted ? nextLook ?? now : nil
  }

  /// What to wait on for news; negative while there is nothing to wait for. News that came are looked at in
  /// a moment, and until then more of them say nothing new.
  var descriptor: Int32 {
    nextLook == nil || isPressing ? -1 : news?.descriptor ?? -1
  }

  /// The link is to be looked at, whatever the last look showed.
  mutating func look(at now: BootInstant) {
    last = nil
    if nextLook != nil { nextLook = now }
  }

  /// Takes the kernel's news: the link is looked at now, or a moment later when it was just before.
  mutating func takeNews(at now: BootInstant) {
    switch news?.drain() {
    case nil, .some(.none): return
    case .broken: news = nil
    case .some(.some): break
    }
    guard nextLook != nil else { return }
    nextLook = lastLook.map { max(now, $0 + Limits.linkAtMost) } ?? now
    isPressing = true
  }

  /// Looks at the link, if it is time.
  ///
  /// - Returns: the link, where it is another than the last time.
  mutating func change(at now: BootInstant, by read: () -> LinkState) -> LinkState? {
    guard let due = nextLook, due <= now else { return nil }
    isPressing = false
    lastLook = now
    nextLook = now + (news == nil ? Limits.linkEvery : Limits.linkSeldom)
    let link = read()
    guard link != last else { return nil }
    last = link
    return link
  }
}
