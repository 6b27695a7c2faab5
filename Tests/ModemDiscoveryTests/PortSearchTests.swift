import ModemDiscovery
import Testing

@Suite struct PortSearchTests {
  let ec25 = Plugged.modem("2c7c:0125", interfaces: [0, 1, 2, 3])

  /// Opens the next candidate, as a session does each time it opens.
  private func open(_ search: inout PortSearch, _ inventory: PortInventory) -> String? {
    search.begin()
    guard let candidate = search.next(in: inventory) else { return nil }
    search.opened(candidate)
    return candidate.path
  }

  @Test func whatWasGivenUpMakesRoomForTheNextAndComesAgain() {
    var search = PortSearch(.automatic)
    let inventory = Plugged.inventory(ec25)
    let opened = (0..<4).map { _ in open(&search, inventory) }
    #expect(opened == ["/dev/ttyUSB2", "/dev/ttyUSB3", "/dev/ttyUSB2", "/dev/ttyUSB3"])
  }

  @Test func whatWorkedIsOpenedAgain() {
    var search = PortSearch(.automatic)
    let inventory = Plugged.inventory(ec25)
    #expect(open(&search, inventory) == "/dev/ttyUSB2")
    #expect(open(&search, inventory) == "/dev/ttyUSB3")
    search.accept(path: "/dev/ttyUSB3")
    #expect(open(&search, inventory) == "/dev/ttyUSB3")
    // Not accepted this time, so the other one has its turn.
    #expect(open(&search, inventory) == "/dev/ttyUSB2")
  }

  @Test func aModemThatReturnsUnderAnotherNameIsFound() {
    var search = PortSearch(.automatic)
    #expect(open(&search, Plugged.inventory(ec25)) == "/dev/ttyUSB2")
    search.accept(path: "/dev/ttyUSB2")
    #expect(open(&search, PortInventory()) == nil)
    let returned = Plugged.modem("2c7c:0125", interfaces: [0, 1, 2, 3], first: 1)
    #expect(open(&search, Plugged.inventory(returned)) == "/dev/ttyUSB3")
  }

  @Test func eachPortIsTriedOnceInASearch() {
    var search = PortSearch(.automatic)
    let inventory = Plugged.inventory(ec25)
    for _ in 0..<3 {
      search.begin()
      var tried: [String] = []
      while let candidate = search.next(in: inventory), tried.count < 10 {
        tried.append(candidate.path)
        search.failed(candidate, reason: "held by another process")
      }
      #expect(tried == ["/dev/ttyUSB2", "/dev/ttyUSB3"])
      #expect(
        search.refusal(in: inventory)
          == "/dev/ttyUSB2: held by another process; /dev/ttyUSB3: held by another process")
    }
  }

  @Test func anotherModemIsPutAsideWithAllItsPorts() {
    let other = Plugged.modem("2c7c:0125", at: "1-2", interfaces: [2, 3], first: 4)
    let inventory = Plugged.inventory(ec25, other)
    var search = PortSearch(.identity(ModemIdentity(imei: "356938035643809")))
    #expect(open(&search, inventory) == "/dev/ttyUSB2")
    search.reject(path: "/dev/ttyUSB2", reason: "is the modem 356938035643817")
    #expect(open(&search, inventory) == "/dev/ttyUSB4")
    search.accept(path: "/dev/ttyUSB4")
    #expect(open(&search, inventory) == "/dev/ttyUSB4")
  }

  // What a modem tells by itself comes out at one of its ports alone.
  @Test func theOtherPortOfADeafOneIsNext() {
    let huawei = Plugged.modem("12d1:1506", at: "1-2", interfaces: [0, 1, 2], first: 4)
    let inventory = Plugged.inventory(ec25, huawei)
    var search = PortSearch(.automatic)
    #expect(open(&search, inventory) == "/dev/ttyUSB2")
    search.accept(path: "/dev/ttyUSB2")
    search.setAside(path: "/dev/ttyUSB2")
    #expect(open(&search, inventory) == "/dev/ttyUSB3")
    // It is not sought a third time by itself.
    search.accept(path: "/dev/ttyUSB3")
    #expect(open(&search, inventory) == "/dev/ttyUSB3")
    search.accept(path: "/dev/ttyUSB3")
    search.setAside(path: "/dev/ttyUSB3")
    #expect(open(&search, inventory) == "/dev/ttyUSB2")
  }

  @Test func aDeafPortWithoutAnotherIsOpenedAgain() {
    let single = Plugged.modem("2c7c:0125", interfaces: [2])
    let inventory = Plugged.inventory(
      single, Plugged.modem("12d1:1506", at: "1-2", interfaces: [2]))
    var search = PortSearch(.identity(ModemIdentity("2c7c:0125:02") ?? ModemIdentity()))
    #expect(open(&search, inventory) == "/dev/ttyUSB0")
    search.accept(path: "/dev/ttyUSB0")
    search.setAside(path: "/dev/ttyUSB0")
    #expect(open(&search, inventory) == "/dev/ttyUSB0")
  }

  @Test func aWordOnAPortThatIsNotOpenChangesNothing() {
    var search = PortSearch(.automatic)
    let inventory = Plugged.inventory(ec25)
    #expect(open(&search, inventory) == "/dev/ttyUSB2")
    search.accept(path: "/dev/ttyUSB7")
    search.reject(path: "/dev/ttyUSB7", reason: "?")
    #expect(search.remembered == nil)
    #expect(open(&search, inventory) == "/dev/ttyUSB3")
  }

  @Test(arguments: [
    "12d1:1506", "12d1:1506:02", "serial=0123456789ABCDEF", "imei=356938035643809",
    "12d1:1506 serial=77 imei=356938035643809",
  ])
  func anIdentityIsWrittenAsItIsRead(text: String) throws {
    #expect(try #require(ModemIdentity(text)).description == text)
  }

  @Test(arguments: [
    "", " ", "12d1", "12d1:1506:2", "12d1:1506:02:03", "12d1:150g", "serial=", "imei=123",
    "imei=35693803564380x", "ttyUSB0", "12d1:1506 12d1:1507", "serial=1 serial=2",
    "port=1", String(repeating: "serial=1 ", count: 100),
  ])
  func whatIsNoIdentityIsNone(text: String) {
    #expect(ModemIdentity(text) == nil)
  }

  @Test func theDirectoryToWatchIsTheOneOfTheName() {
    #expect(PortSelector.automatic.directory == "/dev")
    #expect(PortSelector.identity(ModemIdentity(serial: "1")).directory == "/dev")
    #expect(PortSelector.path("/dev/serial/by-id/usb-x").directory == "/dev/serial/by-id")
    #expect(PortSelector.path("/modem").directory == "/")
  }
}
