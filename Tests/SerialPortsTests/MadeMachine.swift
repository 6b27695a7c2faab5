import Foundation
import ModemDiscovery
import SerialPorts
import Testing

/// A machine that is made of files: the parts of `/sys`, `/dev` and udev's notes that are read.
final class MadeMachine {
  let root: URL

  init() throws {
    root = FileManager.default.temporaryDirectory
      .appending(path: "checkpost-machine-\(UUID().uuidString)")
    for directory in ["sys/bus/usb/devices", "sys/class/tty", "dev", "udev"] {
      try FileManager.default.createDirectory(
        at: root.appending(path: directory), withIntermediateDirectories: true)
    }
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  var surveyor: PortScanner {
    PortScanner(
      PortScanner.Roots(
        sys: path("sys"), dev: path("dev"), udev: path("udev")))
  }

  func path(_ name: String) -> String { root.appending(path: name).path }

  /// Writes a file below the root, with the directories above it.
  func write(_ name: String, _ text: String) throws {
    let place = root.appending(path: name)
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: place)
  }

  func link(_ name: String, to target: String) throws {
    let place = root.appending(path: name)
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: place.path, withDestinationPath: target)
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
