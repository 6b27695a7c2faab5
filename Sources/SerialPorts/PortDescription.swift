/// A serial port of this machine, and the USB device behind it.
public struct PortDescription: Hashable, Sendable {
  /// How a port is connected.
  public enum Transport: String, Hashable, Sendable {
    case native
    case usb
    case bluetooth
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
  /// The device's vendor and product, as four hexadecimal digits each.
  public var vendorID: String?
  public var productID: String?
  /// The number of the USB interface, two digits: which of a modem's ports this is.
  public var interface: String?
  /// What the device calls itself.
  public var manufacturer: String?
  public var product: String?
  public var serialNumber: String?
  /// The process that holds the port now, when it can be seen: `1234 ModemManager`.
  public var holder: String?
}
