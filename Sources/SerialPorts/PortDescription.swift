/// A serial port of this machine, and the USB device behind it.
public struct PortDescription: Hashable, Sendable {
  /// How a port is connected.
  public enum Transport: String, Hashable, Sendable {
    /// A port of the machine itself, or one whose driver says nothing else.
    case native
    /// Behind a USB device, whose names are known.
    case usb
    /// A radio link that looks like a port.
    case bluetooth
    /// Not known to the system's list of ports: a pseudo-terminal or a link.
    case unknown
  }

  /// Its node: `/dev/ttyUSB2`.
  public var path: String
  /// A name that stays when the node's number changes: a link in `/dev/serial/by-id`, or one of ours.
  public var stablePath: String?
  /// What the system calls it.
  public var description: String
  /// How it is connected.
  public var transport: Transport
  /// The device's vendor, as four hexadecimal digits; nil when it is no USB device.
  public var vendorID: String?
  /// The device's product, as four hexadecimal digits; nil when it is no USB device.
  public var productID: String?
  /// The number of the USB interface, two digits: which of a modem's ports this is.
  public var interface: String?
  /// What the device calls its maker; nil when it says nothing.
  public var manufacturer: String?
  /// What the device calls itself; nil when it says nothing.
  public var product: String?
  /// The number that tells it from others of its kind; nil when it has none, as many have not.
  public var serialNumber: String?
  /// The process that holds the port now, when it can be seen: `1234 ModemManager`.
  public var holder: String?

  /// A port at a node; what is known of a USB device behind it is filled in after.
  public init(
    path: String, stablePath: String? = nil, description: String, transport: Transport,
    holder: String? = nil
  ) {
    self.path = path
    self.stablePath = stablePath
    self.description = description
    self.transport = transport
    self.holder = holder
  }
}
