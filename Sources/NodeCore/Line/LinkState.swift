/// What this machine says of its own way to the network: an interface with a link, and a route.
///
/// It is a hint to try and no more. A dongle without credit has both; only an answer tells.
public struct LinkState: Hashable, Sendable {
  /// What there is no way to the server for.
  public enum Lack: Hashable, Sendable {
    /// No interface has a link.
    case link
    /// An interface has one, and none of them leads to the server.
    case route
  }

  /// What is missing; nil while there is a way.
  public var lack: Lack?
  /// The interface that the way begins with; nil where nobody said.
  public var interface: String?
  /// Whether that way is paid by volume.
  public var isMetered = false
  /// The charge of the battery that the machine runs on, in percent; nil with mains, or without a battery.
  public var batteryPercent: Int?

  /// A way, or the lack of one.
  public init(lack: Lack? = nil, interface: String? = nil) {
    self.lack = lack
    self.interface = interface
  }

  /// A way of which nothing else is known.
  public static let up = LinkState()
  /// No interface has a link.
  public static let down = LinkState(lack: .link)

  /// Whether there is a way.
  public var isUp: Bool { lack == nil }

  /// Whether `other` is another way than this one: what was heard over the one says nothing of the other.
  func isSameWay(as other: LinkState) -> Bool {
    lack == other.lack && (!isUp || interface == other.interface)
  }
}

extension SyncRules {
  /// Whether photographs may go: a way that is paid by volume and an empty battery keep them.
  func takesPhotos(over link: LinkState) -> Bool {
    (photosWhenMetered || !link.isMetered)
      && link.batteryPercent.map { $0 >= photosAboveBattery } ?? true
  }
}
