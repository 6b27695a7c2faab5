import Foundation
import ModemDiscovery
import SerialPorts
import Testing

/// Reading what is plugged in.
@Suite struct SurveyTests {
  let machine: MadeMachine

  init() throws { machine = try MadeMachine() }

  @Test func aModemIsReadWithAllOfIt() throws {
    try machine.plug(
      "1-1.4", "2c7c:0125",
      words: ["manufacturer": "Quectel", "product": "EC25-E", "serial": "A7 "])
    for (number, port) in [("00", "ttyUSB0"), ("01", "ttyUSB1"), ("02", "ttyUSB2")] {
      try machine.interface(
        "1-1.4", number, "ff/00/00", port: port, device: "188:\(port.suffix(1))")
    }
    try machine.interface("1-1.4", "04", "ff/ff/ff", driver: "qmi_wwan")
    try machine.write(
      "udev/c188:2", "S:serial/by-id/usb-Quectel-if02-port0\nI:1\nE:ID_MM_PORT_IGNORE=1\nE:BROKEN\n"
    )
    try machine.link("dev/serial/by-id/usb-Quectel-if02-port0", to: "../../ttyUSB2")
    try machine.link("dev/checkpost-modem", to: "ttyUSB2")
    let inventory = machine.surveyor.scan()
    let device = try #require(inventory.device(at: "1-1.4"))
    #expect(device.id.description == "2c7c:0125")
    #expect(device.manufacturer == "Quectel")
    #expect(device.serial == "A7")
    #expect(device.interfaces.map(\.number) == [0, 1, 2, 4])
    #expect(device.interface(4)?.driver == "qmi_wwan")
    #expect(inventory.ports.map(\.interface) == [0, 1, 2])
    #expect(inventory.ports.map(\.isLeftAlone) == [false, false, true])
    let port = try #require(inventory.port(at: machine.path("dev/ttyUSB2")))
    #expect(
      port.links == [
        machine.path("dev/checkpost-modem"),
        machine.path("dev/serial/by-id/usb-Quectel-if02-port0"),
      ])
    #expect(port.driver == "option")
    #expect(
      PortPlan(.automatic, in: inventory).candidates.map(\.path) == [machine.path("dev/ttyUSB2")])
  }

  @Test func aPortThatIsAnInterfaceItselfIsReadToo() throws {
    try machine.plug("2-1", "1546:1102")
    try machine.interface("2-1", "00", "02/02/01", port: "ttyACM0", driver: "cdc_acm")
    try machine.interface("2-1", "0a", "02/02/01", port: "ttyACM5", driver: "cdc_acm")
    let inventory = machine.surveyor.scan()
    #expect(inventory.ports.map(\.interface) == [0, 10])
    #expect(
      PortPlan(.automatic, in: inventory).candidates.map(\.path) == [machine.path("dev/ttyACM0")])
  }

  @Test func whatHasNoPortIsReadToo() throws {
    try machine.plug("1-2", "12d1:14dc", words: ["product": "HUAWEI_MOBILE"])
    try machine.interface("1-2", "00", "02/06/00", driver: "cdc_ether")
    try machine.plug("1-3", "12d1:1446")
    try machine.interface("1-3", "00", "08/06/50", driver: "usb-storage")
    try machine.plug("usb1", "1d6b:0002", deviceClass: "09")
    try machine.plug("1-9", "05e3:0608", deviceClass: "09")
    let inventory = machine.surveyor.scan()
    #expect(inventory.devices.map(\.socket) == ["1-2", "1-3"])
    #expect(PortPlan(.automatic, in: inventory).findings.map(\.kind) == [.hiLink, .storageMode])
  }

  @Test func whatIsNoUSBPortIsLeftOut() throws {
    try machine.write("sys/devices/platform/serial8250/tty/ttyS0/uevent", "")
    try machine.link("sys/class/tty/ttyS0", to: "../../devices/platform/serial8250/tty/ttyS0")
    try machine.link("sys/class/tty/ttyLost", to: "../../devices/nowhere")
    #expect(machine.surveyor.scan().ports.isEmpty)
  }

  @Test(arguments: ["", "\n", "12d", "12d1x", "zzzz", "\u{0}\u{0}", "12d1 1506"])
  func aBrokenFileCostsItsDeviceAlone(text: String) throws {
    try machine.plug("1-1", "12d1:1506")
    try machine.plug("1-2", "2c7c:0125")
    try machine.interface("1-1", "00", port: "ttyUSB0")
    try machine.interface("1-2", "02", port: "ttyUSB1")
    try machine.write("sys/devices/usb1/1-1/idVendor", text)
    let inventory = machine.surveyor.scan()
    #expect(inventory.devices.map(\.socket) == ["1-2"])
    #expect(inventory.ports.map(\.socket) == ["1-2"])
  }

  @Test func brokenBytesEverywhereAreNoCrash() throws {
    let noise = Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 197) })
    try machine.plug("1-1", "2c7c:0125")
    try machine.interface("1-1", "02", port: "ttyUSB0", device: "188:0")
    try machine.write("udev/c188:0", "")
    let files = try #require(FileManager.default.enumerator(atPath: machine.path("")))
    var broken = 0
    for case let name as String in files {
      let place = URL(fileURLWithPath: machine.path(name))
      let isFile = try place.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
      guard isFile == true else { continue }
      let before = try Data(contentsOf: place)
      try noise.write(to: place)
      #expect(machine.surveyor.scan().devices.count <= 1, "\(name)")
      try before.write(to: place)
      broken += 1
    }
    #expect(broken > 6)
    #expect(machine.surveyor.scan().ports.count == 1)
  }

  @Test func aMachineWithoutUSBHasNothing() {
    let surveyor = PortScanner(
      PortScanner.Roots(sys: "/nowhere", dev: "/nowhere", udev: "/nowhere"))
    #expect(surveyor.scan() == PortInventory())
  }
}
