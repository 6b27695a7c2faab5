import EventLoop

/// What udev notes of a device: its properties and the links to its node.
///
/// The files are read and not asked for through libudev, which would be one more library for a few
/// lines of text. Without udev there are none, and then nothing is known from them.
struct UdevNotes {
  private(set) var properties: [String: String] = [:]
  private(set) var links: [String] = []

  /// Reads what stands of the device with the numbers in `device` (`188:2`), a character device.
  init(device: String, below root: String) {
    guard !device.isEmpty, device.utf8.allSatisfy({ (0x30...0x3A).contains($0) }) else { return }
    let bytes = SystemFile.bytes("\(root)/c\(device)", limit: Limits.udevBytes) ?? []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("E:") {
        let parts = line.dropFirst(2).split(
          separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 { properties[String(parts[0])] = String(parts[1]) }
      } else if line.hasPrefix("S:"), links.count < Limits.ports {
        links.append(String(line.dropFirst(2)))
      }
    }
  }

  /// Whether a property says yes.
  func isSet(_ property: String) -> Bool { properties[property] == "1" }
}
