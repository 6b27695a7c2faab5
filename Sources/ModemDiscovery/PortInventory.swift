/// An interface of a USB device: one of the things it can do, and often one of its ports.
public struct USBInterface: Hashable, Sendable {
  /// Its number, which tells a modem's ports apart. It is not the number in `ttyUSB2`.
  public var number: UInt8
  /// What it can do: 0x08 is storage, 0xFF the maker's own.
  public var classCode: UInt8
  /// What it can do, more exactly, by the rules of its class.
  public var subclass: UInt8
  /// The same, finer still.
  public var protocolCode: UInt8
  /// The kernel's driver for it, when there is one.
  public var driver: String?

  /// An interface with this number and class.
  public init(
    number: UInt8, classCode: UInt8, subclass: UInt8, protocolCode: UInt8, driver: String? = nil
  ) {
    self.number = number
    self.classCode = classCode
    self.subclass = subclass
    self.protocolCode = protocolCode
    self.driver = driver
  }
}

/// A USB device that is plugged in.
public struct USBDevice: Hashable, Sendable {
  /// The socket it is plugged into, as the kernel names it: `1-1.4`.
  public var socket: String
  /// The kind of device.
  public var id: USBID
  /// Its maker, as it says itself.
  public var manufacturer: String?
  /// Its name, as it says itself.
  public var product: String?
  /// Its serial number; many have none, or all the same.
  public var serial: String?
  /// What it can do.
  public var interfaces: [USBInterface]

  /// A device in a socket.
  public init(
    socket: String, id: USBID, manufacturer: String? = nil, product: String? = nil,
    serial: String? = nil, interfaces: [USBInterface] = []
  ) {
    self.socket = socket
    self.id = id
    self.manufacturer = manufacturer
    self.product = product
    self.serial = serial
    self.interfaces = interfaces
  }

  /// The interface with a number.
  public func interface(_ number: UInt8) -> USBInterface? {
    interfaces.first { $0.number == number }
  }
}

/// A process that holds a port.
public struct PortOwner: Hashable, Sendable, CustomStringConvertible {
  /// Its number.
  public var process: Int32
  /// The name of its command; empty when it cannot be seen.
  public var command: String
  /// Whether it is the process that asks.
  public var isThisProcess: Bool

  /// The owner with a number and a command.
  public init(process: Int32, command: String, isThisProcess: Bool = false) {
    self.process = process
    self.command = command
    self.isThisProcess = isThisProcess
  }

  /// `1234 ModemManager`.
  public var description: String {
    "\(process) \(command.isEmpty ? "of unknown name" : command)"
  }
}

/// A serial port of a USB device.
public struct USBPort: Hashable, Sendable {
  /// Its node: `/dev/ttyUSB2`.
  public var path: String
  /// Names that stay when the node's number changes, the best first.
  public var links: [String]
  /// The socket of its device.
  public var socket: String
  /// The number of its interface.
  public var interface: UInt8
  /// The kernel's driver for it.
  public var driver: String?
  /// Who holds it, when that can be seen.
  public var owner: PortOwner?
  /// Whether this user may open it.
  public var isPermitted: Bool
  /// The group that its node belongs to.
  public var group: String?
  /// Whether ModemManager has been told to leave it alone.
  public var isLeftAlone: Bool

  /// A port at an interface of the device in a socket.
  public init(
    path: String, links: [String] = [], socket: String, interface: UInt8, driver: String? = nil,
    owner: PortOwner? = nil, isPermitted: Bool = true, group: String? = nil,
    isLeftAlone: Bool = false
  ) {
    self.path = path
    self.links = links
    self.socket = socket
    self.interface = interface
    self.driver = driver
    self.owner = owner
    self.isPermitted = isPermitted
    self.group = group
    self.isLeftAlone = isLeftAlone
  }
}

/// What is plugged into a machine at one moment.
public struct PortInventory: Hashable, Sendable {
  /// The devices, in the order of their sockets.
  public let devices: [USBDevice]
  /// Their serial ports, in the order of sockets and interfaces.
  public let ports: [USBPort]
  /// What is known of devices.
  let table: DeviceTable

  /// Puts what was found into its order; the order in which it was found does not matter.
  public init(
    devices: [USBDevice] = [], ports: [USBPort] = [], table: DeviceTable = .known
  ) {
    self.table = table
    self.devices = devices.sorted { Sockets.areInOrder($0.socket, $1.socket) }
    self.ports = ports.sorted {
      if $0.socket != $1.socket { return Sockets.areInOrder($0.socket, $1.socket) }
      return ($0.interface, $0.path) < ($1.interface, $1.path)
    }
  }

  /// The device in a socket.
  public func device(at socket: String) -> USBDevice? {
    devices.first { $0.socket == socket }
  }

  /// The ports of the device in a socket.
  public func ports(of socket: String) -> [USBPort] {
    ports.filter { $0.socket == socket }
  }

  /// The port whose node or link is `path`.
  public func port(at path: String) -> USBPort? {
    ports.first { $0.path == path } ?? ports.first { $0.links.contains(path) }
  }
}

/// The order of sockets: `1-1.2` before `1-1.10`.
enum Sockets {
  static func areInOrder(_ left: String, _ right: String) -> Bool {
    let (first, second) = (numbers(left), numbers(right))
    return first == second ? left < right : first.lexicographicallyPrecedes(second)
  }

  private static func numbers(_ socket: String) -> [Int] {
    socket.split { !$0.isASCII || !$0.isNumber }.map { Int($0) ?? Int.max }
  }
}
