import Foundation
import JSON
import ModemDiscovery
import SerialPorts
import Testing

@testable import Host
@testable import checkpost

/// `modem list`, and ports that are looked for.
@Suite(.ownThreads) struct PortListTests {
  private let inventory: PortInventory

  init() throws {
    let modem = USBDevice(
      socket: "1-1.4", id: try #require(USBID("2c7c:0125")), product: "EC25-E", serial: "A7")
    let stick = USBDevice(
      socket: "1-1.5", id: try #require(USBID("12d1:14dc")), product: "HUAWEI_MOBILE")
    let hub = USBDevice(socket: "1-1.6", id: try #require(USBID("046d:c31c")), product: "Keyboard")
    inventory = PortInventory(
      devices: [stick, hub, modem],
      ports: [
        USBPort(
          path: "/dev/ttyUSB3", socket: "1-1.4", interface: 3,
          owner: PortOwner(process: 70, command: "minicom")),
        USBPort(path: "/dev/ttyUSB1", socket: "1-1.4", interface: 1, isLeftAlone: true),
        USBPort(
          path: "/dev/ttyUSB2", links: ["/dev/checkpost-modem"], socket: "1-1.4", interface: 2),
      ])
  }

  private var list: PortList {
    PortList(
      inventory: inventory,
      others: [
        PortDescription(path: "/dev/ttyS0", description: "ttyS0", transport: .native),
        PortDescription(path: "/dev/ttyUSB2", description: "EC25", transport: .usb),
      ])
  }

  @Test func theTableShowsWhichPortAutoTakes() {
    #expect(
      list.table.lines().map { $0.text.split(separator: " ").joined(separator: " ") } == [
        "port auto use device socket if held by stable name",
        "/dev/ttyUSB1 - positions Quectel EC25, EG25 (2c7c:0125) 1-1.4 01 - -",
        "/dev/ttyUSB2 1 commands Quectel EC25, EG25 (2c7c:0125) 1-1.4 02 - /dev/checkpost-modem",
        "/dev/ttyUSB3 - commands (second) Quectel EC25, EG25 (2c7c:0125) 1-1.4 03 70 minicom -",
        "- - - HUAWEI_MOBILE (12d1:14dc) 1-1.5 - - -", "/dev/ttyS0 - - ttyS0 - - - -",
      ])
  }

  @Test func programsReadTheSame() throws {
    let objects = list.objects
    #expect(objects.compactMap { $0["port"]?.text }.count == 4)
    let taken = try #require(objects.first { $0["auto"] != nil })
    #expect(taken["port"]?.text == "/dev/ttyUSB2")
    #expect(taken["use"]?.text == "at")
    #expect(taken["why"]?.text?.hasPrefix("it is the port for commands of Quectel") == true)
    #expect(taken["interface"]?.text == "02")
    #expect(objects.compactMap { $0["finding"]?.text } == ["held", "hilink"])
    #expect(!objects.contains { $0["product"]?.text == "Keyboard" })
  }

  @Test func aModemThatIsNotThereIsSaid() throws {
    let outcome = try Program.run(["modem", "info", "--port", "ffff:ffff"])
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("no modem ffff:ffff is plugged in"))
    #expect(outcome.errorLines.count == 1)
  }

  @Test(
    arguments: [
      ("auto", PortSelector.automatic), ("/dev/ttyUSB2", .path("/dev/ttyUSB2")),
      ("modem", .path("modem")), ("./auto", .path("./auto")),
      ("serial=7", .identity(ModemIdentity(serial: "7"))),
    ] as [(String, PortSelector)])
  func anArgumentIsAPathUnlessItSaysOtherwise(text: String, selector: PortSelector) {
    #expect(PortSelector(argument: text) == selector)
  }
}
