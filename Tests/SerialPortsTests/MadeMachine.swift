import Foundation
import Glibc
import ModemDiscovery
import SerialPorts
import TestSupport
import Testing

/// A machine that is made of files: the parts of `/sys`, `/dev` and udev's notes that are read.
final class MadeMachine {
  private let root: TemporaryDirectory

  init() throws {
    root = try TemporaryDirectory()
    // Another user looks at it, too.
    chmod(root.path, 0o755)
    for directory in ["sys/bus/usb/devices", "sys/class/tty", "dev", "udev"] {
      try FileManager.default.createDirectory(
        atPath: path(directory), withIntermediateDirectories: true)
    }
  }

  var surveyor: PortScanner {
    PortScanner(
      PortScanner.Roots(
        sys: path("sys"), dev: path("dev"), udev: path("udev")))
  }

  func path(_ name: String) -> String { root.file(name) }

  /// Writes a file below the root, with the directories above it.
  func write(_ name: String, _ text: String) throws {
    try root.write(name, text, permissions: 0o644)
  }

  func link(_ name: String, to target: String) throws {
    try root.link(name, to: target)
  }

  /// Plugs in a device.
  func plug(
    _ socket: String, _ id: String, deviceClass: String = "00", words: [String: String] = [:]
  ) throws {
    let place = "sys/devices/usb1/\(socket)"
    let numbers = id.split(separator: ":")
    try write("\(place)/idVendor", "\(numbers[0])\n")
    try write("\(place)/idProduct", "\(numbers[1])\n")
    try write("\(place)/bDeviceClass", "\(deviceClass)\n")
    for (name, text) in words { try write("\(place)/\(name)", "\(text)\n") }
    try link("sys/bus/usb/devices/\(socket)", to: "../../../devices/usb1/\(socket)")
  }

  /// Gives a device an interface, with a port behind a converter (`ttyUSB…`) or of its own
  /// (`ttyACM…`), or with none.
  func interface(
    _ socket: String, _ number: String, _ codes: String = "ff/ff/ff", port: String? = nil,
    driver: String = "option", device: String? = nil
  ) throws {
    let name = "\(socket):1.\(Int(number, radix: 16) ?? 0)"
    let place = "sys/devices/usb1/\(socket)/\(name)"
    let parts = codes.split(separator: "/")
    try write("\(place)/bInterfaceNumber", "\(number)\n")
    try write("\(place)/bInterfaceClass", "\(parts[0])\n")
    try write("\(place)/bInterfaceSubClass", "\(parts[1])\n")
    try write("\(place)/bInterfaceProtocol", "\(parts[2])\n")
    try link("\(place)/driver", to: "../../../../bus/usb/drivers/\(driver)")
    try link("sys/bus/usb/devices/\(name)", to: "../../../devices/usb1/\(socket)/\(name)")
    guard let port else { return }
    let way = port.hasPrefix("ttyACM") ? "tty/\(port)" : "\(port)/tty/\(port)"
    if let device { try write("\(place)/\(way)/dev", "\(device)\n") }
    try write("\(place)/\(way)/uevent", "")
    try link("sys/class/tty/\(port)", to: "../../devices/usb1/\(socket)/\(name)/\(way)")
    try write("dev/\(port)", "")
  }
}
