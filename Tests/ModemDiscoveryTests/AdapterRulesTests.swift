import Testing

@testable import ModemDiscovery

/// Rules for the serial adapter before a modem. What udev makes of them, Tests/Ports/rules.sh shows.
@Suite struct AdapterRulesTests {
  private func adapter(
    _ id: String = "0403:6001", serial: String? = "A50285BI", at socket: String = "1-1",
    first: Int = 0, interfaces: [UInt8] = [0], product: String? = "FT232R USB UART"
  ) -> (device: USBDevice, ports: [USBPort]) {
    Plugged.modem(
      id, at: socket, interfaces: interfaces, first: first, serial: serial, driver: "ftdi_sio",
      product: product)
  }

  private func rules(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
  }

  @Test func anAdapterIsKnownByItsSerialNumber() throws {
    let found = try AdapterRules(port: "/dev/ttyUSB0", in: Plugged.inventory(adapter()))
    #expect(found.mark == .serial("A50285BI"))
    #expect(
      rules(found.text) == [
        "ACTION!=\"add|change|move|bind\", GOTO=\"checkpost_adapter_end\"",
        "SUBSYSTEM==\"usb\", ENV{DEVTYPE}==\"usb_device\", ATTR{idVendor}==\"0403\","
          + " ATTR{idProduct}==\"6001\", ATTR{serial}==\"A50285BI\", ENV{CHECKPOST_MODEM}=\"1\"",
        "SUBSYSTEM!=\"tty\", GOTO=\"checkpost_adapter_end\"",
        "SUBSYSTEMS==\"usb\", ATTRS{idVendor}==\"0403\", ATTRS{idProduct}==\"6001\","
          + " ATTRS{serial}==\"A50285BI\", GOTO=\"checkpost_adapter_port\"",
        "GOTO=\"checkpost_adapter_end\"",
        "LABEL=\"checkpost_adapter_port\"",
        "IMPORT{builtin}=\"usb_id\"",
        "ENV{ID_USB_INTERFACE_NUM}==\"00\", ENV{CHECKPOST_PORT}=\"at\"",
        "LABEL=\"checkpost_adapter_end\"",
      ])
  }

  @Test(arguments: [
    nil, "", "0001", "0000000000", "12345678", "0123456789", "A*", "A50285BI*", "A\"50285BI",
    "a b c d e", "A50285\u{1B}[2J", "é1234567",
  ]) func oneWithoutANumberOfItsOwnIsKnownByItsSocket(serial: String?) throws {
    let found = try AdapterRules(
      port: "/dev/ttyUSB0", in: Plugged.inventory(adapter("1a86:7523", serial: serial, at: "1-1.4"))
    )
    #expect(found.mark == .socket("1-1.4"))
    #expect(found.text.contains("KERNEL==\"1-1.4\", ENV{CHECKPOST_MODEM}=\"1\""))
    #expect(found.text.contains("KERNELS==\"1-1.4\", GOTO=\"checkpost_adapter_port\""))
    #expect(!found.text.contains("serial}"))
    #expect(found.words.contains("1-1.4"))
  }

  @Test func twinsAreKnownByTheirSockets() throws {
    let inventory = Plugged.inventory(adapter(at: "1-1"), adapter(at: "1-2", first: 1))
    #expect(try AdapterRules(port: "/dev/ttyUSB1", in: inventory).mark == .socket("1-2"))
  }

  @Test func ofSeveralPortsOneIsNamed() throws {
    let inventory = Plugged.inventory(adapter("0403:6010", interfaces: [0, 1]))
    let text = try AdapterRules(port: "/dev/ttyUSB1", in: inventory).text
    #expect(text.contains("ENV{ID_USB_INTERFACE_NUM}==\"01\", ENV{CHECKPOST_PORT}=\"at\""))
  }

  @Test func nothingThatADeviceSaysOfItselfBecomesARule() throws {
    let product = "UART\nRUN+=\"/bin/sh\"\r\u{2028}x"
    let text = try AdapterRules(
      port: "/dev/ttyUSB0", in: Plugged.inventory(adapter(product: product))
    ).text
    #expect(rules(text).count == 9)
    #expect(
      text.split(separator: "\n").filter { $0.contains("RUN") }.allSatisfy { $0.hasPrefix("#") })
  }

  @Test func otherPortsAreRefusedWithTheReason() {
    let modem = Plugged.inventory(Plugged.modem("2c7c:0125", interfaces: [0, 1, 2, 3]))
    let refusal = #expect(throws: AdapterRules.Refusal.self) {
      try AdapterRules(port: "/dev/ttyUSB2", in: modem)
    }
    #expect(refusal?.description.contains("60-checkpost-modem.rules") == true)
    #expect(throws: AdapterRules.Refusal.notUSB(path: "/dev/ttyS0")) {
      try AdapterRules(port: "/dev/ttyS0", in: modem)
    }
  }
}
