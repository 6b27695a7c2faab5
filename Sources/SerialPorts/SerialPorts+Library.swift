import CSerialPort

extension SerialPorts {
  /// The version of libserialport that this process runs with, which is the system's: `0.1.1`.
  public static var libraryVersion: String {
    sp_get_package_version_string().map { String(cString: $0) } ?? "unknown"
  }
}
