import CLinux
import EventLoop
import Glibc

/// The settings of a terminal that a modem wants.
enum LineSettings {
  /// Raw bytes, no flow control (a modem that drives no line would hold up every write, and 0x11 is
  /// a letter), no hang-up on close (some modems restart on it), and no wait for a carrier.
  static func apply(to number: Int32, baud: Int, path: String) throws(LinkError) {
    var attributes = termios()
    guard tcgetattr(number, &attributes) == 0 else {
      throw .system(path: path, operation: "read the line settings", errno: errno)
    }
    cfmakeraw(&attributes)
    attributes.c_cflag |= tcflag_t(CLOCAL | CREAD)
    attributes.c_cflag &= ~tcflag_t(HUPCL)
    attributes.c_cflag &= ~crtscts
    attributes.c_iflag &= ~tcflag_t(IXON | IXOFF)
    // An unusual speed was set through libserialport already.
    if let speed = speeds[baud] {
      cfsetispeed(&attributes, speed)
      cfsetospeed(&attributes, speed)
    }
    guard tcsetattr(number, TCSANOW, &attributes) == 0 else {
      throw .system(path: path, operation: "change the line settings", errno: errno)
    }
    // What came before this is no answer to anything of ours.
    tcflush(number, TCIOFLUSH)
  }

  /// Keeps other programs out, and closing from waiting for bytes that never leave. Neither works on
  /// every driver, and the lock on the node has been taken already.
  static func claim(_ number: Int32) {
    _ = clinux_terminal_exclusive(number)
    _ = clinux_serial_no_closing_wait(number)
  }

  /// `CRTSCTS`, which stands behind a macro that Swift does not import.
  private static let crtscts: tcflag_t = 0x8000_0000

  private static let speeds: [Int: speed_t] = [
    9_600: speed_t(B9600), 19_200: speed_t(B19200), 38_400: speed_t(B38400),
    57_600: speed_t(B57600), 115_200: speed_t(B115200), 230_400: speed_t(B230400),
    460_800: speed_t(B460800), 921_600: speed_t(B921600),
  ]
}
