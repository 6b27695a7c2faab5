import ArgumentParser
import Glibc
import JSON
import ModemDiscovery
import SerialPorts
import Settings

/// `modem list`: what is plugged in, which port `auto` takes, and why other things cannot serve.
struct ModemListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the serial ports with the USB devices behind them, and what auto would take.",
    discussion: """
      The column auto numbers the ports in the order in which `modem.port: auto` tries them. Below \
      the table stands what is plugged in and cannot serve, and what helps.
      """)

  @OptionGroup var output: OutputOptions

  func run() throws {
    let inventory = PortScanner().scan()
    let list = PortList(inventory: inventory, others: try SerialPorts.list())
    let out = StandardOutput()
    if output.isJSON {
      for object in list.objects { try out.json(JSONValue.object(object)) }
    } else {
      if !list.isEmpty {
        try out.lines(
          list.table.lines(
            isColoured: Terminal.showsColours(STDOUT_FILENO), fitting: Terminal.room(STDOUT_FILENO))
        )
      }
      for finding in list.plan.findings { try out.line(finding.words) }
    }
    try out.flush()
  }
}

/// What `modem list` shows.
struct PortList {
  let inventory: PortInventory
  let plan: PortPlan
  /// Ports that are no USB device's.
  private let others: [PortDescription]

  /// The list for what is plugged in; of `others`, those that the inventory has are left out.
  init(inventory: PortInventory, others: [PortDescription]) {
    self.inventory = inventory
    self.others = others.filter { inventory.port(at: $0.path) == nil }
    plan = PortPlan(.automatic, in: inventory)
  }

  /// Whether there is nothing at all for the table.
  var isEmpty: Bool { inventory.ports.isEmpty && others.isEmpty && bare.isEmpty }

  /// Devices that have no port and are of interest here all the same.
  private var bare: [USBDevice] {
    inventory.devices.filter {
      inventory.ports(of: $0.socket).isEmpty && inventory.kind(of: $0) != .other
    }
  }

  /// One row for each port, and for each device that should have one.
  var table: TextTable {
    var table = TextTable([
      "port", "auto", "use", "device", "socket", "if", "held by", "stable name",
    ])
    for device in inventory.devices {
      for port in inventory.ports(of: device.socket) {
        table.add([
          port.path, turn(of: port).map(String.init) ?? "-", inventory.use(of: port)?.words ?? "-",
          inventory.name(of: device), device.socket, Hexadecimal.text(port.interface, digits: 2),
          port.owner?.description ?? "-", port.links.first ?? "-",
        ])
      }
    }
    for device in bare {
      table.add(["-", "-", "-", inventory.name(of: device), device.socket, "-", "-", "-"])
    }
    for port in others {
      table.add([
        port.path, "-", "-", port.description, "-", "-", port.holder ?? "-", port.stablePath ?? "-",
      ])
    }
    return table
  }

  /// The same for programs: ports, devices without one, findings.
  var objects: [[String: JSONValue]] {
    var objects: [[String: JSONValue]] = []
    for device in inventory.devices {
      for port in inventory.ports(of: device.socket) { objects.append(object(port, of: device)) }
    }
    objects += bare.map { fields(of: $0) }
    objects += others.map(PortList.object)
    objects += plan.findings.map { finding in
      [
        "finding": .text(finding.kind.rawValue), "subject": .text(finding.subject),
        "words": .text(finding.words),
      ]
    }
    return objects
  }

  /// Which turn a port has when `auto` looks for a modem; nil when it has none.
  private func turn(of port: USBPort) -> Int? {
    plan.candidates.firstIndex { $0.path == port.path }.map { $0 + 1 }
  }

  private func object(_ port: USBPort, of device: USBDevice) -> [String: JSONValue] {
    var object = fields(of: device)
    object["port"] = .text(port.path)
    object["transport"] = "usb"
    object["interface"] = .text(Hexadecimal.text(port.interface, digits: 2))
    object["left_alone"] = .flag(port.isLeftAlone)
    object["permitted"] = .flag(port.isPermitted)
    object["use"] = inventory.use(of: port).map { .text($0.rawValue) }
    object["driver"] = port.driver.map { .text($0) }
    object["holder"] = port.owner.map { .text($0.description) }
    object["stable_path"] = port.links.first.map { .text($0) }
    if let turn = turn(of: port) {
      object["auto"] = .integer(Int64(turn))
      object["why"] = .text(plan.candidates[turn - 1].words)
    }
    return object
  }

  private func fields(of device: USBDevice) -> [String: JSONValue] {
    var object: [String: JSONValue] = [
      "description": .text(inventory.name(of: device)),
      "kind": .text(inventory.kind(of: device).name),
      "socket": .text(device.socket), "usb": .text("\(device.id)"),
      "vendor_id": .text(Hexadecimal.text(device.id.vendor, digits: 4)),
      "product_id": .text(Hexadecimal.text(device.id.product, digits: 4)),
    ]
    object["manufacturer"] = device.manufacturer.map { .text($0) }
    object["product"] = device.product.map { .text($0) }
    object["serial_number"] = device.serial.map { .text($0) }
    return object
  }

  private static func object(_ port: PortDescription) -> [String: JSONValue] {
    var object: [String: JSONValue] = [
      "port": .text(port.path), "description": .text(port.description),
      "transport": .text(port.transport.rawValue),
    ]
    object["stable_path"] = port.stablePath.map { .text($0) }
    object["holder"] = port.holder.map { .text($0) }
    return object
  }
}
