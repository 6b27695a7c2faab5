import Foundation
import Glibc
import SerialPorts
import TestSupport
import Testing
import Time

/// Taking a device off the bus, on a machine that is made of files.
@Suite struct USBResetTests {
  private let machine: MadeMachine
  private let reset: USBReset
  private var attribute: String { machine.path("sys/devices/usb1/1-1/authorized") }

  init() throws {
    machine = try MadeMachine()
    reset = USBReset(root: machine.path("sys"))
    try machine.plug("1-1", "12d1:1506")
    try machine.interface("1-1", "02", port: "ttyUSB2")
    try machine.write("sys/devices/usb1/1-1/authorized", "1\n")
    try machine.link(
      "sys/devices/usb1/1-1/1-1:1.2/ttyUSB2/tty/ttyUSB2/device", to: "../../../ttyUSB2")
  }

  @Test func theDeviceIsTakenOffAndPutBack() throws {
    #expect(reset.isPermitted(portAt: machine.path("dev/ttyUSB2")) == true)
    let outcome = reset.reset(
      portAt: machine.path("dev/ttyUSB2"), clocks: TestClocks(boot: .zero, step: .seconds(1)))
    #expect(outcome.isDone, "\(outcome.words)")
    // The file is written over and not cut, as a real attribute is not.
    #expect(try String(contentsOfFile: attribute, encoding: .utf8) == "1\n")
  }

  @Test func whatIsNoUSBDeviceIsSaid() {
    #expect(reset.isPermitted(portAt: "/dev/pts/3") == nil)
    let outcome = reset.reset(
      portAt: "/dev/pts/3", clocks: TestClocks(boot: .zero, step: .seconds(1)))
    #expect(!outcome.isDone)
    #expect(outcome.words == "/dev/pts/3 belongs to no USB device")
  }

  @Test(.enabled(if: getuid() == 0, "only root can become another user"))
  func anOrdinaryUserNeedsTheRule() async throws {
    let (root, attribute) = (machine.path("sys"), attribute)
    // Directories that the test made may be entered by anybody.
    try #require(chmod(attribute, 0o644) == 0)
    await #expect(processExitsWith: .success) {
      [root = root as String] in
      try #require(setgroups(0, nil) == 0 && setgid(ordinaryUser) == 0)
      try #require(setuid(ordinaryUser) == 0)
      let reset = USBReset(root: root)
      #expect(reset.isPermitted(portAt: "/dev/ttyUSB2") == false)
      let outcome = reset.reset(
        portAt: "/dev/ttyUSB2", clocks: TestClocks(boot: .zero, step: .seconds(1)))
      #expect(!outcome.isDone)
      #expect(outcome.words.contains("install udev/60-checkpost-modem.rules"))
    }
    // What the rule does.
    try #require(chown(attribute, 0, ordinaryUser) == 0 && chmod(attribute, 0o664) == 0)
    await #expect(processExitsWith: .success) {
      [root = root as String] in
      try #require(setgroups(0, nil) == 0 && setgid(ordinaryUser) == 0)
      try #require(setuid(ordinaryUser) == 0)
      let reset = USBReset(root: root)
      #expect(reset.isPermitted(portAt: "/dev/ttyUSB2") == true)
      #expect(
        reset.reset(portAt: "/dev/ttyUSB2", clocks: TestClocks(boot: .zero, step: .seconds(1)))
          .isDone)
    }
  }
}
