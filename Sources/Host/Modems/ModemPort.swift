import ModemDiscovery
import ModemSession
import SerialPorts
import Settings

extension PortSelector {
  /// Which port the settings of a modem ask for; nil when there is no modem.
  init?(_ settings: Settings.Modem) {
    self.init(port: settings.port, identity: settings.identity.flatMap { ModemIdentity($0) })
  }

  /// What is asked for on a command line: `auto`, an identity such as `12d1:1506`, or a path.
  init(argument: String) {
    if argument == PortSelector.automaticWord {
      self = .automatic
    } else if !argument.contains("/"), let identity = ModemIdentity(argument) {
      self = .identity(identity)
    } else {
      self = .path(argument)
    }
  }

  /// The number by which only the modem itself can tell whether it is the one; nil where it does not
  /// matter.
  var imei: String? {
    if case .identity(let identity) = self { identity.imei } else { nil }
  }
}

extension PortFinder {
  /// The port that is open, where it was looked for and not named.
  var foundPath: String? {
    if case .path = selector { nil } else { current?.path }
  }

  /// Takes from a modem's status whether what is at the port is the modem that is wanted.
  func heard(_ status: ModemStatus) {
    guard let path = current?.path else { return }
    if status.isDeaf, status.state.isAway { setAside(path: path) }
    switch status.state {
    case .ready, .registering, .simLocked: break
    case .closed, .opening, .probing, .resetting, .failed: return
    }
    guard let wanted = selector.imei else {
      accepted(path: path)
      return
    }
    guard let own = status.imei else { return }
    if own == wanted {
      accepted(path: path)
    } else {
      reject(path: path, reason: "is the modem with IMEI \(own), not \(wanted)")
    }
  }
}
