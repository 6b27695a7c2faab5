import ModemDiscovery
import Testing

/// What is said of things that cannot serve.
@Suite struct FindingTests {
  private func findings(
    _ inventory: PortInventory, _ selector: PortSelector = .automatic
  ) -> [PortFinding] {
    PortPlan(selector, in: inventory).findings
  }

  private func ec25(_ owner: PortOwner?, at interface: UInt8 = 2, permitted: Bool = true)
    -> PortInventory
  {
    var modem = Plugged.modem("2c7c:0125", interfaces: [0, 1, 2, 3])
    for index in modem.ports.indices {
      if modem.ports[index].interface == interface { modem.ports[index].owner = owner }
      modem.ports[index].isPermitted = permitted
    }
    return Plugged.inventory(modem)
  }

  @Test func aHiLinkStickIsNamed() {
    for id in ["12d1:14db", "12d1:14dc", "12d1:1f01"] {
      let found = findings(Plugged.inventory(Plugged.bare(id, classCode: 2)))
      #expect(found.map(\.kind) == [.hiLink])
      #expect(found.first?.words.contains("network card") == true)
      #expect(found.first?.subject == id)
    }
  }

  @Test(arguments: [
    "12d1:1446", "12d1:14fe", "12d1:155b", "12d1:1505", "19d2:2000", "19d2:0166", "1bbb:f000",
    "1c9e:f000", "1e0e:f000", "2001:a80b", "1199:0fff",
  ])
  func aStickThatShowsItsDiscIsNamed(id: String) {
    let found = findings(Plugged.inventory(Plugged.bare(id, classCode: 8)))
    #expect(found.map(\.kind) == [.storageMode])
    #expect(found.first?.words.contains("install usb-modeswitch") == true)
  }

  @Test func aMakersUnlistedDiscIsNamedAndAMemoryStickIsNot() {
    #expect(
      findings(Plugged.inventory(Plugged.bare("19d2:fff5", classCode: 8))).map(\.kind)
        == [.storageMode])
    #expect(
      findings(Plugged.inventory(Plugged.bare("0781:5567", classCode: 8))).map(\.kind) == [.missing]
    )
  }

  @Test func modemManagerTakesTheWholeModem() {
    let inventory = ec25(PortOwner(process: 612, command: "ModemManager"), at: 3)
    let plan = PortPlan(.automatic, in: inventory)
    #expect(plan.candidates.isEmpty)
    #expect(
      plan.refusal
        == "/dev/ttyUSB3 of Quectel EC25, EG25 (2c7c:0125) is held by ModemManager (pid 612);"
        + " install udev/60-checkpost-modem.rules, or stop it")
  }

  @Test func ourOwnServiceIsNoStrangerToStop() {
    let inventory = ec25(PortOwner(process: 612, command: "checkpost"))
    let words = findings(inventory).first?.words ?? ""
    #expect(words.contains("held by our own service (pid 612)"))
    // Its other ports are left to it too.
    #expect(paths(.automatic, inventory).isEmpty)
    #expect(!words.contains("stop it"))
  }

  @Test func anotherProgramTakesItsPortAlone() {
    let inventory = ec25(PortOwner(process: 70, command: "minicom"))
    let plan = PortPlan(.automatic, in: inventory)
    #expect(plan.candidates.map(\.path) == ["/dev/ttyUSB3"])
    #expect(plan.findings.map(\.kind) == [.held])
    // One that reads positions is in nobody's way.
    #expect(findings(ec25(PortOwner(process: 71, command: "gpsd"), at: 1)).isEmpty)
  }

  @Test func whatTheServiceUsesIsNotOfferedTwice() {
    var first = Plugged.modem("1e0e:9001", at: "1-1", interfaces: [2, 3])
    first.ports[0].owner = PortOwner(process: 9, command: "checkpost", isThisProcess: true)
    let second = Plugged.modem("1e0e:9001", at: "1-2", interfaces: [2, 3], first: 2)
    let plan = PortPlan(.automatic, in: Plugged.inventory(first, second))
    #expect(plan.candidates.map(\.path) == ["/dev/ttyUSB2", "/dev/ttyUSB3"])
    #expect(plan.findings.map(\.kind) == [.inUse])
    // By its identity it is not offered either.
    let alone = Plugged.inventory(first)
    let identity = ModemIdentity(id: first.device.id)
    #expect(PortPlan(.identity(identity), in: alone).candidates.isEmpty)
    #expect(findings(alone, .identity(identity)).map(\.kind) == [.inUse])
  }

  @Test func aPortThatMayNotBeOpenedNamesItsGroup() {
    let plan = PortPlan(.automatic, in: ec25(nil, permitted: false))
    #expect(plan.candidates.isEmpty)
    #expect(plan.findings.map(\.subject) == ["/dev/ttyUSB2", "/dev/ttyUSB3"])
    #expect(plan.findings.allSatisfy { $0.words.hasSuffix("add the user to the group dialout") })
  }

  @Test func aModemWithoutPortsLacksItsDriver() {
    let found = findings(Plugged.inventory(Plugged.bare("2c7c:0125", classCode: 0xFF)))
    #expect(found.map(\.kind) == [.noPort])
  }

  @Test func nothingThereIsSaid() {
    #expect(findings(PortInventory()).first?.words.hasPrefix("no modem is plugged in") == true)
    let identity = ModemIdentity(id: USBID("12d1:1506"))
    #expect(
      findings(PortInventory(), .identity(identity)).first?.words
        == "no modem 12d1:1506 is plugged in; `checkpost modem list` shows what is there")
  }

  @Test func whatADeviceSaysOfItselfIsMadeFitToRead() throws {
    let words = "HUAWEI\u{1B}[31m\n\u{202E}" + String(repeating: "x", count: 500)
    let found = findings(Plugged.inventory(Plugged.bare("12d1:14dc", classCode: 2, product: words)))
    let text = try #require(found.first?.words)
    #expect(text.hasPrefix("HUAWEI[31mxxx"))
    #expect(text.utf8.count < 250)
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
  }
}
