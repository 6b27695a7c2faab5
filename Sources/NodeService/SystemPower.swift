import EventLoop

/// What this machine runs on, as the kernel tells (`/sys/class/power_supply`).
struct SystemPower {
  private let root: String

  /// Read below `root`; empty for `/`.
  init(root: String = "") {
    self.root = root
  }

  /// The charge of the battery that the machine runs on, in percent and in steps of five; nil with mains, or
  /// without a battery.
  var batteryPercent: Int? {
    let place = root + "/sys/class/power_supply"
    let charges = SystemFile.names(in: place, limit: 32).compactMap { name -> Int? in
      func read(_ file: String) -> String? {
        SystemFile.firstLine("\(place)/\(name)/\(file)")
      }
      // That of a mouse has the scope of its device.
      guard read("type") == "Battery", read("scope") != "Device", read("status") == "Discharging"
      else { return nil }
      return read("capacity").flatMap { Int($0) }
    }
    return charges.min().map { min(max($0, 0), 100) / 5 * 5 }
  }
}
