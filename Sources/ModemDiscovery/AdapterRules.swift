/// Rules for udev (udev(7)) that give one serial adapter what `udev/60-checkpost-modem.rules` gives modems: a
/// name that stays, the group `dialout`, no sleep, and hands off for ModemManager.
///
/// An FTDI, CP210x, CH340 or PL2303 before a modem is no modem by its numbers: the same chip stands before
/// a GPS receiver or a printer. So no rule for all of them can be right, and the operator names the one.
public struct AdapterRules: Hashable, Sendable {
  /// By what the adapter is known.
  public enum Mark: Hashable, Sendable {
    /// By its serial number, wherever it is plugged in.
    case serial(String)
    /// By the socket, since it has no serial number of its own.
    case socket(String)
  }

  /// Why there are no rules for a port.
  public enum Refusal: Error, Hashable, CustomStringConvertible {
    /// There is no USB device with such a port.
    case notUSB(path: String)
    /// Its device is a modem, which the general rules serve.
    case modem(path: String, name: String)

    /// What is wrong, and what to do; one line.
    public var description: String {
      switch self {
      case .notUSB(let path):
        "\(path) is no port of a USB adapter; `checkpost modem list` shows those that are plugged in, and"
          + " a port of the machine itself keeps its name without a rule"
      case .modem(let path, let name):
        "\(path) belongs to the modem \(name), which needs no rules of its own: install"
          + " udev/60-checkpost-modem.rules as /etc/udev/rules.d/60-checkpost-modem.rules"
      }
    }
  }

  /// Where the rules belong: before those that act on what they set.
  public static let place = "/etc/udev/rules.d/59-checkpost-adapter.rules"

  /// By what the adapter is known.
  public let mark: Mark
  private let id: USBID
  private let interface: UInt8
  private let name: String

  /// The rules for the adapter whose port is at a path.
  ///
  /// - Throws: ``Refusal`` for a port that is no USB adapter's, or a modem's own.
  public init(port path: String, in inventory: PortInventory) throws(Refusal) {
    guard let port = inventory.port(at: path), let device = inventory.device(at: port.socket) else {
      throw .notUSB(path: path)
    }
    switch inventory.kind(of: device) {
    case .bridge, .other: break
    // Listed as something else, such as a GPS receiver: whoever names it knows what hangs there.
    case .modem(let known) where known.everyPort != nil: break
    case .modem, .classed, .unlisted, .hiLink, .storageMode:
      throw .modem(path: path, name: inventory.name(of: device))
    }
    id = device.id
    interface = port.interface
    name = inventory.name(of: device)
    let twins = inventory.devices.filter { $0.id == device.id && $0.serial == device.serial }
    if let serial = device.serial, AdapterRules.tellsApart(serial), twins.count == 1 {
      mark = .serial(serial)
    } else {
      mark = .socket(device.socket)
    }
  }

  /// What has to be known of the rules, for a person.
  public var words: String {
    switch mark {
    case .serial(let serial):
      "the adapter is known by its serial number \(serial), in whichever socket it is plugged"
    case .socket(let socket):
      "the adapter has no serial number of its own, so the rules hold for the socket \(socket): leave it"
        + " plugged in there"
    }
  }

  /// The file.
  public var text: String {
    let vendor = Hexadecimal.text(id.vendor, digits: 4)
    let product = Hexadecimal.text(id.product, digits: 4)
    // A port's own conditions are looked up in the devices above it, of which one has to meet all.
    let (own, above) =
      switch mark {
      case .serial(let serial): ("ATTR{serial}==\"\(serial)\"", "ATTRS{serial}==\"\(serial)\"")
      case .socket(let socket): ("KERNEL==\"\(socket)\"", "KERNELS==\"\(socket)\"")
      }
    return """
      # The serial adapter before a modem of checkpost: \(name).
      # Here \(words).
      #
      # Install as \(AdapterRules.place), beside 60-checkpost-modem.rules,
      # which acts on what is set here; then: udevadm control --reload, and plug the adapter in again.

      ACTION!="add|change|move|bind", GOTO="checkpost_adapter_end"
      SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ATTR{idVendor}=="\(vendor)", \
      ATTR{idProduct}=="\(product)", \(own), ENV{CHECKPOST_MODEM}="1"
      SUBSYSTEM!="tty", GOTO="checkpost_adapter_end"
      SUBSYSTEMS=="usb", ATTRS{idVendor}=="\(vendor)", ATTRS{idProduct}=="\(product)", \(above), \
      GOTO="checkpost_adapter_port"
      GOTO="checkpost_adapter_end"
      LABEL="checkpost_adapter_port"
      IMPORT{builtin}="usb_id"
      ENV{ID_USB_INTERFACE_NUM}=="\(Hexadecimal.text(interface, digits: 2))", ENV{CHECKPOST_PORT}="at"
      LABEL="checkpost_adapter_end"

      """
  }

  /// Whether a serial number is one adapter's alone, and can be written into a rule as it is: patterns and
  /// quotes cannot, and makers put the same filler into all that they sell.
  private static func tellsApart(_ serial: String) -> Bool {
    let digits = serial.utf8
    guard (4...64).contains(digits.count), Set(digits).count > 2,
      digits.allSatisfy({
        ($0 >= 0x30 && $0 <= 0x39) || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || $0 == 0x2D
          || $0 == 0x2E || $0 == 0x5F
      })
    else { return false }
    return !"0123456789abcdefghij".contains(serial.lowercased())
  }
}
