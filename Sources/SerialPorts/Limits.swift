/// The bounds of this module.
enum Limits {
  /// Ports, and links to them, that are looked at.
  static let ports = 256
  /// Entries of the kernel's list of USB devices that are looked at: devices and their interfaces.
  static let usbEntries = 2_048
  /// Directories between a port and the interface of its device.
  static let levels = 8
  /// Bytes of what udev notes of a device.
  static let udevBytes = 64 * 1_024
  /// Bytes of the kernel's list of file locks that are looked at.
  static let lockTableBytes = 1 << 20
  /// Tries to take a lock file that others leave and take meanwhile.
  static let lockTries = 4
  /// How long a port's closing is waited for; it takes under a millisecond unless the port is stuck.
  static let closing = Duration.milliseconds(100)
  /// Bytes taken at once from a port that is asked for a sign of life.
  static let probeBytes = 256
}
