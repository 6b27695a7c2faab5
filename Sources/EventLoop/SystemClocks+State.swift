import CLinux

extension SystemClocks {
  /// Whether a time service keeps this machine's clock, as the kernel says.
  public static var isSynchronised: Bool { clinux_clock_is_synchronised() == 1 }

  /// Whether the clock was set from one with a battery when the machine started.
  ///
  /// - Parameter root: Where the system tells of such clocks.
  public static func hasBattery(_ root: String = "/sys/class/rtc") -> Bool {
    SystemFile.names(in: root, limit: 16).contains {
      SystemFile.firstLine("\(root)/\($0)/hctosys") == "1"
    }
  }
}
