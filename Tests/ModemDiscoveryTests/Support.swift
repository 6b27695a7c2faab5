import ModemDiscovery

/// Devices and ports as a machine would show them.
enum Plugged {
  /// A device with a port at each of `interfaces`, numbered from `first` on.
  static func modem(
    _ id: String, at socket: String = "1-1", interfaces: [UInt8], first: Int = 0,
    serial: String? = nil, driver: String = "option", product: String? = nil,
    classes: [UInt8: (UInt8, UInt8)] = [:]
  ) -> (device: USBDevice, ports: [USBPort]) {
    let device = USBDevice(
      socket: socket, id: USBID(id) ?? USBID(vendor: 0, product: 0), product: product,
      serial: serial,
      interfaces: interfaces.map { number in
        let (subclass, code) = classes[number] ?? (0xFF, 0xFF)
        return USBInterface(
          number: number, classCode: 0xFF, subclass: subclass, protocolCode: code, driver: driver)
      })
    let ports = interfaces.enumerated().map { offset, number in
      USBPort(
        path: "/dev/ttyUSB\(first + offset)", socket: socket, interface: number, driver: driver)
    }
    return (device, ports)
  }

  /// A device without a serial port, with one interface of a class.
  static func bare(
    _ id: String, at socket: String = "1-1", classCode: UInt8, product: String? = nil
  ) -> (device: USBDevice, ports: [USBPort]) {
    let device = USBDevice(
      socket: socket, id: USBID(id) ?? USBID(vendor: 0, product: 0), product: product,
      interfaces: [USBInterface(number: 0, classCode: classCode, subclass: 6, protocolCode: 80)])
    return (device, [])
  }

  static func inventory(_ parts: (device: USBDevice, ports: [USBPort])...) -> PortInventory {
    PortInventory(devices: parts.map(\.device), ports: parts.flatMap(\.ports))
  }
}

/// The paths of a plan's candidates.
func paths(_ selector: PortSelector, _ inventory: PortInventory, remembered: PortPlace? = nil)
  -> [String]
{
  PortPlan(selector, in: inventory, remembered: remembered).candidates.map(\.path)
}
