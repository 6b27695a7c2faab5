/// Which modem an operator wants, by what stays the same when it is plugged in elsewhere.
public struct ModemIdentity: Hashable, Sendable, CustomStringConvertible {
  /// The kind of device.
  public var id: USBID?
  /// One of its ports, whatever is known of it.
  public var interface: UInt8?
  /// The serial number that the device tells over USB; many tell none, or all the same.
  public var serial: String?
  /// The modem's own number, which only the modem can tell.
  public var imei: String?

  /// An identity of these parts, of which one at least says something.
  public init(
    id: USBID? = nil, interface: UInt8? = nil, serial: String? = nil, imei: String? = nil
  ) {
    self.id = id
    self.interface = interface
    self.serial = serial
    self.imei = imei
  }

  /// Reads the short form: `12d1:1506`, `12d1:1506:02`, `serial=0123`, `imei=356938035643809`, or
  /// several of them with spaces or commas between. Nil when it is anything else, or names a part
  /// twice.
  public init?(_ text: String) {
    guard text.utf8.count <= Limits.identityBytes else { return nil }
    self.init()
    let parts = text.split { $0 == " " || $0 == "," }
    guard !parts.isEmpty else { return nil }
    for part in parts where !take(part) { return nil }
  }

  /// The short form.
  public var description: String {
    var parts: [String] = []
    if let id {
      parts.append("\(id)" + (interface.map { ":" + Hexadecimal.text($0, digits: 2) } ?? ""))
    }
    if let serial { parts.append("serial=\(serial)") }
    if let imei { parts.append("imei=\(imei)") }
    return parts.joined(separator: " ")
  }

  /// Takes up one part; false when it is none.
  private mutating func take(_ part: Substring) -> Bool {
    if part.hasPrefix("serial=") {
      let value = part.dropFirst(7)
      guard serial == nil, !value.isEmpty else { return false }
      serial = String(value)
      return true
    }
    if part.hasPrefix("imei=") {
      let value = part.dropFirst(5)
      guard imei == nil, value.utf8.count == 15, value.allSatisfy({ $0.isASCII && $0.isNumber })
      else { return false }
      imei = String(value)
      return true
    }
    let numbers = part.split(separator: ":", omittingEmptySubsequences: false)
    guard id == nil, numbers.count == 2 || numbers.count == 3 else { return false }
    id = USBID(numbers[..<2].joined(separator: ":"))
    if numbers.count == 3 {
      guard let number = Hexadecimal.byte(numbers[2]) else { return false }
      interface = number
    }
    return id != nil
  }
}

/// Which port is wanted.
public enum PortSelector: Hashable, Sendable {
  /// This one, by its node or a link to it.
  case path(String)
  /// Whichever has a modem behind it.
  case automatic
  /// That of one modem, wherever it is plugged in.
  case identity(ModemIdentity)

  /// The word in place of a path for ``automatic``.
  public static let automaticWord = "auto"

  /// What a port and an identity in the settings select together; nil when they name none.
  public init?(port: String?, identity: ModemIdentity?) {
    if let identity {
      self = .identity(identity)
    } else if let port {
      self = port == PortSelector.automaticWord ? .automatic : .path(port)
    } else {
      return nil
    }
  }

  /// The selector as people read it.
  public var words: String {
    switch self {
    case .path(let path): path
    case .automatic: PortSelector.automaticWord
    case .identity(let identity): identity.description
    }
  }

  /// The directory in which a port that is wanted would appear.
  public var directory: String {
    guard case .path(let path) = self, let slash = path.lastIndex(of: "/") else { return "/dev" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
