public import AT
public import ModemModel

/// What a simulator puts on pseudo-terminals.
public struct SimulatorSettings: Hashable, Sendable {
  /// The modems, on one network.
  public var modems: [ModemSettings]
  /// For each modem the path of a link to its port, which it keeps while the port's own name
  /// changes; nil for none.
  public var links: [String?]
  /// How the network treats messages.
  public var behaviour = NetworkBehaviour()
  /// The seed of all that is random.
  public var seed: UInt64 = 0
  /// The path of a socket at which processes find each other's network; nil for a network of its own.
  public var network: String?

  /// What the first modem says instead of what it would say itself: what was recorded of another.
  public var script: ModemTrace?

  /// Modems without links, on a network that delivers everything.
  public init(modems: [ModemSettings]) {
    self.modems = modems
    links = modems.map { _ in nil }
  }

  /// The link of a modem; nil where `links` is too short.
  func link(_ place: Int) -> String? {
    links.indices.contains(place) ? links[place] : nil
  }
}

/// What can be asked of a running simulator. A modem is named by its place, from 0.
public enum SimulatorRequest: Sendable {
  /// Something goes wrong.
  case fault(ModemFault, modem: Int)
  /// A text comes from outside.
  case send(from: String, text: String, modem: Int)
  /// A PDU comes, as the modem would give it: SMSC part and TPDU in hexadecimal digits.
  case pdu(String, modem: Int)
  /// The modem says something by itself.
  case unsolicited(String, modem: Int)
  /// The plug is pulled; put back after a while when a time is given, under another name when asked.
  case unplug(modem: Int, duration: Duration?, renames: Bool)
  /// The plug is put back.
  case plug(modem: Int)
  /// The network behaves otherwise from now on.
  case behave(NetworkBehaviour)
  /// The end.
  case stop
}

/// What happens in a simulator, for whoever looks on.
public enum SimulatorEvent: Hashable, Sendable {
  /// A modem's port is there.
  case ready(modem: Int, port: String)
  /// A modem's port went away.
  case closed(modem: Int)
  /// Something happened in the network.
  case network(NetworkEvent)
  /// The network that processes share is here, elsewhere, or nowhere.
  case place(NetworkPlace)
  /// A modem's storage changed.
  case storeChanged(modem: Int, StoreChange)
  /// A command line came to a modem.
  case command(modem: Int, String)
  /// Something went wrong on request.
  case fault(modem: Int, ModemFault)
  /// What was written is not what the script has there; nothing is expected after its end.
  case scriptDiffers(modem: Int, entry: Int, expected: [UInt8], written: [UInt8])
  /// The script is at its end.
  case scriptDone(modem: Int)
  /// A request could not be carried out, and why.
  case refused(String)
}
