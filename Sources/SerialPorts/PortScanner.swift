import EventLoop
import Glibc
public import ModemDiscovery

/// Reads what is plugged into this machine from the kernel's own files.
///
/// libserialport lists ports too, and goes on listing and configuring real serial lines. It does not
/// tell what has to be known to find a modem: devices that have no port (a HiLink stick, one that
/// shows its CD-ROM), the interface behind a port with its class and driver, and what ModemManager
/// was told. All of that stands in sysfs and in udev's notes, and is read there.
///
/// A file that is missing or broken costs the device it belongs to, or a part of what is known of it,
/// and never more.
public struct PortScanner: Sendable {
  /// Where the kernel's and udev's files are.
  public struct Roots: Hashable, Sendable {
    /// The kernel's view of devices.
    public var sys: String
    /// The nodes.
    public var dev: String
    /// Udev's notes.
    public var udev: String

    /// Those of the machine, or others in their place.
    public init(sys: String = "/sys", dev: String = "/dev", udev: String = "/run/udev/data") {
      self.sys = sys
      self.dev = dev
      self.udev = udev
    }
  }

  private let roots: Roots

  /// A surveyor of the machine, or of what lies below other roots.
  public init(_ roots: Roots = Roots()) {
    self.roots = roots
  }

  /// What is plugged in now.
  public func scan() -> PortInventory {
    let directory = "\(roots.sys)/bus/usb/devices"
    let names = SystemFile.names(in: directory, limit: Limits.usbEntries).sorted()
    var interfaces: [String: [USBInterface]] = [:]
    for name in names {
      guard let colon = name.firstIndex(of: ":"), let interface = interface("\(directory)/\(name)")
      else { continue }
      interfaces[String(name[..<colon]), default: []].append(interface)
    }
    var devices: [String: USBDevice] = [:]
    var isLeftAlone: Set<String> = []
    for name in names where !name.contains(":") && !name.hasPrefix("usb") {
      let path = "\(directory)/\(name)"
      guard let device = device(path, socket: name, interfaces[name] ?? []) else { continue }
      devices[name] = device
      if notes(path).isSet("ID_MM_DEVICE_IGNORE") { isLeftAlone.insert(name) }
    }
    return PortInventory(
      devices: Array(devices.values), ports: ports(of: devices, isLeftAlone: isLeftAlone))
  }

  private func device(
    _ path: String, socket: String, _ interfaces: [USBInterface]
  ) -> USBDevice? {
    guard let vendor = text("\(path)/idVendor").flatMap({ Hexadecimal.word($0) }),
      let product = text("\(path)/idProduct").flatMap({ Hexadecimal.word($0) }),
      text("\(path)/bDeviceClass") != PortScanner.hub
    else { return nil }
    return USBDevice(
      socket: socket, id: USBID(vendor: vendor, product: product),
      manufacturer: text("\(path)/manufacturer"), product: text("\(path)/product"),
      serial: text("\(path)/serial"), interfaces: interfaces.sorted { $0.number < $1.number })
  }

  private func interface(_ path: String) -> USBInterface? {
    func number(_ name: String) -> UInt8? {
      text("\(path)/\(name)").flatMap { Hexadecimal.byte($0) }
    }
    guard let own = number("bInterfaceNumber"), let classCode = number("bInterfaceClass") else {
      return nil
    }
    return USBInterface(
      number: own, classCode: classCode, subclass: number("bInterfaceSubClass") ?? 0,
      protocolCode: number("bInterfaceProtocol") ?? 0,
      driver: Paths.target(of: "\(path)/driver").flatMap {
        $0.split(separator: "/").last.map(String.init)
      })
  }

  private func ports(of devices: [String: USBDevice], isLeftAlone: Set<String>) -> [USBPort] {
    let directory = "\(roots.sys)/class/tty"
    let links = StableNames.links(below: roots.dev)
    var ports: [USBPort] = []
    for name in SystemFile.names(
      in: directory, limit: Limits.usbEntries, where: { $0.hasPrefix("tty") }
    ).sorted() {
      guard ports.count < Limits.ports, let place = place(of: "\(directory)/\(name)"),
        let device = devices[place.socket]
      else { continue }
      let node = "\(roots.dev)/\(name)"
      let notes = notes("\(directory)/\(name)")
      let noted = notes.links.map { "\(roots.dev)/\($0)" }
        .filter { Paths.resolved($0) == Paths.resolved(node) && access($0, F_OK) == 0 }
      let known = links[Paths.resolved(node) ?? node] ?? []
      ports.append(
        USBPort(
          path: node, links: known + noted.filter { !known.contains($0) }, socket: place.socket,
          interface: place.interface, driver: device.interface(place.interface)?.driver,
          isPermitted: access(node, R_OK | W_OK) == 0 || (errno != EACCES && errno != EPERM),
          group: PortScanner.group(of: node),
          isLeftAlone: isLeftAlone.contains(place.socket) || notes.isSet("ID_MM_PORT_IGNORE")))
    }
    let owners = PortHolder.owners(of: Set(ports.map(\.path)))
    for index in ports.indices { ports[index].owner = owners[ports[index].path] }
    return ports
  }

  /// The socket and the interface that a port belongs to: the first directory above it that is an
  /// interface. Nil for a port that is no USB device's.
  private func place(of port: String) -> (socket: String, interface: UInt8)? {
    guard var path = Paths.resolved(port) else { return nil }
    for _ in 0..<Limits.levels {
      guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return nil }
      path = String(path[..<slash])
      guard let number = text("\(path)/bInterfaceNumber") else { continue }
      guard let interface = Hexadecimal.byte(number), let name = path.split(separator: "/").last,
        let colon = name.firstIndex(of: ":")
      else { return nil }
      return (String(name[..<colon]), interface)
    }
    return nil
  }

  private func notes(_ path: String) -> UdevNotes {
    UdevNotes(device: text("\(path)/dev") ?? "", below: roots.udev)
  }

  /// The first line of a file without blanks around it; nil when there is none or it is empty.
  private func text(_ path: String) -> String? {
    guard let line = SystemFile.firstLine(path) else { return nil }
    let text = String(line.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    return text.isEmpty ? nil : text
  }

  /// The class of a hub, which is no device of anybody's.
  private static let hub = "09"

  private static func group(of node: String) -> String? {
    var information = stat()
    guard stat(node, &information) == 0 else { return nil }
    var entry = Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    var space = [CChar](repeating: 0, count: 16_384)
    return space.withUnsafeMutableBufferPointer { space in
      guard let base = space.baseAddress,
        getgrgid_r(information.st_gid, &entry, base, space.count, &found) == 0, found != nil,
        let name = entry.gr_name
      else { return nil }
      return String(cString: name)
    }
  }
}
