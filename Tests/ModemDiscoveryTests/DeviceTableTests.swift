import ModemMakers
import Testing

@testable import ModemDiscovery

@Suite struct DeviceTableTests {
  @Test func everyRowIsRead() {
    let lines = MakerList.known.makers.flatMap { $0.usb.rows.split(separator: "\n") }
    let makers = lines.count { $0.hasPrefix("= ") || $0.hasPrefix("~ ") }
    #expect(DeviceTable.known.modems.count == lines.count - makers)
    #expect(DeviceTable.known.modems.count == 259)
  }

  @Test(
    arguments: [
      ("2c7c:0125", 2), ("1e0e:9001", 2), ("1e0e:9011", 4), ("1bc7:1201", 4), ("1199:9071", 3),
      ("1e2d:0061", 2), ("1e2d:005b", 0), ("2cb7:0007", 2), ("1508:1001", 1), ("1546:1102", 0),
      ("19d2:0031", 3), ("19d2:0117", 2), ("0421:0619", 3), ("0421:0623", 1), ("2001:7e35", 1),
      ("1bbb:0017", 5), ("2020:2060", 1), ("2c7c:0128", 5), ("8087:095a", 0), ("413c:81d7", 2),
      ("2c7c:0901", 2), ("2c7c:6002", 3), ("2c7c:6005", 3), ("2c7c:6026", 3),
    ] as [(String, UInt8)])
  func theCommandsAreAt(id: String, interface: UInt8) throws {
    let modem = try #require(USBID(id).flatMap { DeviceTable.known.modems[$0] })
    #expect(modem.use(ofInterface: interface) == .at)
    #expect(modem.ports.values.count { $0 == .at } == 1)
  }

  @Test func noModemHasTwoFirstPorts() {
    for modem in DeviceTable.known.modems.values {
      #expect(modem.ports.values.count { $0 == .at } <= 1, "\(modem.id)")
    }
  }

  @Test func aReceiverOfPositionsHasNoPortForCommands() throws {
    let receiver = try #require(USBID("1546:01a8").flatMap { DeviceTable.known.modems[$0] })
    for number in UInt8.min...UInt8.max { #expect(receiver.use(ofInterface: number) == .gps) }
  }

  @Test(arguments: ["12d1:150", "12d1:15066", "12d1", "12d1:1506:02", "xyzw:1506", "+2d1:1506", ""])
  func whatIsNoIdIsNone(text: String) {
    #expect(USBID(text) == nil)
  }

  @Test func aRowThatIsBrokenCostsItselfAlone() {
    let rows = """
      1234 A02
      = 2c7c Quectel
      0125 A02 | EC25
      0126 Q02
      zz A02
      0127 A2
      0128 A02 S03
      """
    let read = DeviceTable.parse(rows)
    #expect(read.map(\.modem.id.description) == ["2c7c:0125", "2c7c:0128"])
  }

  @Test(
    arguments: [
      (0x01, 0x02, PortUse.at), (0x02, 0x12, .at), (0x03, 0x12, .at), (0x01, 0x32, .at),
      (0x02, 0x02, .at), (0x01, 0x01, .ppp), (0x03, 0x01, .ppp), (0x01, 0x31, .ppp),
      (0x01, 0x03, .diagnostic), (0x01, 0x33, .diagnostic),
    ] as [(UInt8, UInt8, PortUse)])
  func huaweiTellsByClass(subclass: UInt8, code: UInt8, use: PortUse) throws {
    let huawei = try #require(DeviceTable.known.classes[0x12D1])
    // The number says nothing.
    for number: UInt8 in [0, 2, 4] {
      let interface = USBInterface(
        number: number, classCode: 0xFF, subclass: subclass, protocolCode: code)
      #expect(huawei.use(of: interface) == use)
    }
  }
}
