import HTTPServer
import Settings

extension DoorRules {
  /// What the settings make of whoever calls.
  init(_ settings: Settings.HTTP) {
    self.init()
    forwarded = settings.forwarded == .forwarded ? .forwarded : .xForwardedFor
    limits.badSignatures = settings.limits.badSignatures
    limits.signIns = settings.limits.signIns
    limits.reads = settings.limits.reads
    limits.writes = settings.limits.writes
    limits.keyReads = settings.limits.keyReads
    limits.keyWrites = settings.limits.keyWrites
    origins = settings.cors.origins
  }
}

extension SocketPlace {
  /// The socket that the settings name; nil when they name none.
  init?(_ settings: Settings.HTTP) {
    guard let path = settings.socket else { return nil }
    let permissions: UInt32 =
      switch settings.socketAccess {
      case .owner: 0o600
      case .group: 0o660
      case .anybody: 0o666
      }
    self.init(path: path, permissions: permissions, group: settings.socketGroup)
  }
}
