import CSerialPort
public import EventLoop
import Glibc
import ModemDiscovery

/// The serial ports of this machine.
public enum SerialPorts {
  /// Lists the ports with their USB identity, by name.
  ///
  /// - Throws: `LinkError.system` when the system does not tell.
  public static func list() throws(LinkError) -> [PortDescription] {
    var entries: UnsafeMutablePointer<OpaquePointer?>?
    let status = sp_list_ports(&entries)
    // A kernel without serial ports has no such directory.
    if status == SP_ERR_FAIL, errno == ENOENT { return [] }
    guard status == SP_OK, let entries else {
      throw .system(
        path: "/sys/class/tty", operation: "list the ports",
        errno: status == SP_ERR_MEM ? ENOMEM : errno)
    }
    defer { sp_free_port_list(entries) }
    let links = StableNames.links()
    var ports: [PortDescription] = []
    var next = entries
    while let port = next.pointee, ports.count < Limits.ports {
      if let description = describe(port, links: links) { ports.append(description) }
      next += 1
    }
    return ports.sorted { $0.path < $1.path }
  }

  /// Opens a port for this process alone, ready for a modem: raw, 8N1, no flow control, no hang-up
  /// when it is closed. A lock file is written for programs that look at nothing else, where its
  /// directory may be written.
  ///
  /// Real serial ports are configured through libserialport, which knows their drivers; its own
  /// reading and writing is not used, as it takes a hang-up for silence and spins.
  ///
  /// - Parameters:
  ///   - path: A node or a link to one.
  ///   - baud: Bits a second; a pseudo-terminal does not care.
  /// - Throws: `LinkError` that says why it cannot be had and what helps, with the process that
  ///   holds it.
  public static func open(_ path: String, baud: Int) throws(LinkError) -> any ByteLink {
    let node = try resolve(path)
    if PortCloser.shared.isClosing(node) {
      throw .system(path: path, operation: "close it for the last time", errno: EBUSY)
    }
    let number = Glibc.open(node, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw refusal(errno, path: path, node: node) }
    let descriptor = Descriptor(owning: number, isLocked: true)
    guard isatty(number) == 1 else { throw .notATerminal(path: path) }
    guard flock(number, LOCK_EX | LOCK_NB) == 0 else {
      throw .busy(path: path, holder: PortHolder.owner(of: node)?.description)
    }
    let isReal = isSerialPort(node)
    if isReal, let holder = PortHolder.find(node) ?? PortHolder.locked(node) {
      throw .busy(path: path, holder: holder.description)
    }
    if isReal { configure(node, baud: baud) }
    try LineSettings.apply(to: number, baud: baud, path: path)
    // A pseudo-terminal stays claimed for as long as its simulator runs, longer than our link.
    guard isReal else { return DescriptorLink(path: path, descriptor: descriptor) }
    let lock: UUCPLock?
    switch UUCPLock.take(node) {
    case .taken(let taken): lock = taken
    case .held(let process) where process != getpid():
      throw .busy(path: path, holder: PortHolder.owner(process).description)
    case .held, .unavailable: lock = nil
    }
    LineSettings.claim(number)
    return OpenPort(path: path, node: node, descriptor: descriptor, lock: lock)
  }

  /// The node behind a path that may be a link.
  private static func resolve(_ path: String) throws(LinkError) -> String {
    guard let resolved = realpath(path, nil) else {
      throw refusal(errno, path: path, node: path)
    }
    defer { free(resolved) }
    let node = String(cString: resolved)
    var information = stat()
    guard stat(node, &information) == 0 else { throw refusal(errno, path: path, node: node) }
    switch information.st_mode & S_IFMT {
    case S_IFDIR: throw .isDirectory(path: path)
    case S_IFCHR: return node
    default: throw .notATerminal(path: path)
    }
  }

  private static func refusal(_ number: Int32, path: String, node: String) -> LinkError {
    switch number {
    case ENOENT, ENOTDIR: .notFound(path: path)
    case EACCES, EPERM: .permission(path: path)
    case EBUSY: .busy(path: path, holder: PortHolder.owner(of: node)?.description)
    case EISDIR: .isDirectory(path: path)
    case ENXIO, ENODEV: .gone(path: path)
    default: .system(path: path, operation: "open", errno: number)
    }
  }

  /// Whether the kernel has a serial port of this name; pseudo-terminals have none.
  private static func isSerialPort(_ node: String) -> Bool {
    guard let name = node.split(separator: "/").last else { return false }
    return access("/sys/class/tty/\(name)/device", F_OK) == 0
  }

  /// Lets libserialport set the line up. What it cannot do is done after it by our own hand, so a
  /// failure here is none.
  private static func configure(_ node: String, baud: Int) {
    var port: OpaquePointer?
    guard sp_get_port_by_name(node, &port) == SP_OK, let port else { return }
    defer { sp_free_port(port) }
    guard sp_open(port, SP_MODE_READ_WRITE) == SP_OK else { return }
    defer { sp_close(port) }
    sp_set_baudrate(port, Int32(clamping: baud))
    sp_set_bits(port, 8)
    sp_set_parity(port, SP_PARITY_NONE)
    sp_set_stopbits(port, 1)
    sp_set_flowcontrol(port, SP_FLOWCONTROL_NONE)
    sp_set_dtr(port, SP_DTR_ON)
    sp_set_rts(port, SP_RTS_ON)
  }

  private static func describe(
    _ port: OpaquePointer, links: [String: [String]]
  ) -> PortDescription? {
    guard let name = sp_get_port_name(port) else { return nil }
    let path = String(cString: name)
    var description = PortDescription(
      path: path, stablePath: links[path]?.first,
      description: sp_get_port_description(port).map { String(cString: $0) } ?? "",
      transport: .unknown, holder: PortHolder.find(path)?.description)
    switch sp_get_port_transport(port) {
    case SP_TRANSPORT_NATIVE: description.transport = .native
    case SP_TRANSPORT_USB: description.transport = .usb
    case SP_TRANSPORT_BLUETOOTH: description.transport = .bluetooth
    default: break
    }
    guard description.transport == .usb else { return description }
    var vendor: Int32 = 0
    var product: Int32 = 0
    if sp_get_port_usb_vid_pid(port, &vendor, &product) == SP_OK {
      description.vendorID = hexadecimal(vendor)
      description.productID = hexadecimal(product)
    }
    description.manufacturer = sp_get_port_usb_manufacturer(port).map { String(cString: $0) }
    description.product = sp_get_port_usb_product(port).map { String(cString: $0) }
    description.serialNumber = sp_get_port_usb_serial(port).map { String(cString: $0) }
    description.interface = StableNames.interface(of: path)
    return description
  }

  private static func hexadecimal(_ number: Int32) -> String {
    let digits = String(UInt16(truncatingIfNeeded: number), radix: 16)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
