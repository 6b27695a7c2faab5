import ModemDiscovery
import Testing

@Suite struct PortPlanTests {
  let ec25 = Plugged.modem("2c7c:0125", interfaces: [0, 1, 2, 3])

  @Test func thePortForCommandsComesFirstAndTheSecondAfterIt() {
    #expect(paths(.automatic, Plugged.inventory(ec25)) == ["/dev/ttyUSB2", "/dev/ttyUSB3"])
  }

  @Test func theOrderDoesNotDependOnTheOrderOfTheSurvey() {
    let other = Plugged.modem("1e0e:9001", at: "1-10", interfaces: [0, 1, 2, 3, 4], first: 4)
    let third = Plugged.modem("1e0e:9001", at: "1-2", interfaces: [0, 1, 2, 3, 4], first: 9)
    let expected = [
      "/dev/ttyUSB2", "/dev/ttyUSB11", "/dev/ttyUSB6", "/dev/ttyUSB3", "/dev/ttyUSB12",
      "/dev/ttyUSB7",
    ]
    #expect(paths(.automatic, Plugged.inventory(ec25, other, third)) == expected)
    #expect(paths(.automatic, Plugged.inventory(third, other, ec25)) == expected)
    let backwards = PortInventory(
      devices: [other.device, ec25.device, third.device],
      ports: (third.ports + ec25.ports + other.ports).reversed())
    #expect(paths(.automatic, backwards) == expected)
  }

  @Test func huaweiIsChosenByClass() {
    let stick = Plugged.modem(
      "12d1:1506", interfaces: [0, 1, 2], classes: [0: (2, 1), 1: (2, 3), 2: (2, 2)])
    #expect(paths(.automatic, Plugged.inventory(stick)) == ["/dev/ttyUSB2", "/dev/ttyUSB0"])
    let turned = Plugged.modem(
      "12d1:1506", interfaces: [0, 1, 2], classes: [0: (1, 2), 1: (1, 1), 2: (1, 3)])
    #expect(paths(.automatic, Plugged.inventory(turned)) == ["/dev/ttyUSB0", "/dev/ttyUSB1"])
  }

  @Test func anOldHuaweiWithTwoPortsIsAskedAtItsSecond() {
    let old = Plugged.modem("12d1:1003", interfaces: [0, 1])
    #expect(paths(.automatic, Plugged.inventory(old)) == ["/dev/ttyUSB1", "/dev/ttyUSB0"])
    let three = Plugged.modem("12d1:1001", interfaces: [0, 1, 2])
    #expect(
      paths(.automatic, Plugged.inventory(three)) == [
        "/dev/ttyUSB2", "/dev/ttyUSB1", "/dev/ttyUSB0",
      ])
  }

  /// An old stick's network card has no port and shifts the rest: wdoekes/asterisk-chan-dongle has
  /// 12d1:140c at 3, 1436 and 14ac at 4.
  @Test(
    arguments: [
      ("12d1:140c", [0, 2, 3]), ("12d1:1436", [0, 3, 4]), ("12d1:14ac", [0, 2, 3, 4]),
      ("12d1:1001", [0, 1, 2]), ("12d1:1003", [0, 1]),
    ] as [(String, [UInt8])])
  func anOldHuaweisCommandsAreAtItsLastPort(id: String, interfaces: [UInt8]) throws {
    var old = Plugged.modem(id, interfaces: interfaces)
    // The network card has the same class as the ports.
    old.device.interfaces.append(
      USBInterface(number: 5, classCode: 0xFF, subclass: 0xFF, protocolCode: 0xFF))
    old.device.interfaces.append(
      USBInterface(number: 6, classCode: 0x08, subclass: 6, protocolCode: 0x50))
    let inventory = Plugged.inventory(old)
    let plan = PortPlan(.automatic, in: inventory)
    let last = try #require(interfaces.last)
    #expect(plan.candidates.first?.place?.interface == last)
    #expect(plan.candidates.first?.use == .at)
    #expect(plan.candidates.last?.place?.interface == 0)
    #expect(plan.candidates.last?.use == .ppp)
    #expect(inventory.kind(of: old.device) == .classed(maker: "Huawei"))
  }

  @Test func aPortThatTellsByItsClassGoesBeforeTheOldOrder() {
    let mixed = Plugged.modem("12d1:1506", interfaces: [0, 1, 2], classes: [0: (2, 2)])
    #expect(paths(.automatic, Plugged.inventory(mixed)) == ["/dev/ttyUSB0"])
  }

  @Test func aModemOfWhichOnlyPortsToAvoidAreKnownIsAskedFromTheLowestOn() {
    let ericsson = Plugged.modem("0bdb:1926", interfaces: [1, 3, 9], driver: "cdc_acm")
    #expect(paths(.automatic, Plugged.inventory(ericsson)) == ["/dev/ttyUSB0", "/dev/ttyUSB1"])
  }

  @Test func anUnlistedProductOfAMakerOfModemsIsAsked() {
    let unlisted = Plugged.modem("2c7c:ffff", interfaces: [0, 1])
    #expect(paths(.automatic, Plugged.inventory(unlisted)) == ["/dev/ttyUSB0", "/dev/ttyUSB1"])
    // A listed modem goes before it wherever it is plugged in.
    let listed = Plugged.modem("2c7c:0125", at: "1-9", interfaces: [2], first: 2)
    #expect(paths(.automatic, Plugged.inventory(unlisted, listed)).first == "/dev/ttyUSB2")
  }

  @Test func whatIsNoModemIsNotAsked() {
    let board = Plugged.modem("2341:0043", interfaces: [0], driver: "cdc_acm")
    let receiver = Plugged.modem("1546:01a8", at: "1-2", interfaces: [0], driver: "cdc_acm")
    let plan = PortPlan(.automatic, in: Plugged.inventory(board, receiver))
    #expect(plan.candidates.isEmpty)
    #expect(plan.findings.map(\.kind) == [.missing])
  }

  @Test func aBridgeIsAskedOnlyWhereThereIsNoModem() {
    let bridge = Plugged.modem("1a86:7523", at: "1-0", interfaces: [0], first: 7, driver: "ch341")
    #expect(paths(.automatic, Plugged.inventory(bridge)) == ["/dev/ttyUSB7"])
    #expect(!paths(.automatic, Plugged.inventory(bridge, ec25)).contains("/dev/ttyUSB7"))
    let switching = Plugged.bare("12d1:1446", at: "1-3", classCode: 8)
    #expect(paths(.automatic, Plugged.inventory(bridge, switching)).isEmpty)
    // A modem that worked and is away for a moment is waited for.
    let place = PortPlan(.automatic, in: Plugged.inventory(ec25)).candidates.first?.place
    #expect(paths(.automatic, Plugged.inventory(bridge), remembered: place).isEmpty)
    let own = PortPlan(.automatic, in: Plugged.inventory(bridge)).candidates.first?.place
    #expect(paths(.automatic, Plugged.inventory(bridge), remembered: own) == ["/dev/ttyUSB7"])
  }

  @Test func aBridgeThatIsNotListedIsKnownByItsDriver() {
    let bridge = Plugged.modem("ffff:0001", interfaces: [0], driver: "cp210x")
    #expect(paths(.automatic, Plugged.inventory(bridge)) == ["/dev/ttyUSB0"])
  }

  @Test func whatWorkedLastComesFirstUnderWhateverName() {
    let first = Plugged.modem("1e0e:9001", at: "1-1", interfaces: [2, 3])
    let second = Plugged.modem("1e0e:9001", at: "1-2", interfaces: [2, 3], first: 2)
    let worked = PortPlan(.automatic, in: Plugged.inventory(first, second)).candidates[1]
    #expect(worked.path == "/dev/ttyUSB2")
    let again = Plugged.modem("1e0e:9001", at: "1-2", interfaces: [2, 3], first: 8)
    let inventory = Plugged.inventory(first, again)
    #expect(paths(.automatic, inventory, remembered: worked.place).first == "/dev/ttyUSB8")
  }

  @Test func aSerialNumberFindsItInAnotherSocket() {
    let before = Plugged.modem("1e0e:9001", at: "1-2", interfaces: [2], serial: "77")
    let place = PortPlan(.automatic, in: Plugged.inventory(before)).candidates.first?.place
    let other = Plugged.modem("1e0e:9001", at: "1-1", interfaces: [2], serial: "76")
    let moved = Plugged.modem("1e0e:9001", at: "1-4", interfaces: [2], first: 5, serial: "77")
    #expect(
      paths(.automatic, Plugged.inventory(other, moved), remembered: place).first == "/dev/ttyUSB5")
  }

  // MARK: identity

  @Test func anIdentityChoosesAmongDevices() throws {
    let other = Plugged.modem("1e0e:9001", at: "1-2", interfaces: [2, 3], first: 4, serial: "A7")
    let inventory = Plugged.inventory(ec25, other)
    func found(_ text: String) throws -> [String] {
      paths(.identity(try #require(ModemIdentity(text))), inventory)
    }
    #expect(try found("1e0e:9001") == ["/dev/ttyUSB4", "/dev/ttyUSB5"])
    #expect(try found("1e0e:9001:03") == ["/dev/ttyUSB5"])
    #expect(try found("serial=A7") == ["/dev/ttyUSB4", "/dev/ttyUSB5"])
    #expect(try found("serial=A8").isEmpty)
    #expect(try found("2c7c:0125, serial=A7").isEmpty)
    // Which one it is, the modem itself has to say.
    #expect(
      try found("imei=356938035643809")
        == ["/dev/ttyUSB2", "/dev/ttyUSB4", "/dev/ttyUSB3", "/dev/ttyUSB5"])
  }

  @Test func anInterfaceThatIsNamedIsTakenWhateverIsKnownOfIt() throws {
    let identity = try #require(ModemIdentity("2c7c:0125:01"))
    #expect(paths(.identity(identity), Plugged.inventory(ec25)) == ["/dev/ttyUSB1"])
  }

  @Test func aDeviceThatIsNamedNeedNotBeKnown() throws {
    let board = Plugged.modem("2341:0043", interfaces: [0], driver: "cdc_acm")
    let identity = try #require(ModemIdentity("2341:0043"))
    #expect(paths(.identity(identity), Plugged.inventory(board)) == ["/dev/ttyUSB0"])
  }

  @Test func aPathIsOpenedAsItIs() {
    let plan = PortPlan(.path("/dev/ttyUSB2"), in: Plugged.inventory(ec25))
    #expect(plan.candidates.map(\.path) == ["/dev/ttyUSB2"])
    #expect(plan.candidates.first?.use == .at)
    #expect(paths(.path("/tmp/modem"), Plugged.inventory()) == ["/tmp/modem"])
  }
}
